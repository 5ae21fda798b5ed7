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
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Every index scheme at every size gives the rate of its fill. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class BloomRatesTest {

    private static final int TRIALS = 1_000_000;

    @Test
    void everySchemeGivesTheRateOfItsFillInLargeFilters() {
        for (IndexScheme scheme : IndexScheme.values()) {
            for (int probes : new int[] {1, 3, 6, 7, 12}) {
                assertRateOfFill(scheme, probes, 200_000, 0);
            }
        }
    }

    /**
     * In a small filter the arithmetic schemes can draw fewer patterns than there are, and a key's probes are not
     * independent: a fresh key meets a stored one as a whole. The schoolbook's scheme has no such excess.
     */
    @Test
    void everySchemeGivesTheRateOfItsFillInSmallFilters() {
        for (int probes : new int[] {1, 3, 6}) {
            assertRateOfFill(IndexScheme.SLICES, probes, 300, 0);
            assertRateOfFill(IndexScheme.LINES, probes, 300, 0);
            assertRateOfFill(IndexScheme.ENHANCED_DOUBLE, probes, 300, 0.15);
            assertRateOfFill(IndexScheme.TRIPLE, probes, 300, 0.15);
            assertRateOfFill(IndexScheme.DOUBLE, probes, 300, 0.3);
        }
    }

    private static void assertRateOfFill(IndexScheme scheme, int probes, int keys, double slack) {
        long seed = Seeds.of(701, scheme.label().hashCode(), probes, keys);
        // Half full.
        long bits = (long) (keys * probes / Math.log(2));
        BloomFilter filter = Filters.makeHashFilter(
                "bloom",
                FilterSpec.of(keys, 0.5)
                        .withSeed(seed)
                        .with("bits", Long.toString(bits))
                        .with("probes", Integer.toString(probes))
                        .with("scheme", scheme.label()),
                StoredHashes.none(),
                BloomFilter.class);
        Measured.fill(filter, seed, keys);
        Measured.assertAllFound(filter, seed, keys);
        long maybes = Measured.countMaybes(filter, HashStream.fresh(seed), TRIALS);
        try {
            Rates.assertRate(seed, maybes, TRIALS, filter.expectedFpp(), slack);
        } catch (AssertionError e) {
            throw new AssertionError(scheme + ", " + probes + " probes, " + keys + " keys: " + e.getMessage(), e);
        }
    }

    /** The largest filter in which 32 bits choose a word and a bit: fewer to choose from would favour some bits. */
    @Test
    void bitsAreEvenlySpreadInTheLargestFilterThatDrawsTwoProbesFromAStep() {
        long seed = Seeds.of(703);
        long keys = 13_900_000;
        BloomFilter filter = Filters.makeHashFilter(
                "bloom",
                FilterSpec.of(keys, 0.01)
                        .withSeed(seed)
                        .with("bits", Long.toString(1L << 27))
                        .with("scheme", "enhanced-double")
                        .with("probes", "6"),
                StoredHashes.none(),
                BloomFilter.class);
        Measured.fill(filter, seed, keys);
        int trials = 4_000_000;
        Rates.assertRate(
                seed, Measured.countMaybes(filter, HashStream.fresh(seed), trials), trials, filter.expectedFpp());
    }

    /** Far above the size up to which 32 bits of a fraction choose a word. */
    @Test
    void indexesAreEvenlySpreadWhereTheyNeedMoreThan32Bits() {
        long seed = Seeds.of(702);
        long keys = 4_000_000;
        BloomFilter filter = Filters.makeHashFilter(
                "bloom",
                FilterSpec.of(keys, 0.01)
                        .withSeed(seed)
                        .with("bits", Long.toString((1L << 30) + 64))
                        .with("scheme", "enhanced-double")
                        .with("probes", "2"),
                StoredHashes.none(),
                BloomFilter.class);
        Measured.fill(filter, seed, keys);
        Measured.assertAllFound(filter, seed, 500_000);
        // Of 2 * 4,000,000 balls in 2^30 urns, how many fell into an urn with another.
        double expected = 2 * keys - BloomMath.fill(filter.sizeInBits(), keys, 2) * filter.sizeInBits();
        double found = 2 * keys - Math.sqrt(filter.expectedFpp()) * filter.sizeInBits();
        double bound = 6.5 * Math.sqrt(expected);
        assertThat(found).isBetween(expected - bound, expected + bound);
        Rates.assertRate(
                seed,
                Measured.countMaybes(filter, HashStream.fresh(seed), 2 * TRIALS),
                2 * TRIALS,
                filter.expectedFpp());
    }

    /** 1.2 GB of memory; 9.6 * 10^9 bits, more than 2^33. */
    @Test
    @Tag("thorough")
    void aBillionKeysGetTheRateTheyWereAskedFor() {
        long seed = Seeds.of(703);
        long keys = 1_000_000_000;
        BloomFilter filter = Filters.makeHashFilter(
                "bloom", FilterSpec.of(keys, 0.01).withSeed(seed), StoredHashes.none(), BloomFilter.class);
        assertThat(filter.sizeInBits()).isGreaterThan(1L << 33);
        Measured.fill(filter, seed, keys);
        Measured.assertAllFound(filter, seed, 20_000_000);
        long trials = 20_000_000;
        long maybes = Measured.countMaybes(filter, HashStream.fresh(seed), trials);
        System.out.println(
                "besom: 10^9 keys at 1 %: measured " + (double) maybes / trials + ", expected " + filter.expectedFpp());
        Rates.assertRate(seed, maybes, trials, filter.expectedFpp());
        Rates.assertRate(seed, maybes, trials, 0.01, 1e-4);
    }
}
