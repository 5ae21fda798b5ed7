package dev.besom.quotient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.AdaptationStatistics;
import dev.besom.FilterSpec;
import dev.besom.filters.Filters;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What repairs read from the store, and that they write nothing to it. */
class RepairCostTest {

    private static final int KEYS = 1_000;

    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "telescoping-plain", "telescoping-compact", "extension"})
    void aRepairReadsOneRangeAndOneMoreForEachTimeThatTagsAreGivenUp(String kind) {
        SortedHashes stored = new SortedHashes();
        SplittableRandom random = new SplittableRandom(20210908);
        TaggedFilter filter = Filters.makeHashFilter(kind, FilterSpec.of(KEYS, 1 / 32.0), stored, TaggedFilter.class);
        for (long key : random.longs(KEYS).toArray()) {
            stored.add(key);
            filter.insertHash(key);
        }
        assertThat(filter.adaptationStatistics()).isEqualTo(new AdaptationStatistics(0, 0, 0, 0));
        AdaptationStatistics before = filter.adaptationStatistics();
        while (before.repairs() < 2 * KEYS) {
            long query = random.nextLong();
            if (filter.mightContainHash(query)) {
                filter.repairHash(query);
                AdaptationStatistics after = filter.adaptationStatistics();
                assertThat(after.repairs() + after.inseparable() - before.repairs() - before.inseparable())
                        .isEqualTo(1);
                boolean forgot = after.forgot() > before.forgot() || after.inseparable() > before.inseparable();
                assertThat(after.rangeReads() - before.rangeReads()).isBetween(1L, forgot ? 5L : 1L);
                before = after;
            }
        }
        assertThat(before.movedKeys()).isZero();
        assertThat(before.storeWrites()).isZero();
    }
}
