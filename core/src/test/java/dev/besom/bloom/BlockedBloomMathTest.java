package dev.besom.bloom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.besom.math.Entropy;
import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlockedBloomMathTest {

    /**
     * With one group the keys of a word are Poisson; the places that are still uncovered after each of them are a chain of
     * exact hypergeometric steps.
     */
    @Test
    void theRateOfOneGroupAgreesWithAChainOfChoices() {
        for (int bits = 1; bits <= 6; bits++) {
            double all = choose(64, bits).doubleValue();
            for (double keysPerWord : new double[] {0.5, 2, 6, 20}) {
                double[] uncovered = new double[bits + 1];
                uncovered[bits] = 1;
                double poisson = Math.exp(-keysPerWord);
                double rate = 0;
                for (int keys = 0; keys <= 200; keys++) {
                    rate += poisson * uncovered[0];
                    poisson *= keysPerWord / (keys + 1);
                    double[] next = new double[bits + 1];
                    for (int before = 0; before <= bits; before++) {
                        for (int hit = 0; hit <= before; hit++) {
                            double ways = choose(before, hit)
                                    .multiply(choose(64 - before, bits - hit))
                                    .doubleValue();
                            next[before - hit] += uncovered[before] * ways / all;
                        }
                    }
                    uncovered = next;
                }
                assertThat(BlockedBloomMath.fppOfAnyBits(8 * keysPerWord, 1, bits))
                        .as("%s keys a word of %d bits", keysPerWord, bits)
                        .isCloseTo(rate, within(1e-8 * rate + 1e-13));
            }
        }
    }

    /** Words filled with masks; of each the exact share of all masks that it covers, by how many bits it has set. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void aWordCoversMasksAsOftenAsTheFormulaSays(int bits) {
        long[] masks = BlockedMasks.of(bits);
        SplittableRandom random = new SplittableRandom(bits);
        double measured = 0;
        double predicted = 0;
        for (int i = 0; i < 2_000; i++) {
            long word = 0;
            for (int keys = 1 + random.nextInt(2 * Long.SIZE / bits); keys > 0; keys--) {
                word |= masks[random.nextInt(masks.length)];
            }
            measured += covered(word, masks);
            predicted += BlockedBloomMath.coveredByWord(Long.bitCount(word), bits);
        }
        assertThat(predicted).isCloseTo(measured, within(0.01 * measured));
    }

    @Test
    void aWordOfOneKeyCoversItsOwnMaskAndAFullWordAll() {
        for (int bits = 2; bits <= 6; bits++) {
            assertThat(BlockedBloomMath.coveredByWord(bits - 1, bits)).isZero();
            assertThat(BlockedBloomMath.coveredByWord(bits, bits)).isBetween(0.999 / 1024, 1.5 / 1024);
            assertThat(BlockedBloomMath.coveredByWord(64, bits)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void everyBitIsInAsManyMasksAsAnyOtherAndRotationsShareOneBitAtMost(int bits) {
        long[] masks = BlockedMasks.of(bits);
        int[] uses = new int[Long.SIZE];
        for (int i = 0; i < masks.length; i++) {
            assertThat(Long.bitCount(masks[i])).isEqualTo(bits);
            for (int bit = 0; bit < Long.SIZE; bit++) {
                uses[bit] += (int) (masks[i] >>> bit & 1);
            }
            for (int distance = 1; distance < Long.SIZE; distance++) {
                assertThat(Long.bitCount(masks[i] & Long.rotateLeft(masks[i], distance)))
                        .isLessThan(2);
            }
        }
        assertThat(uses).containsOnly(masks.length * bits / Long.SIZE);
    }

    /** Blocks drawn as the formula describes them; of each the exact chance of a wrong answer. */
    @ParameterizedTest
    @CsvSource({"50, 2, 3, 1", "32, 4, 3, 2", "100, 2, 2, 3", "20, 4, 2, 4", "25, 1, 6, 5", "5, 2, 1, 6"})
    void theRateAgreesWithBlocksDrawnAtRandom(double keysPerBlock, int groups, int bitsPerGroup, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int blocks = 20_000;
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < blocks; i++) {
            double rate = rateOfOneBlock(random, keysPerBlock, groups, bitsPerGroup);
            sum += rate;
            squares += rate * rate;
        }
        double mean = sum / blocks;
        double deviation = Math.sqrt((squares / blocks - mean * mean) / blocks);
        assertThat(BlockedBloomMath.fpp(keysPerBlock, groups, bitsPerGroup))
                .as("seed %d", seed)
                .isCloseTo(mean, within(6.5 * deviation));
        assertThat(deviation).as("standard deviation of the mean").isLessThan(0.05 * mean);
    }

    private static double rateOfOneBlock(SplittableRandom random, double keysPerBlock, int groups, int bitsPerGroup) {
        int groupWords = 8 / groups;
        long[] masks = BlockedMasks.of(bitsPerGroup);
        long[] words = new long[8];
        for (int keys = poisson(random, keysPerBlock); keys > 0; keys--) {
            for (int group = 0; group < groups; group++) {
                words[group * groupWords + random.nextInt(groupWords)] |= masks[random.nextInt(masks.length)];
            }
        }
        double rate = 1;
        for (int group = 0; group < groups; group++) {
            double inGroup = 0;
            for (int word = 0; word < groupWords; word++) {
                inGroup += covered(words[group * groupWords + word], masks);
            }
            rate *= inGroup / groupWords;
        }
        return rate;
    }

    /** The share of all masks that a word covers. */
    private static double covered(long word, long[] masks) {
        int covered = 0;
        for (long mask : masks) {
            covered += (mask & ~word) == 0 ? 1 : 0;
        }
        return (double) covered / masks.length;
    }

    /** Arrivals of a unit rate before the time is over. */
    private static int poisson(SplittableRandom random, double mean) {
        int arrivals = -1;
        for (double time = 0; time < mean; arrivals++) {
            time -= Math.log1p(-random.nextDouble());
        }
        return arrivals;
    }

    @Test
    void theSizeForARateIsTheSmallestWithinItsTolerance() {
        for (double fpp : new double[] {0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-5}) {
            for (int groups : new int[] {2, 4}) {
                for (int bits = 1; bits <= 6; bits++) {
                    double size = BlockedBloomMath.bitsPerKey(fpp, groups, bits);
                    if (size < Double.POSITIVE_INFINITY) {
                        assertThat(BlockedBloomMath.fpp(512 / size, groups, bits))
                                .isLessThanOrEqualTo(fpp);
                        assertThat(BlockedBloomMath.fpp(512 / size * 1.0002, groups, bits))
                                .isGreaterThan(fpp);
                    }
                }
            }
        }
    }

    @Test
    void aLowerRateTakesMoreSpace() {
        for (int groups : new int[] {2, 4}) {
            for (int bits = 1; bits <= 6; bits++) {
                double before = 0;
                for (double fpp = 0.2; fpp > 1e-6; fpp *= 0.8) {
                    double size = BlockedBloomMath.bitsPerKey(fpp, groups, bits);
                    assertThat(size).isGreaterThanOrEqualTo(before);
                    assertThat(size).isGreaterThan(Entropy.bitsPerKey(fpp));
                    before = size;
                }
            }
        }
    }

    @Test
    void ratesThatSoFewBitsCannotGiveAreRefusedByAnInfiniteSize() {
        assertThat(BlockedBloomMath.bitsPerKey(1e-6, 2, 1)).isInfinite();
        assertThat(BlockedBloomMath.bitsPerKey(1e-6, 4, 4)).isFinite();
    }

    private static BigInteger choose(int n, int k) {
        BigInteger result = k > n ? BigInteger.ZERO : BigInteger.ONE;
        for (int i = 0; i < k && k <= n; i++) {
            result = result.multiply(BigInteger.valueOf(n - i)).divide(BigInteger.valueOf(i + 1));
        }
        return result;
    }
}
