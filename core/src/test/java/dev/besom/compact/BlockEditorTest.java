package dev.besom.compact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Single blocks, of whole words and not, at the start of a word and not, between neighbours that must not notice. */
class BlockEditorTest extends BlockPromises<ChainBlock> {

    private static BlockBench<ChainBlock> bench(int blockBits, int chains, int shift) {
        return benchOf(new ChainBlock(blockBits, chains), shift);
    }

    private static BlockBench<ChainBlock> even(int blockBits, int chains, int shift) {
        return benchOf(new ChainBlock(blockBits, chains, false), shift);
    }

    private static BlockBench<ChainBlock> benchOf(ChainBlock layout, int shift) {
        return new BlockBench<>(layout, new BlockEditor(layout), shift);
    }

    @Override
    BlockBench<ChainBlock> bench() {
        return bench(256, 32, 0);
    }

    /** Fingerprints that differ in few bits, so that slots of different widths match the same keys. */
    @Override
    BlockKey drawAlike(SplittableRandom random, BlockBench<ChainBlock> bench) {
        int fewBits = 1 + bench.layout.arrayBits / 40;
        int fingerprint = random.nextInt(4) << fewBits | random.nextInt(2);
        return new BlockKey(random.nextInt(Math.min(6, bench.layout.chains)), fingerprint);
    }

    static Stream<BlockBench<ChainBlock>> benches() {
        return Stream.of(
                bench(512, 64, 0),
                bench(512, 80, 0),
                bench(256, 32, 0),
                bench(193, 32, 0),
                bench(582, 64, 17),
                bench(161, 16, 63),
                bench(1200, 128, 5),
                bench(96, 8, 40),
                even(512, 64, 0),
                even(582, 64, 17),
                even(161, 16, 63),
                even(96, 8, 40));
    }

    /**
     * The block as the paper has it: fingerprints of {@code size} bits, of which the first {@code mod} have one more unless all
     * have one width, in the order of their chains.
     */
    private static boolean paperMightContain(ChainBlock layout, List<BlockKey> keys, BlockKey asked) {
        List<BlockKey> slots = new ArrayList<>();
        for (int chain = 0; chain < layout.chains; chain++) {
            for (int i = keys.size() - 1; i >= 0; i--) {
                if (keys.get(i).chain() == chain) {
                    slots.add(keys.get(i));
                }
            }
        }
        int count = slots.size();
        for (int slot = 0; slot < count; slot++) {
            int bits = layout.hasCutPlane() ? layout.arrayBits : layout.arrayBits - 1;
            int size = bits / count - 1;
            boolean isWide = layout.hasCutPlane() && slot < bits % count;
            int width = Math.min(ChainBlock.WIDEST, isWide ? size + 1 : size);
            long mask = (1L << width) - 1;
            if (slots.get(slot).chain() == asked.chain()
                    && ((slots.get(slot).fingerprint() ^ asked.fingerprint()) & mask) == 0) {
                return true;
            }
        }
        return false;
    }

