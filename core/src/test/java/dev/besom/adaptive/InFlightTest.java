package dev.besom.adaptive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.StoredHashes;
import dev.besom.bits.Words;
import dev.besom.stored.MemoryHashes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InFlightTest {

    private final SplittableRandom random = new SplittableRandom(11);
    private final MemoryHashes stored = new MemoryHashes();
    private final RepairCounts counts = new RepairCounts();
    private InFlight inFlight = new InFlight(stored, counts);
    private long filterCount;

    private void insert(long hash) {
        inFlight.makeRoom(filterCount);
        inFlight.inserted(hash);
        filterCount++;
    }

    private long[] all() {
        return inFlight.between(0, -1L);
    }

    /** Keys reach the store late and in any order, or are taken back; hashes are few, so that there are copies. */
    @Test
    void itHoldsAllThatIsNotStoredWhateverComesAndGoes() {
        List<Long> unstored = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            if (random.nextInt(10) < 6) {
                long hash = random.nextLong(-2_000, 2_000) << 50 ^ step;
                insert(hash);
                unstored.add(hash);
            } else if (!unstored.isEmpty()) {
                long hash = unstored.remove(random.nextInt(unstored.size()));
                if (random.nextBoolean()) {
                    stored.add(hash);
                } else {
                    inFlight.deleted(hash);
                    filterCount--;
                }
            }
            if (step % 97 == 0) {
                InFlight copy = new InFlight(stored, counts);
                copy.restore(inFlight.section(), hash -> true);
                assertThat(copy.between(0, -1L)).isEqualTo(all());
                inFlight = copy;
            }
            if (step % 13 == 0) {
                for (long hash : unstored) {
                    assertThat(inFlight.contains(hash)).isTrue();
                }
                assertThat(all()).hasSizeGreaterThanOrEqualTo(unstored.size());
            }
        }
        long[] whole = all();
        long[] upper = inFlight.between(Long.MIN_VALUE, -1);
        long[] lower = inFlight.between(0, Long.MAX_VALUE);
        assertThat(lower.length + upper.length).isEqualTo(whole.length);
        assertThat(lower).isSorted();
        assertThat(Arrays.stream(lower)).allMatch(hash -> hash >= 0);
        assertThat(upper).isSorted();
        assertThat(Arrays.stream(upper)).allMatch(hash -> hash < 0);
    }

    @Test
    void nothingIsKeptForLongWhereKeysAreStoredAtOnce() {
        for (int i = 0; i < 10_000; i++) {
            long hash = random.nextLong();
            insert(hash);
            stored.add(hash);
        }
        assertThat(all()).hasSizeLessThanOrEqualTo(64);
        assertThat(counts.statistics().rangeReads()).isZero();
    }

    /** One key never arrives, so the numbers never agree. */
    @Test
    void aKeyThatNeverArrivesIsKeptAndTheOthersAreNot() {
        long lost = random.nextLong();
        insert(lost);
        for (int i = 0; i < 200_000; i++) {
            long hash = random.nextLong();
            insert(hash);
            stored.add(hash);
        }
        assertThat(all()).hasSizeLessThan(70_000).contains(lost);
        assertThat(counts.statistics().rangeReads()).isBetween(1L, 2 * 200_000L);
    }

    @Test
    void aStoreThatIsFilledLastIsHardlyAsked() {
        for (int i = 0; i < 200_000; i++) {
            insert(random.nextLong());
        }
        assertThat(all()).hasSize(200_000);
        assertThat(counts.statistics().rangeReads()).isBetween(1L, 3_000L);
    }

    /** Whoever loads a filter first and its store last has all keys in flight, and may take them back one at a time. */
    @ParameterizedTest
    @ValueSource(ints = {0, 40})
    void manyInFlightCostAsMuchEachAsFew(int crowding) {
        long[] hashes = random.longs(200_000).map(hash -> hash >>> crowding).toArray();
        for (long hash : hashes) {
            insert(hash);
        }
        assertThat(inFlight.between(0, -1L)).hasSize(hashes.length);
        for (long hash : hashes) {
            inFlight.deleted(hash);
        }
        assertThat(inFlight.between(0, -1L)).isEmpty();
        assertThat(inFlight.steps()).as("words moved").isLessThan(300L * hashes.length);
    }

    @Test
    void copiesAreInTheRangeOfTheirHashAndInNoOther() {
        long[] hashes = random.longs(5_000).toArray();
        for (long hash : hashes) {
            insert(hash);
        }
        for (long hash : hashes) {
            inFlight.makeRoom(filterCount++, hash, true);
            inFlight.inserted(hash);
        }
        for (long hash : hashes) {
            assertThat(inFlight.with(new long[] {}, hash, hash)).containsExactly(hash, hash);
            assertThat(inFlight.with(new long[] {}, hash + 1, hash + 1)).isEmpty();
        }
    }

    @Test
    void beforeAStoreThatDoesNotCountTheNewestAreKnown() {
        inFlight = new InFlight(new Uncounted(), counts);
        long[] hashes = random.longs(1_000).toArray();
        for (int i = 0; i < hashes.length; i++) {
            insert(hashes[i]);
            for (int age = 0; age < Math.min(i, 64); age++) {
                assertThat(inFlight.contains(hashes[i - age])).isTrue();
            }
            assertThat(all()).hasSizeLessThanOrEqualTo(128);
        }
    }

    private static final class Uncounted implements StoredHashes {

        @Override
        public void forEachBetween(long lo, long hi, LongConsumer action) {}

        @Override
        public long count() {
            throw new AssertionError("whoever counts reads all hashes");
        }

        @Override
        public long countIfKnown() {
            return -1;
        }
    }

    @Test
    void whileAFilterLacksStoredKeysNumbersAreNotCompared() {
        inFlight.setPartial(() -> 0);
        random.longs(1_000).forEach(stored::add);
        long first = random.nextLong();
        insert(first);
        for (int i = 0; i < 500; i++) {
            insert(random.nextLong());
        }
        assertThat(inFlight.contains(first)).isTrue();
        inFlight.setWhole();
        filterCount = 1_000;
        for (int i = 0; i < 64; i++) {
            inFlight.makeRoom(filterCount);
            inFlight.inserted(i);
        }
        assertThat(inFlight.contains(first)).isFalse();
    }

    @Test
    void aHashThatIsStoredAndInFlightCountsOnce() {
        for (long hash : new long[] {2, 7, 5, 7, -1}) {
            insert(hash);
        }
        assertThat(inFlight.with(new long[] {1, 2, 2, 5, -2}, 0, -1L)).containsExactly(1, 2, 2, 5, 7, 7, -2, -1);
        assertThat(inFlight.with(new long[] {1, 2}, 1, 6)).containsExactly(1, 2, 5);
        assertThat(inFlight.with(new long[] {9}, 8, 10)).containsExactly(9);
    }

    @Test
    void withoutAStoreNothingIsKept() {
        inFlight = new InFlight(StoredHashes.none(), counts);
        insert(5);
        assertThat(all()).isEmpty();
    }

    @Test
    void aSectionWithAHashThatTheFilterLacksIsRefused() {
        insert(5);
        assertThatThrownBy(() -> inFlight.restore(inFlight.section(), hash -> hash != 5))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aSectionThatDoesNotAscendIsRefused() {
        long[] section = Words.allocate(2);
        section[Words.LEAD] = -1;
        assertThatThrownBy(() -> inFlight.restore(section, hash -> true)).isInstanceOf(IllegalStateException.class);
    }
}
