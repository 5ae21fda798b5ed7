package dev.besom.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ZipfMathTest {

    @Test
    void theBucketsGiveTheExactSum() {
        for (double exponent : new double[] {0, 0.5, 1, 1.5, 3}) {
            for (int keys : new int[] {1, 2, 255, 256, 257, 300, 10_000, 200_000}) {
                for (double draws : new double[] {1, 100, 1e5, 1e8}) {
                    double exact = exact(keys, exponent, draws);
                    assertThat(ZipfMath.distinct(keys, exponent, draws))
                            .as("%s keys, exponent %s, %s draws", keys, exponent, draws)
                            .isCloseTo(exact, within(exact * 1e-3));
                }
            }
        }
    }

    @Test
    void oneDrawIsOneKeyAndNoDrawIsNone() {
        assertThat(ZipfMath.distinct(1000, 1.1, 1)).isCloseTo(1, within(1e-3));
        assertThat(ZipfMath.distinct(1000, 1.1, 0)).isZero();
        assertThat(ZipfMath.distinct(1, 1.1, 5)).isEqualTo(1);
    }

    private static double exact(int keys, double exponent, double draws) {
        double total = 0;
        for (int rank = 1; rank <= keys; rank++) {
            total += Math.pow(rank, -exponent);
        }
        double distinct = 0;
        for (int rank = 1; rank <= keys; rank++) {
            distinct += -Math.expm1(draws * Math.log1p(-Math.min(1, Math.pow(rank, -exponent) / total)));
        }
        return distinct;
    }
}
