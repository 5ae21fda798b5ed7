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

/** However far it grows, all layers together stay below the rate asked for. */
@Tag("slow")
class ScalableBloomRatesTest {

    private static final int TRIALS = 300_000;

    @Test
    void theTotalRateStaysBelowTheOneAskedForWhileItGrowsSixtyFourfold() {
        for (double fpp : new double[] {0.5, 0.05, 0.01}) {
            long seed = Seeds.of(731, Double.doubleToRawLongBits(fpp));
            int capacity = 10_000;
            ScalableBloomFilter filter = Filters.makeHashFilter(
                    "scalable-bloom",
                    FilterSpec.of(capacity, fpp).withSeed(seed),
                    StoredHashes.none(),
                    ScalableBloomFilter.class);
            HashStream stream = HashStream.stored(seed);
            long inserted = 0;
            double before = 0;
            for (int growth = 1; growth <= 64; growth *= 2) {
                while (inserted < (long) growth * capacity) {
                    filter.insertHash(stream.next());
                    inserted++;
                }
                Rates.assertRateAtMost(
                        seed, Measured.countMaybes(filter, HashStream.fresh(seed), TRIALS), TRIALS, 1.02 * fpp);
                assertThat(filter.expectedFpp()).isBetween(before, 1.02 * fpp);
                before = filter.expectedFpp();
            }
            Measured.assertAllFound(filter, seed, inserted);
            Rates.assertRate(
                    seed, Measured.countMaybes(filter, HashStream.fresh(seed), TRIALS), TRIALS, filter.expectedFpp());
            // Keys that looked present take no room.
            assertThat(filter.layerCount()).isBetween(fpp == 0.5 ? 5 : 6, 7);
        }
    }
}
