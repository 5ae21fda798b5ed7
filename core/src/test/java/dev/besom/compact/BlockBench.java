package dev.besom.compact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;

/** A block between two stretches of ones, which must not notice what happens to it. */
final class BlockBench<L extends BlockLayout> {

    final L layout;
    final BlockWriter writer;
    final long[] words;
    final long at;

    /** A block that starts so many bits behind the start of a word. */
    BlockBench(L layout, BlockWriter writer, int shift) {
        this.layout = layout;
        this.writer = writer;
        this.at = (long) Long.SIZE + shift;
        this.words = new long[(layout.blockBits() + shift) / Long.SIZE + 4];
        Arrays.fill(words, -1L);
        writer.load(words, at);
        for (int bit = 0; bit < layout.blockBits(); bit++) {
            words[(int) ((at + bit) >>> 6)] &= ~(1L << (at + bit));
        }
    }

    BlockKey draw(SplittableRandom random) {
        return new BlockKey(random.nextInt(layout.chains()), random.nextInt());
    }

    boolean insert(BlockKey key) {
        boolean isNew = writer.put(words, at, key.chain(), key.fingerprint());
        writer.store(words, at);
        return isNew;
    }

    boolean delete(BlockKey key) {
        writer.load(words, at);
        boolean deleted = writer.delete(key.chain(), key.fingerprint());
        if (deleted) {
            writer.store(words, at);
        }
        return deleted;
    }

    void unite(BlockBench<L> other) {
        writer.unite(words, other.words, at);
        writer.store(words, at);
    }

    /** The answer of the layout, which is also that of lines where the block is one. */
    boolean mightContain(BlockKey key) {
        boolean answer = layout.mightContain(words, at, key.chain(), key.fingerprint());
        int first = (int) (at >>> 6);
        if (layout instanceof CountedBlock counted && CountedLine.isLine(counted)) {
            assertThat(CountedLine.mightContain(words, first, key.chain(), key.fingerprint()))
                    .isEqualTo(answer);
        }
        if (layout instanceof ChainBlock chained && LineBlock.isLine(chained) && (at & 63) == 0) {
            assertThat(LineBlock.mightContain(words, first, key.chain(), key.fingerprint()))
                    .isEqualTo(answer);
        }
        return answer;
    }

    int slots() {
        return layout.slots(words, at);
    }

    /** Checks the block, which holds so many keys, and that nothing around it has changed. */
    void check(int keys) {
        writer.load(words, at);
        assertThat(writer.checkInvariants()).isEqualTo(keys);
        for (int word = 0; word < words.length; word++) {
            assertThat(words[word] | ownBits(word))
                    .as("word %d, outside of the block", word)
                    .isEqualTo(-1L);
        }
    }

    /** The bits of a word that are in the block. */
    private long ownBits(int word) {
        long first = Math.max(0, at - (long) word * Long.SIZE);
        long end = Math.min(Long.SIZE, at + layout.blockBits() - (long) word * Long.SIZE);
        return first >= end ? 0 : -1L >>> (Long.SIZE - end) & -1L << first;
    }
}
