package dev.besom.broom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.Adaptation;
import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.stored.MemoryHashes;
import dev.besom.stored.RehashableMemoryHashes;
import dev.besom.testsupport.Images;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Broom filters before stores that fail, and beside changes that filter and store have not both made. */
class BroomInFlightTest {

    private static final int KEYS = 400;

    private final SplittableRandom random = new SplittableRandom(20261117);

    private static BroomFilter empty(double fpp, StoredHashes stored) {
        return BroomFilter.make(FilterSpec.of(KEYS, fpp).withSeed(7), stored);
    }

    private long falsePositive(BroomFilter filter, RehashableMemoryHashes stored) {
        long query = random.nextLong();
        while (!filter.mightContainHash(query) || stored.contains(query)) {
            query = random.nextLong();
        }
        return query;
    }

    /** One call of the store fails, each in turn, at whatever the filter does; then the store is well again. */
    @ParameterizedTest
    @CsvSource({"0.0625, false", "0.0625, true", "0.002, false", "0.002, true"})
    void aCallOfTheStoreThatFailsLosesNoKeyAndStopsNoMoves(double fpp, boolean isDone) {
        FailingHashes stored = new FailingHashes();
        BroomFilter filter = empty(fpp, stored);
        List<Long> keys = new ArrayList<>();
        for (int i = 0; i < KEYS - 1; i++) {
            long key = random.nextLong();
            filter.insertHash(key);
            stored.inner.add(key);
            keys.add(key);
        }
        int failures = 0;
        for (int calls = 0; calls < 600; calls++) {
            long query = falsePositive(filter, stored.inner);
            stored.failAfter(calls % 60, isDone);
            try {
                filter.repairHash(query);
                replaceOne(filter, stored, keys);
            } catch (FailingHashes.StoreAwayException e) {
                failures++;
            }
            stored.failAfter(Long.MAX_VALUE, false);
            for (long key : keys) {
                assertThat(filter.mightContainHash(key)).isTrue();
            }
        }
        assertThat(failures).as("calls that failed").isGreaterThan(200);
        // Deletions that the store's failure interrupted are made by whoever asked for them.
        long moved = filter.adaptationStatistics().movedKeys();
        for (int i = 0; i < 50; i++) {
            filter.repairHash(falsePositive(filter, stored.inner));
        }
        assertThat(filter.count()).isEqualTo(stored.inner.count());
        assertThat(filter.adaptationStatistics().movedKeys() - moved)
                .as("keys moved by 50 repairs after the failures")
                .isGreaterThan(250);
        filter.checkInvariants();
    }

    /** Deletes a key and inserts another, each step again where the store fails. */
    private void replaceOne(BroomFilter filter, FailingHashes stored, List<Long> keys) {
        int index = random.nextInt(keys.size());
        long leaves = keys.get(index);
        long comes = random.nextLong();
        stored.inner.remove(leaves);
        try {
            filter.deleteHash(leaves);
        } catch (FailingHashes.StoreAwayException e) {
            stored.failAfter(Long.MAX_VALUE, false);
            filter.deleteHash(leaves);
        }
        try {
            filter.insertHash(comes);
        } catch (FailingHashes.StoreAwayException e) {
            stored.failAfter(Long.MAX_VALUE, false);
            filter.insertHash(comes);
        }
        stored.inner.add(comes);
        keys.set(index, comes);
    }

    /** Keys that leave together are in the way of each other, beside keys that are put in and not stored. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDeletionThatCouldNotBeMadeIsMadeWhenTheKeysInFlightAreStored(boolean isReadFromAFileBetween) {
        RehashableMemoryHashes stored = new RehashableMemoryHashes();
        BroomFilter filter = BroomFilter.make(FilterSpec.of(2_000, 0.25).withSeed(3), stored);
        List<Long> keys = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            long key = random.nextLong();
            filter.insertHash(key);
            stored.add(key);
            keys.add(key);
        }
        int waiting = 0;
        for (int round = 0; round < 20; round++) {
            List<Long> inFlight = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                // Half of them look like stored keys.
                long key = random.nextBoolean()
                        ? random.nextLong()
                        : keys.get(random.nextInt(keys.size())) ^ 1L << random.nextInt(50);
                filter.insertHash(key);
                inFlight.add(key);
            }
            List<Long> leaving = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                long key = keys.remove(random.nextInt(keys.size()));
                stored.remove(key);
                leaving.add(key);
            }
            for (long key : leaving) {
                waiting += filter.deleteHash(key) ? 0 : 1;
            }
            if (isReadFromAFileBetween) {
                filter = BroomFilter.read(Images.copy(filter.image()), stored);
            }
            for (long key : inFlight) {
                stored.add(key);
                keys.add(key);
            }
        }
        assertThat(waiting).as("deletions that could not be made at once").isPositive();
        for (int i = 0; i < 200; i++) {
            filter.repairHash(falsePositive(filter, stored));
        }
        assertThat(filter.count()).isEqualTo(stored.count());
        assertThat(filter.adaptationStatistics().movedKeys()).isPositive();
        for (long key : keys) {
            assertThat(filter.mightContainHash(key)).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"0.25, 60", "0.015625, 60", "0.001953125, 60", "0.25, 2000", "0.015625, 2000", "0.001953125, 2000"})
    void deletingAKeyThatIsNotThereChangesNothingWhileInsertsAreInFlight(double fpp, int flying) {
        MemoryHashes stored = new MemoryHashes();
        BroomFilter filter = BroomFilter.make(FilterSpec.of(KEYS + flying, fpp).withSeed(7), stored);
        for (int i = 0; i < 300; i++) {
            long key = random.nextLong();
            filter.insertHash(key);
            stored.add(key);
        }
        long[] inFlight = random.longs(flying).toArray();
        for (long key : inFlight) {
            filter.insertHash(key);
        }
        int taken = 0;
        for (int i = 0; i < 200_000; i++) {
            long absent = random.nextLong();
            taken += filter.deleteHash(absent) ? 1 : 0;
        }
        assertThat(taken).isZero();
        assertThat(filter.count()).isEqualTo(300 + flying);
        for (long key : inFlight) {
            assertThat(filter.mightContainHash(key)).isTrue();
            stored.add(key);
            assertThat(filter.repairHash(key)).isEqualTo(Adaptation.INSEPARABLE);
        }
    }

    @Test
    void aKeyInFlightIsNoFalsePositive() {
        MemoryHashes stored = new MemoryHashes();
        BroomFilter filter = empty(0.01, stored);
        filter.insertHash(5);
        assertThat(filter.repairHash(5)).isEqualTo(Adaptation.INSEPARABLE);
        assertThat(filter.mightContainHash(5)).isTrue();
    }
}
