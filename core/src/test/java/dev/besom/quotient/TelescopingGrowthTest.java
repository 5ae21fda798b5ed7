package dev.besom.quotient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TelescopingGrowthTest {

    private static TelescopingFilter filled(SortedHashes stored, int capacity, int remainderBits, long seed) {
        TelescopingFilter filter = TelescopingFilter.make(
                FilterSpec.of(capacity, 0.01).with("remainderBits", Integer.toString(remainderBits)), stored);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < capacity; i++) {
            long hash = random.nextLong();
            stored.add(hash);
            filter.insert(hash);
        }
        return filter;
    }

    /** Asks for hashes that are not stored, repairs, and returns how many were taken for stored ones. */
    private static int askAndRepair(TelescopingFilter filter, int queries, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int wrong = 0;
        for (int i = 0; i < queries; i++) {
            long query = random.nextLong();
            if (filter.mightContain(query)) {
                wrong++;
                filter.repair(query);
            }
        }
        return wrong;
    }

    private static void assertAllFound(TelescopingFilter filter, SortedHashes stored) {
        for (int i = 0; i < stored.size(); i++) {
            assertThat(filter.mightContain(stored.at(i))).isTrue();
        }
    }

    @Test
    void repairsSurviveGrowth() {
        SortedHashes stored = new SortedHashes();
        TelescopingFilter filter = filled(stored, 20_000, 8, 0x67726f77);
        int queries = 500_000;
        int before = askAndRepair(filter, queries, 0x61736b);
        assertThat(before).isBetween(1_600, 2_200);
        // Repairs made late may have made earlier queries hit again; a second round settles them.
        askAndRepair(filter, queries, 0x61736b);
        TelescopingGrowth growth = new TelescopingGrowth(filter, 30_000);
        while (!growth.isComplete()) {
            growth.move(100);
        }
        TelescopingFilter next = growth.next();
        next.checkInvariants();
        assertThat(next.count()).isEqualTo(stored.size());
        assertAllFound(next, stored);
        // One pair in six is new to each other, and there are two thirds as many pairs as before: about a ninth.
        assertThat(askAndRepair(next, queries, 0x61736b)).isBetween(before / 20, before / 6);
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 3", "64, 2", "64, 4", "500, 3"})
    void changesWhileItGrowsReachTheNewFilter(int capacity, int remainderBits) {
        SplittableRandom random = new SplittableRandom(0x6368616e6765L + capacity);
        for (int trial = 0; trial < 40; trial++) {
            SortedHashes stored = new SortedHashes();
            TelescopingFilter filter = filled(stored, capacity, remainderBits, random.nextLong());
            TelescopingGrowth growth = new TelescopingGrowth(filter, 2L * capacity + 64);
            while (!growth.isComplete()) {
                growth.move(1 + random.nextInt(7));
                growth.next().checkInvariants();
                switch (random.nextInt(3)) {
                    case 0 -> {
                        // Not more than the old filter has room for.
                        if (filter.count() < capacity) {
                            long hash = random.nextLong();
                            stored.add(hash);
                            filter.insert(hash);
                            if (growth.hasMoved(hash)) {
                                growth.next().insert(hash);
                            }
                        }
                    }
                    case 1 -> {
                        if (stored.size() > 0) {
                            long hash = stored.at(random.nextInt(stored.size()));
                            filter.delete(hash);
                            if (growth.hasMoved(hash)) {
                                growth.next().delete(hash);
                            }
                            stored.remove(hash);
                        }
                    }
                    default -> {
                        long query = random.nextLong();
                        filter.repair(query);
                        if (growth.hasMoved(query)) {
                            growth.next().repair(query);
                        }
                    }
                }
                assertAllFound(filter, stored);
            }
            assertThat(growth.next().count()).isEqualTo(stored.size());
            assertAllFound(growth.next(), stored);
        }
    }

    @Test
    void aFailedReadLeavesGrowthWhereItWas() {
        SortedHashes stored = new SortedHashes();
        boolean[] fails = new boolean[1];
        StoredHashes failing = new StoredHashes() {
            @Override
            public void forEachBetween(long lo, long hi, LongConsumer action) {
                stored.forEachBetween(lo, hi, action);
                if (fails[0]) {
                    throw new IllegalStateException("the store failed");
                }
            }

            @Override
            public long count() {
                return stored.count();
            }
        };
        TelescopingFilter filter = TelescopingFilter.make(FilterSpec.of(1_000, 0.01), failing);
        SplittableRandom random = new SplittableRandom(0x6661696c);
        for (int i = 0; i < 1_000; i++) {
            long hash = random.nextLong();
            stored.add(hash);
            filter.insert(hash);
        }
        TelescopingGrowth growth = new TelescopingGrowth(filter, 2_000);
        for (int step = 0; !growth.isComplete(); step++) {
            fails[0] = step % 2 == 0;
            try {
                growth.move(64);
                assertThat(fails[0]).isFalse();
            } catch (IllegalStateException e) {
                assertThat(fails[0]).isTrue();
            }
        }
        assertThat(growth.next().count()).isEqualTo(1_000);
        assertAllFound(growth.next(), stored);
    }
}
