package dev.besom.guard;

import dev.besom.Adaptation;
import dev.besom.guard.shard.ShardEvents;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what becomes of each lookup. A lookup that the filter answers costs one increment, and is timed once in
 * {@value #TIMED_EVERY}; the others cost so much more that all are timed.
 */
final class Counters implements ShardEvents {

    /** A power of two. */
    private static final int TIMED_EVERY = 128;

    private static final long NOT_TIMED = Long.MIN_VALUE;

    /** Fewer repairs or reads than this say little about what they cost. */
    private static final int LEAST_MEASURED = 64;

    private final ThreadCounter answeredByFilter = new ThreadCounter();
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
    private final LongAdder repairReads = new LongAdder();
    private final LongAdder repairNanos = new LongAdder();
    private final LongAdder repairsPaid = new LongAdder();
    private final LongAdder repairsLeftOut = new LongAdder();
    private final LongAdder readNanos = new LongAdder();
    private final LongAdder readsSaved = new LongAdder();
    private final RecentHashes repairedHashes = new RecentHashes();

    /** The time if the lookup that begins is one to be timed, otherwise {@value #NOT_TIMED}. */
    long startLookup() {
        return answeredByFilter.isMultiple(TIMED_EVERY) ? System.nanoTime() : NOT_TIMED;
    }

    /** Counts a lookup that the filter has answered. */
    void answeredByFilter(long start, long hash) {
        answeredByFilter.increment();
        if (start != NOT_TIMED) {
            filterTimes.record(System.nanoTime() - start);
            countSaved(hash);
        }
    }

    /** Counts lookups in bulk that the filter has answered. */
    void answeredInBulk(int lookups) {
        answeredByFilter.add(lookups);
    }

    /** Looks at one lookup in {@value #TIMED_EVERY} that the filter has answered in bulk. */
    void sample(long hash) {
        if (answeredByFilter.isTick(TIMED_EVERY)) {
            countSaved(hash);
        }
    }

    /** Each lookup that is looked at stands for {@value #TIMED_EVERY}. */
    private void countSaved(long hash) {
        if (repairedHashes.contains(hash)) {
            readsSaved.add(TIMED_EVERY);
        }
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
        long nanos = System.nanoTime() - start;
        storeTimes.record(nanos);
        readNanos.add(nanos);
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

    /** What a repair costs, in reads of one key, as measured until now; 1 as long as there is too little to tell. */
    double repairCost() {
        long repairs = repairsPaid.sum();
        long reads = storeReads.sum();
        long nanosOfReads = readNanos.sum();
        if (repairs < LEAST_MEASURED || reads < LEAST_MEASURED || nanosOfReads == 0) {
            return 1;
        }
        return (double) repairNanos.sum() / repairs / ((double) nanosOfReads / reads);
    }

    /** Counts a false positive that is not repaired because that would not pay. */
    void repairLeftOut() {
        repairsLeftOut.increment();
    }

    @Override
    public void paidForRepair(long reads, long nanos) {
        repairReads.add(reads);
        repairNanos.add(nanos);
        repairsPaid.increment();
    }

    @Override
    public void repaired(Adaptation outcome, long hash) {
        if (outcome != Adaptation.INSEPARABLE) {
            repairedHashes.add(hash);
        }
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
        return new GuardStatistics(
                new GuardStatistics.Lookups(
                        answeredByFilter.sum(),
                        found.sum(),
                        falsePositives.sum(),
                        missedWhilePriming.sum(),
                        failed.sum()),
                new GuardStatistics.Repairs(
                        fixed.sum(), forgot.sum(), inseparable.sum(), dropped.sum(), repairsLeftOut.sum()),
                new GuardStatistics.Reads(storeReads.sum(), repairReads.sum(), readsSaved.sum()),
                growths.sum(),
                new GuardStatistics.Times(filterTimes.read(), storeTimes.read()));
    }
}
