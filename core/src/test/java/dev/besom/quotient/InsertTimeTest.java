package dev.besom.quotient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.StoredHashes;
import dev.besom.filters.Filters;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What inserts cost when a table fills up. Prints what it measures: of each hundredth the least time of several rounds,
 * so that what else the machine does is left out of the average as of the last.
 */
@Isolated
class InsertTimeTest {

    private static final int PARTS = 100;
    private static final int PART = (int) (0.95 * (1 << 20) / PARTS);
    private static final int KEYS = PARTS * PART;
    private static final int ROUNDS = 30;
    private static final double MOST = 4;

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(strings = {"quotient", "telescoping", "telescoping-compact", "extension"})
    void theLastHundredthUpToLoad95TakesAtMostFourTimesTheAverage(String kind) {
        long[] keys = new SplittableRandom(0x95).longs(KEYS).toArray();
        double[] least = new double[PARTS];
        Arrays.fill(least, Double.MAX_VALUE);
        for (int round = 0; round < ROUNDS; round++) {
            FilterSpec spec = FilterSpec.of(KEYS, 0.01).with("load", "0.95").with("remainderBits", "8");
            InsertableFilter filter = (InsertableFilter) Filters.kind(kind).make(spec, StoredHashes.none());
            for (int part = 0; part < PARTS; part++) {
                double nanos = nanosToInsert(filter, keys, part * PART, (part + 1) * PART);
                least[part] = Math.min(least[part], nanos / PART);
            }
        }
        double average = Arrays.stream(least).average().orElseThrow();
        double last = least[PARTS - 1];
        System.out.printf("%s: %.0f ns an insert, %.0f ns in the last hundredth%n", kind, average, last);
        assertThat(last / average).isLessThan(MOST);
    }

    private static double nanosToInsert(InsertableFilter filter, long[] keys, int from, int to) {
        long start = System.nanoTime();
        for (int i = from; i < to; i++) {
            filter.insertHash(keys[i]);
        }
        return System.nanoTime() - start;
    }
}
