package dev.besom.guard;

import dev.besom.Adaptation;
import dev.besom.guard.shard.ShardEvents;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what becomes of each lookup. A lookup that the filter answers costs one increment, and is timed once in
 * {@value #TIMED_EVERY} times; the others cost so much more that all are timed.
 */
final class Counters implements ShardEvents {

    private static final int TIMED_EVERY = 128;

    private static final long NOT_TIMED = Long.MIN_VALUE;

    /** Threads share a tick if their numbers are the same modulo this; a tick that is lost then does no harm. */
    private static final int TICKS = 64;

    /** Ticks are as far apart as two cache lines, so that threads do not take them from each other. */
    private static final int TICK_DISTANCE = 16;

    private final LongAdder answeredByFilter = new LongAdder();
    private final LongAdder found = new LongAdder();
    private final LongAdder falsePositives = new LongAdder();
    private final LongAdder missedWhilePriming = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder storeReads = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder growths = new LongAdder();
    private final LatencyRecorder filterTimes = new LatencyRecorder();
    private final LatencyRecorder storeTimes = new LatencyRecorder();
    private final LongAdder fixed = new LongAdder();
    private final LongAdder forgot = new LongAdder();
    private final LongAdder inseparable = new LongAdder();
    private final int[] ticks = new int[TICKS * TICK_DISTANCE];

    /** The time if the lookup that begins is one to be timed, otherwise {@value #NOT_TIMED}. */
    long startLookup() {
        int tick = ((int) Thread.currentThread().getId() & (TICKS - 1)) * TICK_DISTANCE;
        return (ticks[tick]++ & (TIMED_EVERY - 1)) == 0 ? System.nanoTime() : NOT_TIMED;
    }

    /** Counts a lookup that the filter has answered. */
    void answeredByFilter(long start) {
        answeredByFilter.increment();
        if (start != NOT_TIMED) {
            filterTimes.record(System.nanoTime() - start);
        }
    }

    /** Counts lookups in bulk that the filter has answered. */
    void answeredInBulk(int lookups) {
        answeredByFilter.add(lookups);
    }

    /** Counts a read of the store that begins, and returns the time. */
    long startRead(int keyCount) {
        storeReads.add(keyCount);
        return System.nanoTime();
    }

    /**
     * Counts a read of the store that has ended.
     *
     * @param failedKeys for how many keys it has given no answer
     */
    void endRead(long start, int failedKeys) {
        storeTimes.record(System.nanoTime() - start);
        if (failedKeys > 0) {
            failed.add(failedKeys);
        }
    }

    /** Counts lookups that found a value. */
    void found(int lookups) {
        found.add(lookups);
    }

    /** Counts a lookup that reached the store and found nothing. */
    void missed(boolean isPrimed) {
        (isPrimed ? falsePositives : missedWhilePriming).increment();
    }

    @Override
    public void repaired(Adaptation outcome) {
        switch (outcome) {
            case FIXED -> fixed.increment();
            case FORGOT -> forgot.increment();
            case INSEPARABLE -> inseparable.increment();
        }
    }

    @Override
    public void repairsDropped(int count) {
        dropped.add(count);
    }

    @Override
    public void grew() {
        growths.increment();
    }

    GuardStatistics read() {
        long stopped = answeredByFilter.sum();
        long hits = found.sum();
        long wrong = falsePositives.sum();
        long priming = missedWhilePriming.sum();
        long unanswered = failed.sum();
        return new GuardStatistics(
                stopped + hits + wrong + priming + unanswered,
                stopped,
                hits,
                wrong,
                priming,
                unanswered,
                storeReads.sum(),
                fixed.sum(),
                forgot.sum(),
                inseparable.sum(),
                dropped.sum(),
                growths.sum(),
                filterTimes.read(),
                storeTimes.read());
    }
}