    @ParameterizedTest
    @MethodSource("benches")
    void aBlockAnswersAsThePapersArithmeticOfSizeAndModSays(BlockBench<ChainBlock> bench) {
        SplittableRandom random = new SplittableRandom(11);
        List<BlockKey> keys = new ArrayList<>();
        while (keys.size() < Math.min(200, bench.layout.mostSlots)) {
            BlockKey key = bench.draw(random);
            bench.insert(key);
            keys.add(key);
            bench.check(keys.size());
            for (int i = 0; i < 40; i++) {
                // Fingerprints that agree with a stored one in some of their low bits.
                BlockKey near = keys.get(random.nextInt(keys.size()));
                BlockKey asked =
                        new BlockKey(near.chain(), near.fingerprint() ^ Integer.MIN_VALUE >>> random.nextInt(32));
                assertThat(bench.mightContain(asked))
                        .as("%s among %d keys", asked, keys.size())
                        .isEqualTo(paperMightContain(bench.layout, keys, asked));
            }
            for (BlockKey stored : keys) {
                assertThat(bench.mightContain(stored)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("benches")
    void oneKeyPutInOverAndOverFillsABlock(BlockBench<ChainBlock> bench) {
        BlockKey key = new BlockKey(bench.layout.chains - 1, 0x5A5A5A5A);
        for (int i = 0; i < bench.layout.mostSlots; i++) {
            bench.insert(key);
        }
        bench.check(bench.layout.mostSlots);
        for (int i = bench.layout.mostSlots; i > 0; i--) {
            assertThat(bench.mightContain(key)).isTrue();
            assertThat(bench.delete(key)).isTrue();
        }
        bench.check(0);
    }

    /** Sixty slots have 6 bits each, and the first 26 of a touched block a seventh that counts where it is 1. */
    @Test
    void deletingAKeyTakesTheSlotThatKnowsMost() {
        BlockBench<ChainBlock> bench = bench(512, 64, 0);
        BlockKey withOne = new BlockKey(3, 0b1000000);
        BlockKey withZero = new BlockKey(3, 0);
        for (int i = 0; i < 24; i++) {
            bench.insert(new BlockKey(0, i));
        }
        bench.insert(withOne);
        bench.insert(withZero);
        for (int i = 0; i < 34; i++) {
            bench.insert(new BlockKey(10, i));
        }
        assertThat(bench.slots()).isEqualTo(60);
        assertThat(bench.layout.usedBits(60, ChainBlock.TOUCHED) % 60).isEqualTo(26);
        // From now on the slot of the key with a 0, which is the first of the chain, matches both.
        assertThat(bench.delete(new BlockKey(0, 0))).isTrue();
        bench.insert(new BlockKey(0, 0));
        assertThat(bench.mightContain(new BlockKey(3, 0b1000000))).isTrue();
        assertThat(bench.delete(withOne)).isTrue();
        assertThat(bench.mightContain(withZero)).isTrue();
        bench.check(59);
    }

    @Test
    void slotsThatWereGivenUpAreUsedAgainBeforeFingerprintsGetShorter() {
        BlockBench<ChainBlock> bench = bench(512, 64, 0);
        SplittableRandom random = new SplittableRandom(15);
        List<BlockKey> keys = new ArrayList<>();
        for (int i = 0; i < 56; i++) {
            keys.add(bench.draw(random));
            bench.insert(keys.get(i));
        }
        for (int i = 0; i < 20; i++) {
            assertThat(bench.delete(keys.get(i))).isTrue();
            assertThat(bench.slots()).isEqualTo(56);
        }
        for (int i = 0; i < 20; i++) {
            bench.insert(keys.get(i));
            assertThat(bench.slots()).isEqualTo(56);
        }
        assertThat(bench.layout.flags(bench.words, bench.at)).isEqualTo(ChainBlock.TOUCHED);
        bench.insert(bench.draw(random));
        assertThat(bench.slots()).isEqualTo(57);
    }

    @Test
    void theUnionOfUntouchedBlocksIsWhatInsertsWouldHaveMade() {
        SplittableRandom random = new SplittableRandom(16);
        for (int size = 0; size <= 60; size += 5) {
            BlockBench<ChainBlock> one = bench(512, 64, 0);
            BlockBench<ChainBlock> other = bench(512, 64, 0);
            BlockBench<ChainBlock> both = bench(512, 64, 0);
            for (int i = 0; i < size; i++) {
                BlockKey key = one.draw(random);
                one.insert(key);
                both.insert(key);
            }
            for (int i = 0; i < 30; i++) {
                BlockKey key = one.draw(random);
                other.insert(key);
                both.insert(key);
            }
            one.unite(other);
            assertThat(one.words).isEqualTo(both.words);
        }
    }

    /** Whatever the words hold, while they change, a query ends and stays inside of the array. */
    @Test
    void anyBitsAtAllGetAnAnswer() {
        SplittableRandom random = new SplittableRandom(18);
        for (ChainBlock layout : List.of(
                new ChainBlock(512, 64), new ChainBlock(96, 8), new ChainBlock(582, 64), new ChainBlock(1200, 128))) {
            long[] words = new long[layout.blockBits / Long.SIZE + 2];
            for (int round = 0; round < 20_000; round++) {
                for (int i = 0; i < words.length; i++) {
                    words[i] = random.nextLong() & (round % 3 == 0 ? random.nextLong() : -1L);
                }
                BlockKey key = new BlockKey(random.nextInt(layout.chains), random.nextInt());
                boolean answer = layout.mightContain(words, 0, key.chain(), key.fingerprint());
                if (layout.isEmpty(words, 0, key.chain())) {
                    assertThat(answer).isFalse();
                }
                if (LineBlock.isLine(layout)) {
                    answer = LineBlock.mightContain(words, 0, key.chain(), key.fingerprint());
                    assertThat(answer && layout.isEmpty(words, 0, key.chain())).isFalse();
                }
            }
        }
    }

    /** With keys that come and go, from empty blocks to such as have short cores. */
    @Test
    void linesAnswerAndGrowAsAllOtherBlocksDo() {
        SplittableRandom random = new SplittableRandom(19);
        for (int round = 0; round < 40; round++) {
            BlockBench<ChainBlock> any = bench(512, 64, 0);
            BlockBench<ChainBlock> line = bench(512, 64, 0);
            BlockEditor anyEditor = (BlockEditor) any.writer;
            BlockEditor editor = (BlockEditor) line.writer;
            int first = (int) (line.at >>> 6);
            List<BlockKey> keys = new ArrayList<>();
            int most = 20 + random.nextInt(220);
            for (int step = 0; step < most; step++) {
                BlockKey key = new BlockKey(random.nextInt(round % 2 == 0 ? 64 : 9), random.nextInt());
                boolean isNew = !any.mightContain(key);
                anyEditor.insert(any.words, any.at, key.chain(), key.fingerprint());
                anyEditor.store(any.words, any.at);
                assertThat(editor.insertIntoLine(line.words, first, key.chain(), key.fingerprint()))
                        .isEqualTo(isNew);
                editor.store(line.words, line.at);
                keys.add(key);
                if (round % 4 == 3 && keys.size() > 1 && random.nextInt(3) == 0) {
                    BlockKey gone = keys.remove(random.nextInt(keys.size()));
                    assertThat(any.delete(gone)).isTrue();
                    assertThat(line.delete(gone)).isTrue();
                }
                assertThat(line.words).as("step %d of round %d", step, round).isEqualTo(any.words);
                for (int i = 0; i < 30; i++) {
                    BlockKey near = keys.get(random.nextInt(keys.size()));
                    BlockKey asked = i % 3 == 0
                            ? any.draw(random)
                            : new BlockKey(near.chain(), near.fingerprint() ^ 1 << random.nextInt(32));
                    assertThat(LineBlock.mightContain(line.words, first, asked.chain(), asked.fingerprint()))
                            .as("%s in step %d of round %d", asked, step, round)
                            .isEqualTo(any.mightContain(asked));
                }
            }
        }
    }

    @Test
    void coresThatAreAlikeAreThoseWithTheSameBits() {
        SplittableRandom random = new SplittableRandom(20);
        for (int core = 1; core <= ChainBlock.WIDEST_CORE; core++) {
            long mask = (1L << core) - 1;
            for (int round = 0; round < 1000; round++) {
                long cores = random.nextLong();
                int fingerprint = random.nextInt();
                long alike = ChainBlock.alikeCores(cores, core, fingerprint);
                for (int bit = 0; bit + core <= Long.SIZE; bit += core) {
                    assertThat((alike >>> bit & mask) == 1)
                            .as("core of %d bits at bit %d", core, bit)
                            .isEqualTo((cores >>> bit & mask) == (fingerprint & mask));
                }
            }
        }
        assertThat(ChainBlock.alikeCores(5, 0, 7)).isEqualTo(-1L);
    }
}
