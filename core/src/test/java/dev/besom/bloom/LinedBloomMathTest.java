package dev.besom.bloom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.besom.FilterSpec;
import dev.besom.testkit.HashStream;
import dev.besom.testkit.Rates;
import dev.besom.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinedBloomMathTest {

    private static final double[] RATES = {0.9, 0.5, 0.3, 0.1, 0.01, 1.0 / 256, 1e-3, 1e-6, 1e-12};

    @Test
    void bitsInLinesTakeLittleMoreThanBitsAnywhere() {
        for (double fpp : RATES) {
            int probes = BloomMath.fewProbes(fpp);
            assertThat(LinedBloomMath.bitsPerKey(fpp, probes) / BloomMath.bitsPerKey(fpp, probes))
                    .as("%g", fpp)
                    .isBetween(1 - 1e-12, 1.03);
        }
        assertThat(LinedBloomMath.bitsPerKey(0.01, 6)).isCloseTo(9.732, within(0.001));
        assertThat(LinedBloomMath.bitsPerKey(0.01, 1)).isCloseTo(BloomMath.bitsPerKey(0.01, 1), within(1e-9));
    }

    @Test
    void theBitsForARateGiveThatRate() {
        for (double fpp : RATES) {
            for (int probes = 1; probes <= BloomMath.MAX_PROBES; probes++) {
                double bitsPerKey = LinedBloomMath.bitsPerKey(fpp, probes);
                if (bitsPerKey < 1e6) {
                    assertThat(LinedBloomMath.fpp(bitsPerKey, probes))
                            .as("%g, %d probes", fpp, probes)
                            .isCloseTo(fpp, within(1e-6 * fpp));
                }
            }
        }
    }

    @Test
    void sizesAreWholeLinesWhateverTheKeysAndTheRate() {
        for (long keys : new long[] {1, 2, 1000, 123_456_789, Long.MAX_VALUE}) {
            for (double fpp : new double[] {Math.nextDown(1.0), 0.5, 0.01, 1e-19, Double.MIN_NORMAL}) {
                for (int probes : new int[] {1, 3, BloomMath.fewProbes(fpp), 64}) {
                    long bits = LinedBloomMath.bits(keys, fpp, probes);
                    assertThat(bits).isGreaterThanOrEqualTo(512);
                    assertThat(bits % 512 == 0 || bits == Long.MAX_VALUE).isTrue();
                }
            }
        }
    }

    /** Of the mean over filters: one filter of many keys differs from it by far less than the bounds. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 8, 9})
    void filtersHaveTheRateOfTheFormula(int probes) {
        long seed = Seeds.of(711, probes);
        int keys = 300_000;
        BloomFilter filter = BloomFilter.make(
                FilterSpec.of(keys, Math.scalb(1.0, -probes)).withSeed(seed).with("probes", Integer.toString(probes)));
        Measured.fill(filter, seed, keys);
        double predicted = LinedBloomMath.fpp(filter.sizeInBits() / (double) keys, probes);
        assertThat(filter.expectedFpp() / predicted).isBetween(0.99, 1.01);
        int trials = 1_000_000;
        Rates.assertRate(
                seed, Measured.countMaybes(filter, HashStream.fresh(seed), trials), trials, filter.expectedFpp());
    }

    @Test
    void keysAreEstimatedFromTheFill() {
        int keys = 500_000;
        for (int probes : new int[] {1, 2, 3, 6, 7}) {
            long seed = Seeds.of(712, probes);
            BloomFilter filter =
                    BloomFilter.make(FilterSpec.of(keys, 0.01).withSeed(seed).with("probes", Integer.toString(probes)));
            Measured.fill(filter, seed, keys);
            // A standard deviation of the estimate is below 0.7 sqrt(m) / k, as for bits anywhere.
            double deviation = 0.7 * Math.sqrt((double) filter.sizeInBits()) / probes;
            assertThat(filter.estimatedCount())
                    .as("%d probes", probes)
                    .isCloseTo((double) keys, within(6.5 * deviation));
        }
    }

    /** Many groups of a key then fall into each line, or into the only one. */
    @ParameterizedTest
    @CsvSource({"512, 64, 10", "512, 62, 4", "512, 6, 50", "1024, 42, 20"})
    void keysAreEstimatedFromTheFillOfAFewLinesToo(long bits, int probes, int keys) {
        int filters = 2_000;
        double sum = 0;
        for (int i = 0; i < filters; i++) {
            long seed = Seeds.of(713, bits, probes, i);
            BloomFilter filter = BloomFilter.make(FilterSpec.of(keys, 0.01)
                    .withSeed(seed)
                    .with("bits", Long.toString(bits))
                    .with("probes", Integer.toString(probes)));
            Measured.fill(filter, seed, keys);
            sum += filter.estimatedCount();
        }
        // The mean of so many estimates deviates by less than a thousandth; that of the logarithm of a fill is a little
        // less
        // than the logarithm of the mean.
        assertThat(sum / filters / keys).isBetween(0.995, 1.015);
    }
}
