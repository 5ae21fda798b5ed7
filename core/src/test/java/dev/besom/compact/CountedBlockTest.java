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

/** Single blocks that count their slots, between neighbours that must not notice. */
class CountedBlockTest {

    private record Key(int chain, int fingerprint) {}

    /** A block between two words of ones. */
    private static final class Bench {
        static final long AT = Long.SIZE;
        final CountedBlock layout;
        final BlockWriter writer;
        final long[] words;

        Bench(int blockBits, int chains) {
            this.layout = new CountedBlock(blockBits, chains);
            this.writer = layout.writer();
            this.words = new long[blockBits / Long.SIZE + 2];
            words[0] = -1L;
            words[words.length - 1] = -1L;
        }

        boolean insert(Key key) {
            boolean isNew = writer.put(words, AT, key.chain, key.fingerprint);
            writer.store(words, AT);
            return isNew;
        }

        boolean delete(Key key) {
            writer.load(words, AT);
            boolean deleted = writer.delete(key.chain, key.fingerprint);
            if (deleted) {
                writer.store(words, AT);
            }
            return deleted;
        }

        boolean mightContain(Key key) {
            boolean answer = layout.mightContain(words, AT, key.chain, key.fingerprint);
            if (CountedLine.isLine(layout)) {
                assertThat(CountedLine.mightContain(words, (int) (AT >>> 6), key.chain, key.fingerprint))
                        .as("as a line")
                        .isEqualTo(answer);
            }
            return answer;
        }

        int slots() {
            return layout.slots(words, AT);
        }

        void check(int keys) {
            writer.load(words, AT);
            assertThat(writer.checkInvariants()).isEqualTo(keys);
            assertThat(words[0] & words[words.length - 1]).as("neighbours").isEqualTo(-1L);
        }
    }

    static Stream<Bench> benches() {
        return Stream.of(
                new Bench(512, 56),
                new Bench(512, 64),
                new Bench(512, 80),
                new Bench(256, 25),
                new Bench(128, 8),
                new Bench(640, 128),
                new Bench(1024, 60),
                new Bench(2048, 100));
    }

    private static Key draw(SplittableRandom random, CountedBlock layout) {
        return new Key(random.nextInt(layout.chains()), random.nextInt());
    }

    private static boolean expected(Bench bench, List<Key> keys, Key asked) {
        long mask = (1L << bench.layout.width(bench.slots())) - 1;
        return keys.stream()
                .anyMatch(key -> key.chain == asked.chain && ((key.fingerprint ^ asked.fingerprint) & mask) == 0);
    }

    @ParameterizedTest
    @MethodSource("benches")
    void aBlockAnswersAsAListOfShortenedFingerprintsDoes(Bench bench) {
        SplittableRandom random = new SplittableRandom(21);
        List<Key> keys = new ArrayList<>();
        while (keys.size() < Math.min(200, bench.layout.mostSlots())) {
            Key key = draw(random, bench.layout);
            boolean isThere = bench.mightContain(key);
            assertThat(bench.insert(key)).as("new").isEqualTo(!isThere);
            keys.add(key);
            bench.check(keys.size());
            assertThat(bench.slots()).isEqualTo(keys.size());
            for (int i = 0; i < 40; i++) {
                // Fingerprints that agree with a stored one in some of their low bits.
                Key near = keys.get(random.nextInt(keys.size()));
                Key asked = new Key(near.chain, near.fingerprint ^ (Integer.MIN_VALUE >>> random.nextInt(32)));
                assertThat(bench.mightContain(asked))
                        .as("%s among %d keys", asked, keys.size())
                        .isEqualTo(expected(bench, keys, asked));
            }
            assertThat(keys).allMatch(bench::mightContain);
        }
    }

