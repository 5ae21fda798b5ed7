package dev.besom.filters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.Adaptation;
import dev.besom.AdaptiveFilter;
import dev.besom.FilterSpec;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import dev.besom.stored.MemoryHashes;
import dev.besom.testsupport.Images;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Deletes of hashes that were never put in, while keys are in the filter and not in the store yet. Many of these hashes look
 * like a key in flight.
 */
class AbsentDeletesTest {

    private static final int STORED = 1_500;
    private static final double FPP = 1 / 16.0;
    private static final int DELETES = 20_000;

    private final SplittableRandom random = new SplittableRandom(20261117);
    private final MemoryHashes stored = new MemoryHashes();
    private final List<Long> keys = new ArrayList<>();
    private final List<Long> inFlight = new ArrayList<>();

    static Stream<Arguments> points() {
        return Filters.kinds().stream()
                .filter(Kind::isAdaptive)
                .flatMap(kind -> Stream.of(10, 1_500)
                        .flatMap(flying -> Stream.of(false, true).map(isRead -> Arguments.of(kind, flying, isRead))));
    }

    private AdaptiveFilter filled(Kind kind, int flying) {
        AdaptiveFilter filter =
                (AdaptiveFilter) kind.make(FilterSpec.of(STORED + flying, FPP).withSeed(flying), stored);
        for (int i = 0; i < STORED; i++) {
            long key = random.nextLong();
            filter.insertHash(key);
            stored.add(key);
            keys.add(key);
        }
        for (int i = 0; i < flying; i++) {
            long key = random.nextLong();
            filter.insertHash(key);
            inFlight.add(key);
        }
        return filter;
    }

    private long falsePositive(AdaptiveFilter filter) {
        long query = random.nextLong();
        while (!filter.mightContainHash(query)) {
            query = random.nextLong();
        }
        return query;
    }

    @ParameterizedTest
    @MethodSource("points")
    void whatWasNeverPutInIsNotDeletedHoweverManyKeysAreInFlight(Kind kind, int flying, boolean isRead) {
        AdaptiveFilter filter = filled(kind, flying);
        if (isRead) {
            filter = (AdaptiveFilter) kind.read(Images.copy(((PersistentFilter) filter).image()), stored);
        }
        for (int i = 0; i < DELETES; i++) {
            assertThat(filter.deleteHash(falsePositive(filter)))
                    .as("delete %d of a hash that was never put in", i)
                    .isFalse();
        }
        assertThat(keys).as("stored keys").allMatch(filter::mightContainHash);
        assertThat(inFlight).as("keys in flight").allMatch(filter::mightContainHash);
        assertThat(filter.count()).isEqualTo(STORED + flying);
        arriveAndLeave(filter);
    }

    static Stream<Arguments> kinds() {
        return Filters.kinds().stream()
                .filter(Kind::isAdaptive)
                .flatMap(kind -> Stream.of(false, true).map(isRead -> Arguments.of(kind, isRead)));
    }

    /** A key that is stored and comes once more has two entries, and the store shows one. */
    @ParameterizedTest
    @MethodSource("kinds")
    void aSecondCopyInFlightIsNotDeletedForALookAlike(Kind kind, boolean isRead) {
        int repeated = 300;
        AdaptiveFilter filter =
                (AdaptiveFilter) kind.make(FilterSpec.of(STORED + repeated, FPP).withSeed(5), stored);
        for (int i = 0; i < STORED; i++) {
            keys.add(random.nextLong());
            filter.insertHash(keys.get(i));
            stored.add(keys.get(i));
        }
        for (int i = 0; i < repeated; i++) {
            filter.insertHash(keys.get(i));
        }
        if (isRead) {
            filter = (AdaptiveFilter) kind.read(Images.copy(((PersistentFilter) filter).image()), stored);
        }
        for (int i = 0; i < DELETES / 4; i++) {
            assertThat(filter.deleteHash(falsePositive(filter)))
                    .as("delete %d of a hash that was never put in", i)
                    .isFalse();
        }
        assertThat(filter.count()).isEqualTo(STORED + repeated);
        for (int i = 0; i < repeated; i++) {
            assertThat(filter.deleteHash(keys.get(i))).isTrue();
        }
        assertThat(keys).as("stored keys").allMatch(filter::mightContainHash);
        assertThat(filter.count()).isEqualTo(STORED);
    }

    /** After all that every key can be stored, repaired around, and deleted. */
    private void arriveAndLeave(AdaptiveFilter filter) {
        inFlight.forEach(stored::add);
        keys.addAll(inFlight);
        int separable = 0;
        for (int i = 0; i < 50; i++) {
            separable += filter.repairHash(falsePositive(filter)) == Adaptation.INSEPARABLE ? 0 : 1;
        }
        assertThat(separable).as("repairs of 50 that can be made").isGreaterThan(45);
        int left = 0;
        for (long key : keys) {
            stored.remove(key);
            left += filter.deleteHash(key) ? 1 : 0;
        }
        // Few deletes wait for others and are made by those.
        assertThat(left).isGreaterThan(keys.size() * 95 / 100);
        assertThat(filter.count()).isZero();
    }
}
