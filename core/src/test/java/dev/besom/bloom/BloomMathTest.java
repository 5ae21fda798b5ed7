package dev.besom.bloom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.besom.math.Entropy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BloomMathTest {

    @Test
    void bitsPerKeyAgreesWithKnownValues() {
        // k / -ln(1 - fpp^(1/k)), to 40 digits and rounded
        assertThat(BloomMath.bitsPerKey(0.01, 7)).isCloseTo(9.5929547170831, within(1e-12));
        assertThat(BloomMath.bitsPerKey(0.01, 6)).isCloseTo(9.616654722186215, within(1e-12));
        assertThat(BloomMath.bitsPerKey(0.001, 10)).isCloseTo(14.37763933861949, within(1e-12));
        assertThat(BloomMath.bitsPerKey(0.5, 1)).isCloseTo(1 / Math.log(2), within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({"0.5, 1", "0.25, 2", "0.1, 3", "0.01, 7", "0.001, 10", "1e-4, 13", "1e-6, 20", "5e-20, 64"})
    void theSmallestFilterHasTheTextbooksProbes(double fpp, int probes) {
        assertThat(BloomMath.probesForLeastSpace(fpp)).isEqualTo(probes);
        assertThat(BloomMath.bitsPerKey(fpp, probes))
                .isBetween(Entropy.bitsPerKey(fpp) / Math.log(2), 1.02 * Entropy.bitsPerKey(fpp) / Math.log(2));
    }

    @Test
    void noOtherNumberOfProbesTakesLessSpace() {
        for (double fpp = 0.9; fpp > 1e-19; fpp *= 0.7) {
            double least = BloomMath.bitsPerKey(fpp, BloomMath.probesForLeastSpace(fpp));
            for (int probes = 1; probes <= BloomMath.MAX_PROBES; probes++) {
                assertThat(BloomMath.bitsPerKey(fpp, probes))
                        .as("%g, %d probes", fpp, probes)
                        .isGreaterThanOrEqualTo(least);
            }
        }
    }

    @Test
    void ratesTooLowForTheMostProbesStillUseAllOfThem() {
        for (double fpp : new double[] {4e-20, 1e-20, 1e-30, 1e-100, Double.MIN_NORMAL}) {
            assertThat(BloomMath.probesForLeastSpace(fpp)).as("%g", fpp).isEqualTo(BloomMath.MAX_PROBES);
        }
        assertThat(BloomMath.bitsPerKey(1e-30, BloomMath.fewProbes(1e-30))).isLessThan(200);
    }

    @Test
    void fewProbesCostAtMostOnePercentAndOneFewerWouldCostMore() {
        for (double fpp = 0.99; fpp > 1e-25; fpp *= 0.8) {
            int few = BloomMath.fewProbes(fpp);
            double least = BloomMath.bitsPerKey(fpp, BloomMath.probesForLeastSpace(fpp));
            assertThat(BloomMath.bitsPerKey(fpp, few)).as("%g", fpp).isLessThanOrEqualTo(1.01 * least);
            if (few > 1) {
                assertThat(BloomMath.bitsPerKey(fpp, few - 1)).as("%g", fpp).isGreaterThan(1.01 * least);
            }
        }
        assertThat(BloomMath.fewProbes(0.01)).isEqualTo(6);
    }

    @Test
    void theBitsForARateGiveThatRate() {
        for (double fpp : new double[] {0.3, 0.01, 1e-3, 1e-6}) {
            for (int probes = 1; probes <= 20; probes++) {
                long bits = BloomMath.bits(1_000_000, fpp, probes);
                assertThat(BloomMath.fpp(bits, 1_000_000, probes)).isCloseTo(fpp, within(1e-4 * fpp));
            }
        }
        assertThat(BloomMath.bits(1, 0.9999, 1)).isEqualTo(1);
        assertThat(BloomMath.bits(Long.MAX_VALUE, 0.01, 6)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void theProbesForASizeHaveTheLowestRate() {
        for (long bits : new long[] {64, 1_000, 9_600, 30_000}) {
            double best = BloomMath.fpp(bits, 1000, BloomMath.bestProbes(bits, 1000));
            for (int probes = 1; probes <= BloomMath.MAX_PROBES; probes++) {
                assertThat(BloomMath.fpp(bits, 1000, probes)).isGreaterThanOrEqualTo(best);
            }
        }
        assertThat(BloomMath.bestProbes(9_600, 1000)).isEqualTo(7);
        assertThat(BloomMath.bestProbes(1, 1000)).isEqualTo(1);
    }

    @Test
    void fillIsTheShareOfBitsThatSomeProbeMet() {
        assertThat(BloomMath.fill(4, 1, 1)).isCloseTo(0.25, within(1e-15));
        assertThat(BloomMath.fill(4, 1, 2)).isCloseTo(1 - 0.75 * 0.75, within(1e-15));
        assertThat(BloomMath.fill(1, 1, 1)).isEqualTo(1);
        // Where (1 - 1/m)^(kn) by powers would have lost its digits.
        assertThat(BloomMath.fill(1L << 50, 1, 1)).isCloseTo(Math.scalb(1.0, -50), within(1e-30));
    }

    @ParameterizedTest
    @CsvSource({"64, 10, 2", "100000, 7000, 7", "100000, 100, 3", "10000000000, 1000000000, 6"})
    void keysFromFillIsTheInverseOfFill(long bits, long keys, int probes) {
        long setBits = Math.round(bits * BloomMath.fill(bits, keys, probes));
        double oneBit =
                BloomMath.keysFromFill(bits, setBits + 1, probes) - BloomMath.keysFromFill(bits, setBits, probes);
        assertThat(BloomMath.keysFromFill(bits, setBits, probes))
                .isCloseTo((double) keys, within(oneBit + 1e-9 * keys));
        assertThat(BloomMath.keysFromFill(bits, 0, probes)).isZero();
        assertThat(BloomMath.keysFromFill(bits, bits, probes)).isInfinite();
    }
}
