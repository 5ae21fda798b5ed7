package dev.besom.guard;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** Counts times by any number of threads. */
final class LatencyRecorder {

    private final AtomicLongArray counts = new AtomicLongArray(LatencyHistogram.BUCKETS);
    private final LongAdder sumNanos = new LongAdder();

    void record(long nanos) {
        counts.getAndIncrement(LatencyHistogram.bucket(nanos));
        sumNanos.add(nanos);
    }

    LatencyHistogram read() {
        long[] copy = new long[LatencyHistogram.BUCKETS];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = counts.get(i);
        }
        return new LatencyHistogram(copy, sumNanos.sum());
    }
}
