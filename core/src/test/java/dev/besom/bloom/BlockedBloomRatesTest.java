package dev.besom.bloom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.filters.Filters;
import dev.besom.testkit.HashStream;
import dev.besom.testkit.Rates;
import dev.besom.testkit.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rate asked for is the rate delivered, neither more nor, at a waste of space, less. */
@Tag("slow")
class BlockedBloomRatesTest {

    private static final int KEYS = 500_000;
    private static final int TRIALS = 2_000_000;

    /** A filter of so many blocks is filled as planned to within a percent; masks made in advance cost another. */
    private static final double SLACK = 0.02;

    @Test
    void theRateAskedForIsTheRateDelivered() {
        for (double fpp : new double[] {0.1, 0.03, 0.01, 0.001, 0.0001}) {
            assertDelivered(FilterSpec.of(KEYS, fpp), SLACK);
            assertDelivered(FilterSpec.of(KEYS, fpp).with("blockBits", "256"), SLACK);
        }
    }

    @Test
    void theRateAskedForIsTheRateDeliveredWithAnyGroupsAndBits() {
        for (String groups : new String[] {"2", "4"}) {
            for (String bits : new String[] {"1", "2", "3", "5"}) {
                FilterSpec spec =
                        FilterSpec.of(KEYS, 0.02).with("groups", groups).with("bitsPerGroup", bits);
                assertDelivered(spec, SLACK);
            }
        }
    }

    /** Numbers that nothing has scattered: filters take hashes, but a filter that is given others must not break down. */
    @Test
    void numbersInArithmeticProgressionKeepTheRateToo() {
        for (double fpp : new double[] {0.01, 0.001}) {
            for (long step : new long[] {1, 3, 1L << 20, (1L << 32) + 1, 1L << 36, 1L << 43}) {
                BlockedBloomFilter filter = Filters.makeHashFilter(
                        "blocked-bloom", FilterSpec.of(KEYS, fpp), StoredHashes.none(), BlockedBloomFilter.class);
                for (long i = 0; i < KEYS; i++) {
                    filter.insertHash(i * step);
                }
                long maybes = 0;
                for (long i = KEYS; i < 3 * KEYS; i++) {
                    maybes += filter.mightContainHash(i * step) ? 1 : 0;
                }
                assertThat(maybes / (2.0 * KEYS))
                        .as("rate %s, steps of %d", fpp, step)
                        .isLessThan(1.5 * fpp);
            }
        }
    }

    private static void assertDelivered(FilterSpec spec, double slack) {
        long seed = Seeds.of(
                711, Double.doubleToRawLongBits(spec.fpp()), spec.options().hashCode());
        BlockedBloomFilter filter = Filters.makeHashFilter(
                "blocked-bloom", spec.withSeed(seed), StoredHashes.none(), BlockedBloomFilter.class);
        Measured.fill(filter, seed, KEYS);
        Measured.assertAllFound(filter, seed, KEYS);
        long maybes = Measured.countMaybes(filter, HashStream.fresh(seed), TRIALS);
        try {
            Rates.assertRate(seed, maybes, TRIALS, spec.fpp(), slack);
            Rates.assertRate(seed, maybes, TRIALS, filter.expectedFpp(), slack);
        } catch (AssertionError e) {
            throw new AssertionError(spec + ": " + e.getMessage(), e);
        }
        assertThat(filter.expectedFpp()).as("%s", spec).isBetween(0.97 * spec.fpp(), 1.03 * spec.fpp());
    }
}
