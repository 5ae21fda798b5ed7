package dev.besom.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZipfMathTest {

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 0.99, 1, 1.1, 2})
    void sumsAreThoseOverAllRanks(double exponent) {
        int keys = 200_000;
        double queries = 300_000;
        double harmonic = 0;
        for (int rank = keys; rank >= 1; rank--) {
            harmonic += Math.pow(rank, -exponent);
        }
        double distinct = 0;
        for (int rank = keys; rank >= 1; rank--) {
            distinct += -Math.expm1(-queries * Math.pow(rank, -exponent) / harmonic);
        }

        assertThat(ZipfMath.harmonic(keys, exponent)).isCloseTo(harmonic, withinPercentage(1e-4));
        assertThat(ZipfMath.expectedDistinct(keys, exponent, queries)).isCloseTo(distinct, withinPercentage(1e-4));
        assertThat(ZipfMath.hottestShare(keys, exponent)).isCloseTo(1 / harmonic, withinPercentage(1e-4));
    }

    @Test
    void noMoreKeysAreAskedForThanThereAreQueriesOrKeys() {
        assertThat(ZipfMath.expectedDistinct(1000, 1.1, 0)).isZero();
        assertThat(ZipfMath.expectedDistinct(0, 1.1, 1000)).isZero();
        assertThat(ZipfMath.expectedDistinct(1, 1.1, 1e9)).isEqualTo(1, within(1e-9));
        assertThat(ZipfMath.expectedDistinct(1e12, 0, 1000)).isEqualTo(1000, within(0.01));
        assertThat(ZipfMath.expectedDistinct(500, 1.1, 1e12)).isEqualTo(500, within(1e-6));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 1, 1.5, 3})
    void countsThatFollowTheLawGiveItsExponentBack(double exponent) {
        int keys = 5000;
        double total = 0;
        double logRanks = 0;
        for (int rank = 1; rank <= keys; rank++) {
            double count = 1e6 * Math.pow(rank, -exponent);
            total += count;
            logRanks += count * Math.log(rank);
        }
        assertThat(ZipfMath.exponent(keys, total, logRanks)).isCloseTo(exponent, within(0.001));
    }

    @Test
    void aSingleKeyHasNoSkewThatCouldBeTold() {
        assertThat(ZipfMath.exponent(1, 10, 0)).isBetween(0.0, ZipfMath.MAX_EXPONENT);
    }
}
