package dev.besom.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterFullException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Single blocks, of whole words and not, at the start of a word and not, between neighbours that must not notice. */
class BlockEditorTest {

    private record Key(int chain, int fingerprint) {}

    /** A block between two stretches of ones. */
    private static final class Bench {
        final ChainBlock layout;
        final BlockEditor editor;
        final long[] words;
        final long at;

        Bench(int blockBits, int chains, int shift) {
            this(new ChainBlock(blockBits, chains), shift);
        }

        static Bench even(int blockBits, int chains, int shift) {
            return new Bench(new ChainBlock(blockBits, chains, false), shift);
        }

        private Bench(ChainBlock layout, int shift) {
            int blockBits = layout.blockBits;
            this.layout = layout;
            this.editor = new BlockEditor(layout);
            this.at = (long) Long.SIZE + shift;
            this.words = new long[(blockBits + shift) / Long.SIZE + 4];
            Arrays.fill(words, -1L);
            editor.load(words, at);
            for (int bit = 0; bit < blockBits; bit++) {
                words[(int) ((at + bit) >>> 6)] &= ~(1L << (at + bit));
            }
        }

        void insert(Key key) {
            editor.insert(words, at, key.chain, key.fingerprint);
            editor.store(words, at);
        }

        boolean delete(Key key) {
            editor.load(words, at);
            boolean deleted = editor.delete(key.chain, key.fingerprint);
            if (deleted) {
                editor.store(words, at);
            }
            return deleted;
        }

        boolean mightContain(Key key) {
            return layout.mightContain(words, at, key.chain, key.fingerprint);
        }

        void check(int keys) {
            editor.load(words, at);
            assertThat(editor.checkInvariants()).isEqualTo(keys);
            for (long bit = 0; bit < (long) words.length * Long.SIZE; bit++) {
                if (bit < at || bit >= at + layout.blockBits) {
                    assertThat(words[(int) (bit >>> 6)] >>> bit & 1)
                            .as("bit %d, outside of the block", bit)
                            .isEqualTo(1);
                }
            }
        }
    }

    static Stream<Bench> benches() {
        return Stream.of(
                new Bench(512, 64, 0),
                new Bench(512, 80, 0),
                new Bench(256, 32, 0),
                new Bench(193, 32, 0),
                new Bench(582, 64, 17),
                new Bench(161, 16, 63),
                new Bench(1200, 128, 5),
                new Bench(96, 8, 40),
                Bench.even(512, 64, 0),
                Bench.even(582, 64, 17),
                Bench.even(161, 16, 63),
                Bench.even(96, 8, 40));
    }

    private static Key draw(SplittableRandom random, ChainBlock layout) {
        return new Key(random.nextInt(layout.chains), random.nextInt());
    }

