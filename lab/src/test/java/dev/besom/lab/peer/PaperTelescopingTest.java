package dev.besom.lab.peer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.lab.workload.KeySpace;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PaperTelescopingTest {

    private static final KeySpace SPACE = new KeySpace(20261118);

    @Test
    void keysAreFoundAtEveryLoadWhateverWasRepairedBetweenInserts() {
        for (int capacity : new int[] {1, 60, 500, 20_000}) {
            PaperTelescoping filter = new PaperTelescoping(capacity, 3);
            SplittableRandom random = new SplittableRandom(capacity);
            for (int i = 0; i < capacity; i++) {
                filter.insertHash(SPACE.stored((long) i));
                for (int query = 0; query < 5; query++) {
                    long key = SPACE.foreign(random.nextInt(4 * capacity));
                    if (filter.mightContainHash(key)) {
                        filter.learnMissing(key);
                    }
                }
            }
            for (int i = 0; i < capacity; i++) {
                assertThat(filter.mightContainHash(SPACE.stored((long) i))).isTrue();
            }
            assertThat(filter.count()).isEqualTo(capacity);
        }
    }

    @Test
    void itTakesElevenBitsASlotAndIsAsOftenWrongAsItsRemaindersSay() {
        int capacity = 100_000;
        PaperTelescoping filter = new PaperTelescoping(capacity, 3);
        filter.insertHashes(SPACE.stored(capacity), 0, capacity);
        assertThat(filter.sizeInBits() / (double) capacity).isBetween(11.57, 11.63);
        int wrong = 0;
        int queries = 500_000;
        for (int i = 0; i < queries; i++) {
            wrong += filter.mightContainHash(SPACE.foreign(i)) ? 1 : 0;
        }
        double expected = queries * filter.expectedFpp();
        assertThat((double) wrong).isBetween(expected - 5 * Math.sqrt(expected), expected + 5 * Math.sqrt(expected));
    }

    @Test
    void repairsHoldUntilABlockRunsFullAndIsEmptied() {
        int capacity = 5000;
        PaperTelescoping filter = new PaperTelescoping(capacity, 3);
        filter.insertHashes(SPACE.stored(capacity), 0, capacity);
        int query = 0;
        for (; filter.adaptationStatistics().forgot() == 0; query++) {
            long key = SPACE.foreign(query);
            // An increment may meet the query again, which the next query finds.
            while (filter.mightContainHash(key)) {
                filter.learnMissing(key);
            }
        }
        assertThat(Arrays.stream(filter.selectorCounts()).sum()).isEqualTo(capacity);
        // The paper's figures: about twenty different queries a key.
        assertThat(query / (double) capacity).isBetween(5.0, 40.0);
        assertThat(filter.selectorCounts()[1]).isPositive();
    }

    @Test
    void theFormForCountsAnswersAsTheOneThatAlwaysDecodes() {
        int capacity = 3000;
        PaperTelescoping decoding = new PaperTelescoping(capacity, 3);
        PaperTelescoping counting = PaperTelescoping.forCounts(capacity, 3);
        decoding.insertHashes(SPACE.stored(capacity), 0, capacity);
        counting.insertHashes(SPACE.stored(capacity), 0, capacity);
        for (int query = 0; query < 60 * capacity; query++) {
            long key = SPACE.foreign(query);
            boolean isWrong = decoding.mightContainHash(key);
            assertThat(counting.mightContainHash(key)).as("query %s", query).isEqualTo(isWrong);
            if (isWrong) {
                decoding.learnMissing(key);
                counting.learnMissing(key);
            }
        }
        assertThat(decoding.selectorCounts()[3]).isPositive();
        assertThat(counting.selectorCounts()).isEqualTo(decoding.selectorCounts());
        assertThat(counting.adaptationStatistics()).isEqualTo(decoding.adaptationStatistics());
        for (int i = 0; i < capacity; i++) {
            assertThat(counting.mightContainHash(SPACE.stored((long) i))).isTrue();
        }
    }
}
