package dev.besom.lab.race;

/**
 * Counts of nanoseconds, in steps of a sixteenth, so that a percentile is told within 6 %.
 *
 * <pre>
 *   nanoseconds   1 x x x x y y y y y ...        the place of the highest bit and the four bits behind it are the step
 * </pre>
 */
final class Latencies {

    private static final int STEP_BITS = 4;
    private static final int STEPS = 1 << STEP_BITS;

    private final long[] counts = new long[(Long.SIZE - STEP_BITS) * STEPS];
    private long count;
    private double sum;

    void record(long nanos) {
        long least = Math.max(0, nanos);
        counts[step(least)]++;
        count++;
        sum += least;
    }

    /** Numbers below 32 have a step of their own. */
    private static int step(long nanos) {
        int shift = Math.max(0, Long.SIZE - 1 - STEP_BITS - Long.numberOfLeadingZeros(nanos | 1));
        return (shift << STEP_BITS) + (int) (nanos >>> shift);
    }

    /** The smallest number of a step. */
    private static double least(int step) {
        int shift = Math.max(0, (step >>> STEP_BITS) - 1);
        return (double) ((long) (step - (shift << STEP_BITS)) << shift);
    }

    double mean() {
        return count == 0 ? Double.NaN : sum / count;
    }

    /** What that part of all stays below, at most one step off. */
    double quantile(double part) {
        long left = (long) Math.ceil(part * count);
        for (int step = 0; step < counts.length; step++) {
            left -= counts[step];
            if (left <= 0 && count > 0) {
                return least(step);
            }
        }
        return Double.NaN;
    }
}
