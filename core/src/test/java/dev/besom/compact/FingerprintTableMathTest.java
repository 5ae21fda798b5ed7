package dev.besom.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.besom.bloom.BalancedBloomMath;
import dev.besom.bloom.VariableIncrementMath;
import dev.besom.compact.RankIndexedMath.Sizes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The structures that TinySet's paper measures itself against take the bits that it reports of them. */
class FingerprintTableMathTest {

    @ParameterizedTest
    @CsvSource({"0.01, 10.6", "0.001, 14.4", "0.0001, 18.2"})
    void rankIndexedTablesTakeThePapersBits(double fpp, double paper) {
        assertThat(RankIndexedMath.smallest(fpp, 1_000_000, 1).bitsPerKey()).isCloseTo(paper, within(0.03 * paper));
    }

    @Test
    void rankIndexedTablesHaveRoomForTheirKeysAndKeepTheRate() {
        for (double fpp : new double[] {0.3, 0.01, 1e-6}) {
            for (long keys : new long[] {1, 50, 1_000_000}) {
                Sizes sizes = RankIndexedMath.smallest(fpp, keys, 2);
                assertThat(sizes.most()).isLessThanOrEqualTo(RankIndexedMath.MOST_KEYS);
                assertThat((double) sizes.most()).isGreaterThan(sizes.keysPerBucket());
                double perChain = sizes.keysPerBucket() / RankIndexedMath.CHAINS;
                assertThat(-Math.expm1(-perChain * Math.scalb(1.0, -sizes.fingerprintBits())))
                        .isLessThanOrEqualTo(fpp * (1 + 1e-9));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0.01, 17.6", "0.001, 22.3", "0.0001, 26.4"})
    void countingDLeftTablesTakeThePapersBits(double fpp, double paper) {
        assertThat(DLeftMath.bitsPerKey(DLeftMath.USUAL_LOAD, fpp, 2)).isCloseTo(paper, within(0.03 * paper));
    }

    @Test
    void fingerprintsOfDLeftTablesAreAsWideAsTheRateNeeds() {
        for (double fpp : new double[] {0.3, 0.01, 0.001, 1e-6}) {
            int bits = DLeftMath.fingerprintBits(6, fpp);
            assertThat(DLeftMath.fpp(6, bits)).isLessThanOrEqualTo(fpp);
            assertThat(DLeftMath.fpp(6, bits - 1)).isGreaterThan(fpp);
        }
    }

    @ParameterizedTest
    @CsvSource({"0.01, 25", "0.001, 37.8", "0.0001, 50"})
    void variableIncrementsTakeThePapersBits(double fpp, double paper) {
        double counters = VariableIncrementMath.countersPerKey(fpp, VariableIncrementMath.bestProbes(fpp));
        assertThat(6 * counters).isCloseTo(paper, within(0.03 * paper));
    }

    @Test
    void aCounterHoldsAnIncrementIfTheRestIsASumOfIncrements() {
        boolean[] sums = new boolean[64];
        sums[0] = true;
        for (int sum = 1; sum < sums.length; sum++) {
            for (int increment = 4; increment <= 7 && increment <= sum; increment++) {
                sums[sum] |= sums[sum - increment];
            }
        }
        for (int counter = 0; counter < sums.length; counter++) {
            for (int increment = 4; increment <= 7; increment++) {
                assertThat(VariableIncrementMath.mayHold(counter, increment))
                        .as("%d in %d", increment, counter)
                        .isEqualTo(counter >= increment && sums[counter - increment]);
            }
        }
    }

    /** Table 6 has 10.4, 17 and 24: a little more than the best number of probes takes. */
    @ParameterizedTest
    @CsvSource({"0.01, 10.4", "0.001, 17", "0.0001, 24"})
    void balancedBlocksTakeThePapersBits(double fpp, double paper) {
        double bits =
                BalancedBloomMath.BLOCK_BITS / BalancedBloomMath.keysPerBlock(fpp, BalancedBloomMath.USUAL_OVERFLOW);
        assertThat(bits).isCloseTo(paper, within(0.045 * paper));
    }

    @Test
    void theThresholdKeepsTheListShort() {
        for (double keys : new double[] {5, 10, 25, 60}) {
            int threshold = BalancedBloomMath.threshold(keys, 0.0049);
            assertThat(BalancedBloomMath.overflow(keys, threshold)).isLessThanOrEqualTo(0.0049);
            assertThat(BalancedBloomMath.overflow(keys, threshold - 1)).isGreaterThan(0.0049);
        }
    }
}
