package dev.besom.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PowerSumsTest {

    @Test
    void sumsAreThoseOfAddingOneByOne() {
        for (double exponent : new double[] {0, 0.6, 1, 1.1, 2}) {
            for (long[] ranks : new long[][] {{1, 1}, {1, 100}, {1, 1_000_000}, {1_999, 2_001}, {5_000, 700_000}}) {
                double sum = 0;
                for (long rank = ranks[1]; rank >= ranks[0]; rank--) {
                    sum += Math.pow((double) rank, -exponent);
                }
                assertThat(PowerSums.sum(ranks[0], ranks[1], exponent))
                        .as("exponent %s, ranks %d to %d", exponent, ranks[0], ranks[1])
                        .isCloseTo(sum, within(1e-7 * sum));
            }
        }
    }

    @Test
    void noRanksSumToNothing() {
        assertThat(PowerSums.sum(5, 4, 1)).isZero();
    }
}