    @ParameterizedTest
    @MethodSource("benches")
    void aFullBlockRefusesOneMoreKeyAndLosesNothing(Bench bench) {
        SplittableRandom random = new SplittableRandom(22);
        List<Key> keys = new ArrayList<>();
        for (int i = 0; i < bench.layout.mostSlots(); i++) {
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

    /** Fingerprints differ in few bits, so that slots match the keys of others all the time. */
    @ParameterizedTest
    @MethodSource("benches")
    void noOrderOfInsertsAndDeletesLosesAKey(Bench bench) {
        SplittableRandom random = new SplittableRandom(23);
        int mostKeys = Math.min(90, bench.layout.mostSlots());
        for (int life = 0; life < 12; life++) {
            List<Key> keys = new ArrayList<>();
            int slots = 0;
            for (int step = 0; step < 500; step++) {
                int target = 1 + (step / 4 + life * 7) % mostKeys;
                if (keys.size() < target && random.nextInt(4) > 0) {
                    Key key = new Key(random.nextInt(8), (random.nextInt(4) << 4) | random.nextInt(2));
                    bench.insert(key);
                    keys.add(key);
                } else if (!keys.isEmpty()) {
                    Key key = keys.remove(random.nextInt(keys.size()));
                    assertThat(bench.delete(key)).as("delete in step %d", step).isTrue();
                }
                slots = keys.isEmpty() ? 0 : Math.max(slots, keys.size());
                assertThat(bench.slots()).as("slots, free ones included").isEqualTo(slots);
                bench.check(keys.size());
                assertThat(keys).as("step %d of life %d", step, life).allMatch(bench::mightContain);
            }
            for (Key key : keys) {
                assertThat(bench.delete(key)).isTrue();
            }
            bench.check(0);
        }
    }

    @ParameterizedTest
    @MethodSource("benches")
    void deletingWhatIsNotThereChangesNothing(Bench bench) {
        SplittableRandom random = new SplittableRandom(24);
        for (int i = 0; i < 20; i++) {
            bench.insert(draw(random, bench.layout));
        }
        long[] before = bench.words.clone();
        for (int i = 0; i < 1000; i++) {
            Key stranger = draw(random, bench.layout);
            if (!bench.mightContain(stranger)) {
                assertThat(bench.delete(stranger)).isFalse();
                assertThat(bench.words).isEqualTo(before);
            }
        }
    }

    @Test
    void theUnionOfBlocksHoldsTheKeysOfBoth() {
        SplittableRandom random = new SplittableRandom(25);
        for (int round = 0; round < 200; round++) {
            Bench one = new Bench(512, 56);
            Bench other = new Bench(512, 56);
            List<Key> keys = new ArrayList<>();
            for (Bench bench : List.of(one, other)) {
                List<Key> own = new ArrayList<>();
                for (int i = random.nextInt(80); i >= 0; i--) {
                    own.add(new Key(random.nextInt(4), random.nextInt(64)));
                    bench.insert(own.get(own.size() - 1));
                }
                for (int i = random.nextInt(own.size()); i > 0; i--) {
                    assertThat(bench.delete(own.remove(random.nextInt(own.size()))))
                            .isTrue();
                }
                keys.addAll(own);
            }
            int slots = Math.max(keys.size(), Math.max(one.slots(), other.slots()));
            one.writer.unite(one.words, other.words, Bench.AT);
            one.writer.store(one.words, Bench.AT);
            one.check(keys.size());
            assertThat(one.slots()).isEqualTo(slots);
            assertThat(keys).allMatch(one::mightContain);
            for (Key key : keys) {
                assertThat(one.delete(key)).isTrue();
            }
            one.check(0);
        }
    }

    /** Whatever the words hold, while they change, a query ends and stays inside of the block. */
    @Test
    void anyBitsAtAllGetAnAnswer() {
        SplittableRandom random = new SplittableRandom(26);
        benches().forEach(bench -> {
            long[] words = Arrays.copyOf(bench.words, bench.words.length - 1);
            for (int round = 0; round < 5_000; round++) {
                for (int i = 0; i < words.length; i++) {
                    words[i] = random.nextLong() & (round % 3 == 0 ? random.nextLong() : -1L);
                }
                Key key = draw(random, bench.layout);
                boolean answer = bench.layout.mightContain(words, Bench.AT, key.chain, key.fingerprint);
                assertThat(answer && bench.layout.isEmpty(words, Bench.AT, key.chain))
                        .isFalse();
                if (CountedLine.isLine(bench.layout)) {
                    answer = CountedLine.mightContain(words, 1, key.chain, key.fingerprint);
                    assertThat(answer && bench.layout.isEmpty(words, Bench.AT, key.chain))
                            .isFalse();
                }
            }
        });
    }

    @Test
    void fieldsThatAreZeroAreFoundAndNoOthers() {
        for (int width = 1; width <= 4; width++) {
            long lowest = CountedBlock.lowestBits(width);
            int fields = Math.min(16 / width, 5);
            for (long low = 0; low < (1L << (fields * width)); low++) {
                // The other fields are not 0.
                long word = low | lowest << (fields * width);
                long expected = 0;
                for (int field = 0; field < fields; field++) {
                    boolean isZero = (low >>> (field * width) & ~(-1L << width)) == 0;
                    expected |= isZero ? 1L << (field * width + width - 1) : 0;
                }
                assertThat(CountedBlock.zeroFields(word, lowest, width))
                        .as("width %d, %x", width, word)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void fingerprintsGetShorterAsABlockFillsAndNeverLonger() {
        benches().forEach(bench -> {
            for (int slots = 1; slots <= bench.layout.mostSlots(); slots++) {
                int width = bench.layout.width(slots);
                assertThat(width).isBetween(1, bench.layout.width(slots - 1));
                int words = bench.layout.blockBits() / Long.SIZE - bench.layout.firstWord(slots);
                assertThat(Long.SIZE / width * words).isGreaterThanOrEqualTo(slots);
                assertThat(bench.layout.firstWord(slots) * Long.SIZE)
                        .isGreaterThanOrEqualTo(bench.layout.lastBits + slots);
            }
        });
    }
}
