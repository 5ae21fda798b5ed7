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

/** False negatives after removals are as frequent as predicted, and no more frequent than was asked for. */
@Tag("slow")
class CompositeBloomRatesTest {

    private static final int KEYS = 400_000;

    @Test
    void falseNegativesComeAtThePredictedRate() {
        for (double rate : new double[] {0.4, 0.1, 0.01, 0.001}) {
            for (double share : new double[] {0.5, 1}) {
                assertFalseNegatives(rate, share);
            }
        }
    }

    @Test
    void keysThatReplaceOthersKeepTheRate() {
        int capacity = 50_000;
        for (double share : new double[] {0.1, 1}) {
            long removals = (long) (capacity * share);
            long seed = Seeds.of(722, removals);
            CompositeBloomFilter filter = Filters.makeHashFilter(
                    "composite-bloom",
                    FilterSpec.of(capacity, 0.01).withSeed(seed).with("removals", Long.toString(removals)),
                    StoredHashes.none(),
                    CompositeBloomFilter.class);
            Measured.fill(filter, seed, capacity);
            HashStream leaving = HashStream.stored(seed);
            HashStream coming = HashStream.stored(seed + 1);
            while (filter.removedCount() < removals) {
                filter.removeHash(leaving.next());
                filter.insertHash(coming.next());
            }
            int trials = 1_000_000;
            long maybes = Measured.countMaybes(filter, HashStream.fresh(seed), trials);
            Rates.assertRate(seed, maybes, trials, filter.expectedFpp());
            Rates.assertRateAtMost(seed, maybes, trials, 1.01 * 0.01);
        }
    }

    private static void assertFalseNegatives(double rate, double share) {
        int planned = 50_000;
        int removals = (int) (planned * share);
        long seed = Seeds.of(721, Double.doubleToRawLongBits(rate), removals);
        CompositeBloomFilter filter = Filters.makeHashFilter(
                "composite-bloom",
                FilterSpec.of(KEYS, 0.01)
                        .withSeed(seed)
                        .with("removals", Integer.toString(planned))
                        .with("falseNegativeRate", Double.toString(rate)),
                StoredHashes.none(),
                CompositeBloomFilter.class);
        Measured.fill(filter, seed, KEYS);
        Measured.assertAllFound(filter, seed, KEYS);
        HashStream stream = HashStream.stored(seed);
        while (filter.removedCount() < removals) {
            long hash = stream.next();
            filter.removeHash(hash);
            assertThat(filter.mightContainHash(hash)).isFalse();
        }
        // The keys that are left have met nothing but chance.
        int left = 300_000;
        long lost = left - Measured.countMaybes(filter, stream, left);
        Rates.assertRate(seed, lost, left, filter.expectedFalseNegativeRate());
        Rates.assertRateAtMost(seed, lost, left, 1.01 * rate);
        assertThat(filter.expectedFalseNegativeRate()).isLessThan(1.01 * rate);
        Rates.assertRate(
                seed, Measured.countMaybes(filter, HashStream.fresh(seed), 1_000_000), 1_000_000, filter.expectedFpp());
    }
}
