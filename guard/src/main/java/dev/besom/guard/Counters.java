package dev.besom.guard;

import dev.besom.Adaptation;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what becomes of each lookup. A lookup that the filter answers costs one increment, and is timed once in
 * {@value #TIMED_EVERY} times; the others cost so much more that all are timed.
 */
final class Counters {

    private static final int TIMED_EVERY = 128;

    /** Threads share a tick if their numbers are the same modulo this; a tick that is lost then does no harm. */
    private static final int TICKS = 64;

    /** Ticks are as far apart as two cache lines, so that threads do not take them from each other. */
    private static final int TICK_DISTANCE = 16;

    final LongAdder answeredByFilter = new LongAdder();
    final LongAdder found = new LongAdder();
    final LongAdder falsePositives = new LongAdder();
    final LongAdder missedWhilePriming = new LongAdder();
    private final LongAdder failed = new LongAdder();
    final LongAdder storeReads = new LongAdder();
    final LongAdder dropped = new LongAdder();
    final LongAdder growths = new LongAdder();
    final LatencyRecorder filterTimes = new LatencyRecorder();
    private final LatencyRecorder storeTimes = new LatencyRecorder();
    private final LongAdder fixed = new LongAdder();
    private final LongAdder forgot = new LongAdder();
    private final LongAdder inseparable = new LongAdder();
    private final int[] ticks = new int[TICKS * TICK_DISTANCE];

    /** Whether the lookup that begins is one to be timed. */
    boolean isTimed() {
        int tick = ((int) Thread.currentThread().getId() & (TICKS - 1)) * TICK_DISTANCE;
        return (ticks[tick]++ & (TIMED_EVERY - 1)) == 0;
    }

    /**
     * Counts a read of the store that has ended.
     *
     * @param failedKeys for how many keys it has given no answer
     */
    void storeRead(long startNanos, int failedKeys) {
        storeTimes.record(System.nanoTime() - startNanos);
        if (failedKeys > 0) {
            failed.add(failedKeys);
        }
    }

    void repaired(Adaptation outcome) {
        switch (outcome) {
            case FIXED -> fixed.increment();
            case FORGOT -> forgot.increment();
            case INSEPARABLE -> inseparable.increment();
        }
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
