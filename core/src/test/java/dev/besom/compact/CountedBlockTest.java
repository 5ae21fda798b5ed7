package dev.besom.compact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Single blocks that count their slots, between neighbours that must not notice. */
class CountedBlockTest extends BlockPromises<CountedBlock> {

    private static BlockBench<CountedBlock> bench(int blockBits, int chains) {
        CountedBlock layout = new CountedBlock(blockBits, chains);
        return new BlockBench<>(layout, layout.writer(), 0);
    }

    @Override
    BlockBench<CountedBlock> bench() {
        return bench(512, 56);
    }

    @Override
    BlockKey drawAlike(SplittableRandom random, BlockBench<CountedBlock> bench) {
        return new BlockKey(random.nextInt(8), (random.nextInt(4) << 4) | random.nextInt(2));
    }

    static Stream<BlockBench<CountedBlock>> benches() {
        return Stream.of(
                bench(512, 56),
                bench(512, 64),
                bench(512, 80),
                bench(256, 25),
                bench(128, 8),
                bench(640, 128),
                bench(1024, 60),
                bench(2048, 100));
    }

    private static boolean expected(BlockBench<CountedBlock> bench, List<BlockKey> keys, BlockKey asked) {
        long mask = (1L << bench.layout.width(bench.slots())) - 1;
        return keys.stream()
                .anyMatch(
                        key -> key.chain() == asked.chain() && ((key.fingerprint() ^ asked.fingerprint()) & mask) == 0);
    }

    @ParameterizedTest
    @MethodSource("benches")
    void aBlockAnswersAsAListOfShortenedFingerprintsDoes(BlockBench<CountedBlock> bench) {
        SplittableRandom random = new SplittableRandom(21);
        List<BlockKey> keys = new ArrayList<>();
        while (keys.size() < Math.min(200, bench.layout.mostSlots())) {
            BlockKey key = bench.draw(random);
            boolean isThere = bench.mightContain(key);
            assertThat(bench.insert(key)).as("new").isEqualTo(!isThere);
            keys.add(key);
            bench.check(keys.size());
            assertThat(bench.slots()).isEqualTo(keys.size());
            for (int i = 0; i < 40; i++) {
                // Fingerprints that agree with a stored one in some of their low bits.
                BlockKey near = keys.get(random.nextInt(keys.size()));
                BlockKey asked =
                        new BlockKey(near.chain(), near.fingerprint() ^ (Integer.MIN_VALUE >>> random.nextInt(32)));
                assertThat(bench.mightContain(asked))
                        .as("%s among %d keys", asked, keys.size())
                        .isEqualTo(expected(bench, keys, asked));
            }
            assertThat(keys).allMatch(bench::mightContain);
        }
    }

    /** Whatever the words hold, while they change, a query ends and stays inside of the block. */
    @Test
    void anyBitsAtAllGetAnAnswer() {
        SplittableRandom random = new SplittableRandom(26);
        benches().forEach(bench -> {
            long[] words = new long[1 + bench.layout.blockBits() / Long.SIZE];
            for (int round = 0; round < 5_000; round++) {
                for (int i = 0; i < words.length; i++) {
                    words[i] = random.nextLong() & (round % 3 == 0 ? random.nextLong() : -1L);
                }
                BlockKey key = bench.draw(random);
                boolean answer = bench.layout.mightContain(words, bench.at, key.chain(), key.fingerprint());
                assertThat(answer && bench.layout.isEmpty(words, bench.at, key.chain()))
                        .isFalse();
                if (CountedLine.isLine(bench.layout)) {
                    answer = CountedLine.mightContain(words, 1, key.chain(), key.fingerprint());
                    assertThat(answer && bench.layout.isEmpty(words, bench.at, key.chain()))
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
