package dev.besom.quotient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.Filters;
import dev.besom.InsertableFilter;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What inserts cost when a table fills up. Prints what it measures. */
class InsertTimeTest {

    private static final int KEYS = (int) (0.95 * (1 << 20));
    private static final int ROUNDS = 9;
    private static final double MOST = 4;

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(strings = {"quotient", "telescoping", "telescoping-compact", "extension"})
    void theLastHundredthUpToLoad95TakesAtMostFourTimesTheAverage(String kind) {
        long[] keys = new SplittableRandom(0x95).longs(KEYS).toArray();
        int last = KEYS / 100;
        double leastOfAll = Double.MAX_VALUE;
        double leastOfLast = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            FilterSpec spec = FilterSpec.of(KEYS, 0.01).with("load", "0.95").with("remainderBits", "8");
            InsertableFilter filter = (InsertableFilter) Filters.kind(kind).make(spec, new ArrayHashes(new long[0]));
            double first = nanosToInsert(filter, keys, 0, KEYS - last);
            double rest = nanosToInsert(filter, keys, KEYS - last, KEYS);
            leastOfAll = Math.min(leastOfAll, (first + rest) / KEYS);
            leastOfLast = Math.min(leastOfLast, rest / last);
        }
        System.out.printf("%s: %.0f ns an insert, %.0f ns in the last hundredth%n", kind, leastOfAll, leastOfLast);
        assertThat(leastOfLast / leastOfAll).isLessThan(MOST);
    }

    private static double nanosToInsert(InsertableFilter filter, long[] keys, int from, int to) {
        long start = System.nanoTime();
        for (int i = from; i < to; i++) {
            filter.insert(keys[i]);
        }
        return System.nanoTime() - start;
    }
}
