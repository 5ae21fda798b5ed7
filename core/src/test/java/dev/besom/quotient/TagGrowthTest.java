package dev.besom.quotient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.filters.Filters;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TagGrowthTest {

    private static TaggedFilter filled(String kind, SortedHashes stored, int capacity, int remainderBits, long seed) {
        FilterSpec spec = FilterSpec.of(capacity, 0.01).with("remainderBits", Integer.toString(remainderBits));
        TaggedFilter filter = (TaggedFilter) Filters.kind(kind).make(spec, stored);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < capacity; i++) {
            long hash = random.nextLong();
            stored.add(hash);
            filter.insertHash(hash);
        }
        return filter;
    }

    /** Asks for hashes that are not stored, repairs, and returns how many were taken for stored ones. */
    private static int askAndRepair(TaggedFilter filter, int queries, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int wrong = 0;
        for (int i = 0; i < queries; i++) {
            long query = random.nextLong();
            if (filter.mightContainHash(query)) {
                wrong++;
                filter.repairHash(query);
            }
        }
        return wrong;
    }

    private static void assertAllFound(TaggedFilter filter, SortedHashes stored) {
        for (int i = 0; i < stored.size(); i++) {
            assertThat(filter.mightContainHash(stored.at(i))).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "telescoping-plain", "telescoping-compact", "extension"})
    void repairsSurviveGrowth(String kind) {
        SortedHashes stored = new SortedHashes();
        TaggedFilter filter = filled(kind, stored, 20_000, 8, 0x67726f77);
        int queries = 500_000;
        int before = askAndRepair(filter, queries, 0x61736b);
        assertThat(before).isBetween(1_600, 2_200);
        // Repairs made late may have made earlier queries hit again; a second round settles them.
        askAndRepair(filter, queries, 0x61736b);
        TagGrowth growth = new TagGrowth(filter, 30_000);
        while (!growth.isComplete()) {
            growth.move(100);
        }
        TaggedFilter next = growth.next();
        next.checkInvariants();
        assertThat(next.count()).isEqualTo(stored.size());
        assertAllFound(next, stored);
        // One pair in six is new to each other, and there are two thirds as many pairs as before: about a ninth.
        assertThat(askAndRepair(next, queries, 0x61736b)).isBetween(before / 20, before / 6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "telescoping-plain", "telescoping-compact", "extension"})
    void aSecondKeyWithAHashPutInWhileTheFilterGrowsIsNotDeletedByAHashThatLooksLikeIt(String kind) {
        SortedHashes stored = new SortedHashes();
        TaggedFilter filter = filled(kind, stored, 64, 3, 0x74776963);
        long twice = stored.at(0);
        TagGrowth growth = new TagGrowth(filter, 128);
        growth.move(40);
        filter.insertHash(twice);
        growth.insertHash(twice);
        growth.move(100);
        assertThat(growth.isComplete()).isTrue();
        TaggedFilter next = growth.next();
        long count = next.count();
        for (long absent = twice + 1; absent < twice + 1_000; absent++) {
            assertThat(next.deleteHash(absent)).isFalse();
        }
        assertThat(next.count()).isEqualTo(count);
        assertThat(next.deleteHash(twice)).isTrue();
        assertThat(next.mightContainHash(twice)).as("the one that is stored").isTrue();
        next.checkInvariants();
    }

    @ParameterizedTest
    @CsvSource({
        "telescoping, 1, 2",
        "telescoping, 2, 3",
        "telescoping, 64, 2",
        "telescoping, 64, 4",
        "telescoping, 500, 3",
        "telescoping-plain, 64, 3",
        "telescoping-compact, 1, 2",
        "telescoping-compact, 64, 2",
        "telescoping-compact, 500, 3",
        "extension, 1, 2",
        "extension, 64, 2",
        "extension, 500, 3"
    })
    void changesWhileItGrowsReachTheNewFilter(String kind, int capacity, int remainderBits) {
        SplittableRandom random = new SplittableRandom(0x6368616e6765L + capacity);
        for (int trial = 0; trial < 40; trial++) {
            SortedHashes stored = new SortedHashes();
            TaggedFilter filter = filled(kind, stored, capacity, remainderBits, random.nextLong());
            TagGrowth growth = new TagGrowth(filter, 2L * capacity + 64);
            while (!growth.isComplete()) {
                growth.move(1 + random.nextInt(7));
                growth.next().checkInvariants();
                switch (random.nextInt(3)) {
                    case 0 -> {
                        // Not more than the old filter has room for.
                        if (filter.count() < capacity) {
                            long hash = random.nextLong();
                            stored.add(hash);
                            filter.insertHash(hash);
                            growth.insertHash(hash);
                        }
                    }
                    case 1 -> {
                        if (stored.size() > 0) {
                            long hash = stored.at(random.nextInt(stored.size()));
                            filter.deleteHash(hash);
                            growth.deleteHash(hash);
                            stored.remove(hash);
                        }
                    }
                    default -> {
                        long query = random.nextLong();
                        filter.repairHash(query);
                        growth.repairHash(query);
                    }
                }
                assertAllFound(filter, stored);
            }
            assertThat(growth.next().count()).isEqualTo(stored.size());
            assertAllFound(growth.next(), stored);
        }
    }

    /**
     * Where the two sorts of keys under way meet that no repair can tell apart: one that is in the filter only, and a stored
     * one with the same fingerprint whose turn has not come.
     */
    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "telescoping-compact", "extension"})
    void keyThatIsNotStoredYetIsKeptWhateverIsRepairedWhileItGrows(String kind) {
        SplittableRandom random = new SplittableRandom(0x646f756274L);
        for (int trial = 0; trial < 150; trial++) {
            SortedHashes stored = new SortedHashes();
            TaggedFilter filter = filled(kind, stored, 40, 2, random.nextLong());
            TagGrowth growth = new TagGrowth(filter, 60);
            long inFilterOnly = random.nextLong();
            filter.insertHash(inFilterOnly);
            boolean isMoved = false;
            while (!growth.isComplete()) {
                boolean isNext = growth.isAmongNext(inFilterOnly, 1);
                growth.move(1);
                if (isNext) {
                    growth.next().insertHash(inFilterOnly);
                    isMoved = true;
                }
                for (int i = 0; i < 20; i++) {
                    // Close to the frontier, where all that can go wrong would.
                    long query = inFilterOnly + (random.nextLong() >> 6);
                    filter.repairHash(query);
                    growth.repairHash(query);
                }
                assertThat(!isMoved || growth.next().mightContainHash(inFilterOnly))
                        .isTrue();
            }
            assertThat(growth.next().mightContainHash(inFilterOnly)).isTrue();
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
            filter.insertHash(hash);
        }
        TagGrowth growth = new TagGrowth(filter, 2_000);
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
