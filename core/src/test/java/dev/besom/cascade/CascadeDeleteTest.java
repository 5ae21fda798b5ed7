package dev.besom.cascade;

import static dev.besom.cascade.CascadeModel.statistics;
import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.Adaptation;
import dev.besom.AdaptiveFilter;
import dev.besom.FilterSpec;
import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import dev.besom.stored.MemoryHashes;
import dev.besom.testsupport.Images;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Deletes while the filter and its store are not in step. */
class CascadeDeleteTest {

    private static final int KEYS = 2_000;
    private static final int PENDING = 50;
    private static final double FPP = 1 / 32.0;

    private final SplittableRandom random = new SplittableRandom(20260101);
    private final MemoryHashes stored = new MemoryHashes();
    private final List<Long> keys = new ArrayList<>();
    private final List<Long> pending = new ArrayList<>();

    private static Kind kind(String name) {
        return Filters.kind(name.equals("adaptive-bloom") ? name : "cascade");
    }

    private AdaptiveFilter make(String name) {
        FilterSpec spec = FilterSpec.of(KEYS + PENDING, FPP);
        return (AdaptiveFilter)
                kind(name).make(name.equals("adaptive-bloom") ? spec : spec.with("inner", name), stored);
    }

    /** A filter with keys that are stored, of the first generation of hash functions or a later one. */
    private AdaptiveFilter filled(String name, boolean isLater) {
        AdaptiveFilter filter = make(name);
        for (int i = 0; i < KEYS; i++) {
            long key = random.nextLong();
            keys.add(key);
            filter.insertHash(key);
            stored.add(key);
        }
        if (isLater) {
            while (filter.repairHash(falsePositive(filter)) != Adaptation.FORGOT) {
                assertThat(statistics(filter).generation()).isZero();
            }
        }
        return filter;
    }

    private void insertPending(AdaptiveFilter filter) {
        for (int i = 0; i < PENDING; i++) {
            pending.add(random.nextLong());
            filter.insertHash(pending.get(i));
        }
    }

    private AdaptiveFilter saveAndLoad(AdaptiveFilter filter, String name) {
        return (AdaptiveFilter) kind(name).read(Images.copy(((PersistentFilter) filter).image()), stored);
    }

    private long falsePositive(AdaptiveFilter filter) {
        long query = random.nextLong();
        while (!filter.mightContainHash(query)) {
            query = random.nextLong();
        }
        return query;
    }

    private void assertNothingLost(AdaptiveFilter filter) {
        assertThat(keys).as("stored keys").allMatch(filter::mightContainHash);
        assertThat(pending).as("keys in flight").allMatch(filter::mightContainHash);
        assertThat(filter.count()).isEqualTo(keys.size() + pending.size());
    }

    @ParameterizedTest
    @CsvSource({
        "adaptive-bloom, false, false",
        "adaptive-bloom, false, true",
        "adaptive-bloom, true, false",
        "adaptive-bloom, true, true",
        "quotient, false, false",
        "quotient, false, true",
        "quotient, true, false",
        "quotient, true, true",
        "tinyset, false, false",
        "tinyset, false, true",
        "tinyset, true, false",
        "tinyset, true, true"
    })
    void absentKeysAreNotDeletedWhileInsertsAreInFlight(String name, boolean isLater, boolean isRead) {
        AdaptiveFilter filter = filled(name, isLater);
        insertPending(filter);
        if (isRead) {
            filter = saveAndLoad(filter, name);
        }
        for (int i = 0; i < 2_000; i++) {
            assertThat(filter.deleteHash(falsePositive(filter)))
                    .as("delete %d of a hash that was never put in", i)
                    .isFalse();
        }
        assertNothingLost(filter);
    }

    @ParameterizedTest
    @CsvSource({
        "adaptive-bloom, false, false",
        "adaptive-bloom, false, true",
        "quotient, false, false",
        "quotient, false, true",
        "quotient, true, false",
        "quotient, true, true",
        "tinyset, false, false",
        "tinyset, false, true",
        "tinyset, true, false",
        "tinyset, true, true"
    })
    void whoLeavesWhileOthersComeAndGoIsDeleted(String name, boolean isLater, boolean isRead) {
        AdaptiveFilter filter = filled(name, isLater);
        insertPending(filter);
        if (isRead) {
            filter = saveAndLoad(filter, name);
        }
        List<Long> leaving = new ArrayList<>(keys.subList(0, 300));
        keys.removeAll(leaving);
        leaving.forEach(stored::remove);
        for (int i = 0; i < leaving.size(); i++) {
            if (i % 10 == 0) {
                // An insert that failed is taken back.
                assertThat(filter.deleteHash(pending.remove(pending.size() - 1)))
                        .as("key in flight")
                        .isTrue();
            }
            assertThat(filter.deleteHash(leaving.get(i)))
                    .as("key %d that the store gave up", i)
                    .isTrue();
        }
        assertNothingLost(filter);
        pending.forEach(stored::add);
        keys.addAll(pending);
        pending.clear();
        assertThat(filter.repairHash(falsePositive(filter))).isNotEqualTo(Adaptation.INSEPARABLE);
        assertNothingLost(filter);
    }

    @ParameterizedTest
    @ValueSource(strings = {"quotient", "tinyset"})
    void absentKeysAreNotDeletedWhileDeletesAreInFlight(String name) {
        AdaptiveFilter filter = filled(name, false);
        List<Long> leaving = new ArrayList<>(keys.subList(0, 20));
        keys.removeAll(leaving);
        leaving.forEach(stored::remove);
        int accepted = 0;
        for (int i = 0; i < 2_000; i++) {
            accepted += filter.deleteHash(falsePositive(filter)) ? 1 : 0;
        }
        // Only what a key has left behind that nobody has any more can be taken for another's.
        assertThat(accepted).isLessThanOrEqualTo(leaving.size());
        assertThat(keys).allMatch(filter::mightContainHash);
        leaving.forEach(filter::deleteHash);
        assertThat(filter.count()).isEqualTo(keys.size());
    }
}