    /**
     * The block as the paper has it: fingerprints of {@code size} bits, of which the first {@code mod} have one more unless all
     * have one width, in the order of their chains.
     */
    private static boolean paperMightContain(ChainBlock layout, List<Key> keys, Key asked) {
        List<Key> slots = new ArrayList<>();
        for (int chain = 0; chain < layout.chains; chain++) {
            for (int i = keys.size() - 1; i >= 0; i--) {
                if (keys.get(i).chain == chain) {
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
            if (slots.get(slot).chain == asked.chain
                    && ((slots.get(slot).fingerprint ^ asked.fingerprint) & mask) == 0) {
                return true;
            }
        }
        return false;
    }

    @ParameterizedTest
    @MethodSource("benches")
    void aBlockAnswersAsThePapersArithmeticOfSizeAndModSays(Bench bench) {
        SplittableRandom random = new SplittableRandom(11);
        List<Key> keys = new ArrayList<>();
        while (keys.size() < Math.min(200, bench.layout.mostSlots)) {
            Key key = draw(random, bench.layout);
            bench.insert(key);
            keys.add(key);
            bench.check(keys.size());
            for (int i = 0; i < 40; i++) {
                // Fingerprints that agree with a stored one in some of their low bits.
                Key near = keys.get(random.nextInt(keys.size()));
                Key asked = new Key(near.chain, near.fingerprint ^ Integer.MIN_VALUE >>> random.nextInt(32));
                assertThat(bench.mightContain(asked))
                        .as("%s among %d keys", asked, keys.size())
                        .isEqualTo(paperMightContain(bench.layout, keys, asked));
            }
            for (Key stored : keys) {
                assertThat(bench.mightContain(stored)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("benches")
    void aFullBlockRefusesOneMoreKeyAndLosesNothing(Bench bench) {
        SplittableRandom random = new SplittableRandom(12);
        List<Key> keys = new ArrayList<>();
        for (int i = 0; i < bench.layout.mostSlots; i++) {
            keys.add(draw(random, bench.layout));
            bench.insert(keys.get(i));
        }
        long[] before = bench.words.clone();
        assertThatThrownBy(() -> bench.insert(draw(random, bench.layout)))
                .isInstanceOf(FilterFullException.class)
                .hasMessageContaining("no bit for one more");
        assertThat(bench.words).isEqualTo(before);
        bench.check(keys.size());
        assertThat(keys).allMatch(bench::mightContain);
    }

    @ParameterizedTest
    @MethodSource("benches")
    void oneKeyPutInOverAndOverFillsABlock(Bench bench) {
        Key key = new Key(bench.layout.chains - 1, 0x5A5A5A5A);
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

    /** Fingerprints differ in few bits, so that slots of different widths match the same keys all the time. */
    @ParameterizedTest
    @MethodSource("benches")
    void noOrderOfInsertsAndDeletesLosesAKey(Bench bench) {
        SplittableRandom random = new SplittableRandom(13);
        int fewBits = 1 + bench.layout.arrayBits / 40;
        for (int life = 0; life < 12; life++) {
            List<Key> keys = new ArrayList<>();
            for (int step = 0; step < 500; step++) {
                int target = 1 + (step / 4 + life * 7) % 60;
                if (keys.size() < target && random.nextInt(4) > 0) {
                    int fingerprint = random.nextInt(4) << fewBits | random.nextInt(2);
                    Key key = new Key(random.nextInt(Math.min(6, bench.layout.chains)), fingerprint);
                    bench.insert(key);
                    keys.add(key);
                } else if (!keys.isEmpty()) {
                    Key key = keys.remove(random.nextInt(keys.size()));
                    assertThat(bench.delete(key)).as("delete in step %d", step).isTrue();
                }
                bench.check(keys.size());
                assertThat(keys).as("step %d of life %d", step, life).allMatch(bench::mightContain);
            }
            for (Key key : keys) {
                assertThat(bench.delete(key)).isTrue();
            }
            bench.check(0);
        }
    }

    /** Sixty slots have 6 bits each, and the first 26 of a touched block a seventh that counts where it is 1. */
    @Test
    void deletingAKeyTakesTheSlotThatKnowsMost() {
        Bench bench = new Bench(512, 64, 0);
        Key withOne = new Key(3, 0b1000000);
        Key withZero = new Key(3, 0);
        for (int i = 0; i < 24; i++) {
            bench.insert(new Key(0, i));
        }
        bench.insert(withOne);
        bench.insert(withZero);
        for (int i = 0; i < 34; i++) {
            bench.insert(new Key(10, i));
        }
        assertThat(bench.layout.slots(bench.words, bench.at)).isEqualTo(60);
        assertThat(bench.layout.usedBits(60, ChainBlock.TOUCHED) % 60).isEqualTo(26);
        // From now on the slot of the key with a 0, which is the first of the chain, matches both.
        assertThat(bench.delete(new Key(0, 0))).isTrue();
        bench.insert(new Key(0, 0));
        assertThat(bench.mightContain(new Key(3, 0b1000000))).isTrue();
        assertThat(bench.delete(withOne)).isTrue();
        assertThat(bench.mightContain(withZero)).isTrue();
        bench.check(59);
    }

    @Test
    void deletingWhatIsNotThereChangesNothing() {
        Bench bench = new Bench(512, 64, 0);
        SplittableRandom random = new SplittableRandom(14);
        for (int i = 0; i < 50; i++) {
            bench.insert(draw(random, bench.layout));
        }
        for (int i = 0; i < 1000; i++) {
            Key stranger = draw(random, bench.layout);
            if (!bench.mightContain(stranger)) {
                long[] before = bench.words.clone();
                assertThat(bench.delete(stranger)).isFalse();
                assertThat(bench.words).isEqualTo(before);
            }
        }
    }

    @Test
    void slotsThatWereGivenUpAreUsedAgainBeforeFingerprintsGetShorter() {
        Bench bench = new Bench(512, 64, 0);
        SplittableRandom random = new SplittableRandom(15);
        List<Key> keys = new ArrayList<>();
        for (int i = 0; i < 56; i++) {
            keys.add(draw(random, bench.layout));
            bench.insert(keys.get(i));
        }
        for (int i = 0; i < 20; i++) {
            assertThat(bench.delete(keys.get(i))).isTrue();
            assertThat(bench.layout.slots(bench.words, bench.at)).isEqualTo(56);
        }
        for (int i = 0; i < 20; i++) {
            bench.insert(keys.get(i));
            assertThat(bench.layout.slots(bench.words, bench.at)).isEqualTo(56);
        }
        assertThat(bench.layout.flags(bench.words, bench.at)).isEqualTo(ChainBlock.TOUCHED);
        bench.insert(draw(random, bench.layout));
        assertThat(bench.layout.slots(bench.words, bench.at)).isEqualTo(57);
    }

    @Test
    void theUnionOfUntouchedBlocksIsWhatInsertsWouldHaveMade() {
        SplittableRandom random = new SplittableRandom(16);
        for (int size = 0; size <= 60; size += 5) {
            Bench one = new Bench(512, 64, 0);
            Bench other = new Bench(512, 64, 0);
            Bench both = new Bench(512, 64, 0);
            for (int i = 0; i < size; i++) {
                Key key = draw(random, one.layout);
                one.insert(key);
                both.insert(key);
            }
            for (int i = 0; i < 30; i++) {
                Key key = draw(random, one.layout);
                other.insert(key);
                both.insert(key);
            }
            one.editor.unite(one.words, other.words, one.at);
            one.editor.store(one.words, one.at);
            assertThat(one.words).isEqualTo(both.words);
        }
    }

    @Test
    void theUnionOfTouchedBlocksHoldsTheKeysOfBoth() {
        SplittableRandom random = new SplittableRandom(17);
        for (int round = 0; round < 200; round++) {
            Bench one = new Bench(256, 32, 0);
            Bench other = new Bench(256, 32, 0);
            List<Key> keys = new ArrayList<>();
            for (Bench bench : List.of(one, other)) {
                List<Key> own = new ArrayList<>();
                for (int i = random.nextInt(40); i >= 0; i--) {
                    own.add(new Key(random.nextInt(4), random.nextInt(64)));
                    bench.insert(own.get(own.size() - 1));
                }
                for (int i = random.nextInt(own.size()); i > 0; i--) {
                    assertThat(bench.delete(own.remove(random.nextInt(own.size()))))
                            .isTrue();
                }
                keys.addAll(own);
            }
            one.editor.unite(one.words, other.words, one.at);
            one.editor.store(one.words, one.at);
            one.check(keys.size());
            assertThat(keys).allMatch(one::mightContain);
            for (Key key : keys) {
                assertThat(one.delete(key)).isTrue();
            }
            one.check(0);
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
                Key key = draw(random, layout);
                boolean answer = layout.mightContain(words, 0, key.chain, key.fingerprint);
                if (layout.isEmpty(words, 0, key.chain)) {
                    assertThat(answer).isFalse();
                }
                if (LineBlock.isLine(layout)) {
                    answer = LineBlock.mightContain(words, 0, key.chain, key.fingerprint);
                    assertThat(answer && layout.isEmpty(words, 0, key.chain)).isFalse();
                }
            }
        }
    }

    /** With keys that come and go, from empty blocks to such as have short cores. */
    @Test
    void linesAnswerAndGrowAsAllOtherBlocksDo() {
        SplittableRandom random = new SplittableRandom(19);
        for (int round = 0; round < 40; round++) {
            Bench any = new Bench(512, 64, 0);
            Bench line = new Bench(512, 64, 0);
            int first = (int) (line.at >>> 6);
            List<Key> keys = new ArrayList<>();
            int most = 20 + random.nextInt(220);
            for (int step = 0; step < most; step++) {
                Key key = new Key(random.nextInt(round % 2 == 0 ? 64 : 9), random.nextInt());
                boolean isNew = !any.mightContain(key);
                any.insert(key);
                assertThat(line.editor.insertIntoLine(line.words, first, key.chain, key.fingerprint))
                        .isEqualTo(isNew);
                line.editor.store(line.words, line.at);
                keys.add(key);
                if (round % 4 == 3 && keys.size() > 1 && random.nextInt(3) == 0) {
                    Key gone = keys.remove(random.nextInt(keys.size()));
                    assertThat(any.delete(gone)).isTrue();
                    assertThat(line.delete(gone)).isTrue();
                }
                assertThat(line.words).as("step %d of round %d", step, round).isEqualTo(any.words);
                for (int i = 0; i < 30; i++) {
                    Key near = keys.get(random.nextInt(keys.size()));
                    Key asked = i % 3 == 0
                            ? draw(random, any.layout)
                            : new Key(near.chain, near.fingerprint ^ 1 << random.nextInt(32));
                    assertThat(LineBlock.mightContain(line.words, first, asked.chain, asked.fingerprint))
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
