package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.AdaptiveFilter;
import dev.besom.FilterSpec;
import dev.besom.MalformedFilterException;
import dev.besom.filters.Filters;
import dev.besom.guard.NumberedCalls.Manner;
import dev.besom.guard.NumberedCalls.Outage;
import dev.besom.spi.PersistentFilter;
import dev.besom.stored.Rehash;
import dev.besom.stored.RehashableHashes;
import dev.besom.stored.RehashableMemoryHashes;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A broom filter that changes hash functions together with its store, as over RocksDB: one and the same life again and again,
 * each time with another call of the store that fails. No stored hash is lost, nor after the filter was written and read.
 */
class FailureAtEveryMoveTest {

    private static final int KEYS = 60;

    @Test
    void noCallThatFailsLosesAHash() {
        everyFailure(30).failOfEachWay(0, 1);
    }

    @Test
    @Tag("thorough")
    void noCallThatFailsLosesAHashOfALongLife() {
        everyFailure(120).failEach(7);
    }

    private static EveryFailure everyFailure(int rounds) {
        return new EveryFailure(List.of(Manner.BEFORE, Manner.AFTER), calls -> new Life(calls).live(rounds));
    }

    /** Stored hashes whose calls are numbered. */
    private static final class NumberedHashes implements RehashableHashes {

        private final RehashableMemoryHashes inner = new RehashableMemoryHashes();
        private final NumberedCalls calls;

        NumberedHashes(NumberedCalls calls) {
            this.calls = calls;
        }

        @Override
        public Rehash rehash() {
            return calls.read(inner::rehash);
        }

        @Override
        public void begin(Rehash begun) {
            calls.change(() -> {
                inner.begin(begun);
                return true;
            });
        }

        @Override
        public long[] oldBetween(long lo, long hi) {
            return calls.read(() -> inner.oldBetween(lo, hi));
        }

        @Override
        public void moveCell() {
            calls.change(() -> {
                inner.moveCell();
                return true;
            });
        }

        @Override
        public void forEachBetween(long lo, long hi, LongConsumer action) {
            calls.read(() -> true);
            inner.forEachBetween(lo, hi, action);
        }

        @Override
        public long count() {
            return calls.read(inner::count);
        }
    }

    /** A store and its filter. */
    private static final class Life {

        private final SplittableRandom random = new SplittableRandom(0x6d6f7665L);
        private final NumberedCalls calls;
        private final NumberedHashes stored;
        private final List<Long> keys = new ArrayList<>();
        private AdaptiveFilter filter;
        private long failuresSeen;

        Life(NumberedCalls calls) {
            this.calls = calls;
            this.stored = new NumberedHashes(calls);
            this.filter = calls.aside(() ->
                    (AdaptiveFilter) Filters.kind("broom").make(FilterSpec.of(KEYS, 1 / 16.0), stored));
        }

        /** The whole life. */
        void live(int rounds) {
            for (int i = 0; i < KEYS - 5; i++) {
                insert(random.nextLong());
            }
            for (int round = 0; round < rounds; round++) {
                repairOne();
                long removed = keys.remove(random.nextInt(keys.size()));
                stored.inner.remove(removed);
                step(() -> filter.deleteHash(removed));
                insert(random.nextLong());
            }
            assertThat(calls.count()).isGreaterThan(rounds);
        }

        private void insert(long hash) {
            boolean isInserted = step(() -> filter.insertHash(hash));
            for (int tries = 0; !isInserted && tries < 2; tries++) {
                isInserted = step(() -> filter.insertHash(hash));
            }
            if (isInserted) {
                stored.inner.add(hash);
                keys.add(hash);
            }
            check();
        }

        private void repairOne() {
            long query = random.nextLong();
            while (!filter.mightContainHash(query)) {
                query = random.nextLong();
            }
            long wrong = query;
            step(() -> filter.repairHash(wrong));
        }

        /** Makes a step; false if it failed. */
        private boolean step(Runnable step) {
            boolean isMade = true;
            try {
                step.run();
            } catch (Outage e) {
                // The caller has been told. What the store holds counts.
                isMade = false;
            }
            if (calls.failures() > failuresSeen) {
                failuresSeen = calls.failures();
                check();
                filter = calls.aside(this::writtenAndRead);
                check();
            }
            return isMade;
        }

        /** The filter out of a file; one that does not know yet how far its store has come is refused, and goes on. */
        private AdaptiveFilter writtenAndRead() {
            try {
                return (AdaptiveFilter) Filters.toFilter(((PersistentFilter) filter).image(), stored);
            } catch (MalformedFilterException e) {
                return filter;
            }
        }

        private void check() {
            for (long key : keys) {
                if (!filter.mightContainHash(key)) {
                    throw new AssertionError("hash " + key + " is lost");
                }
            }
        }
    }
}
