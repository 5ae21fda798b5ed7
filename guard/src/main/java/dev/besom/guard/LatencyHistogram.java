package dev.besom.guard;

import java.util.Arrays;

/**
 * How long something took, as counts of times in buckets. Four buckets for each power of two, so a time is known within a
 * quarter of itself. Does not change.
 *
 * <pre>
 *   bucket 4 e + s holds the times from (4 + s) 2^(e - 2) to (5 + s) 2^(e - 2) - 1 nanoseconds; s is from 0 to 3
 * </pre>
 */
public final class LatencyHistogram {

    private static final int SUB_BITS = 2;
    private static final int SUBS = 1 << SUB_BITS;

    /** Longer times count as this power of two: 18 minutes. */
    private static final int MAX_EXPONENT = 40;

    static final int BUCKETS = (MAX_EXPONENT + 1) << SUB_BITS;

    private final long[] counts;
    private final long count;
    private final long sumNanos;

    LatencyHistogram(long[] counts, long sumNanos) {
        this.counts = counts;
        this.count = Arrays.stream(counts).sum();
        this.sumNanos = sumNanos;
    }

    /** The bucket of a time. */
    static int bucket(long nanos) {
        long time = Math.max(nanos, 1L << SUB_BITS);
        int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(time);
        if (exponent > MAX_EXPONENT) {
            return BUCKETS - 1;
        }
        return (exponent << SUB_BITS) | ((int) (time >>> (exponent - SUB_BITS)) & (SUBS - 1));
    }

    /** The longest time that belongs to a bucket. */
    static long longest(int bucket) {
        int exponent = Math.max(SUB_BITS, bucket >>> SUB_BITS);
        return ((SUBS + 1L + (bucket & (SUBS - 1))) << (exponent - SUB_BITS)) - 1;
    }

    /** How many times were taken. */
    public long count() {
        return count;
    }

    /** The mean; 0 if nothing was timed. */
    public double meanNanos() {
        return count == 0 ? 0 : (double) sumNanos / count;
    }

    /**
     * A time that the given part of all did not exceed; at most a quarter too long. 0 if nothing was timed.
     *
     * @param part from 0 to 1, such as 0.99
     */
    public long percentileNanos(double part) {
        if (!(part >= 0 && part <= 1)) {
            throw new IllegalArgumentException("part must be from 0 to 1, not " + part);
        }
        long wanted = Math.max(1, (long) Math.ceil(part * count));
        long seen = 0;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            seen += counts[bucket];
            if (seen >= wanted) {
                return longest(bucket);
            }
        }
        return 0;
    }

    /** What came after an earlier state. */
    LatencyHistogram since(LatencyHistogram base) {
        long[] later = counts.clone();
        for (int i = 0; i < later.length; i++) {
            later[i] -= base.counts[i];
        }
        return new LatencyHistogram(later, sumNanos - base.sumNanos);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LatencyHistogram that
                && sumNanos == that.sumNanos
                && Arrays.equals(counts, that.counts);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(counts);
    }

    @Override
    public String toString() {
        return count + " times, mean " + Math.round(meanNanos()) + " ns, 99 % up to " + percentileNanos(0.99) + " ns";
    }
}
