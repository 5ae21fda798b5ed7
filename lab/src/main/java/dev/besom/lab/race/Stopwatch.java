package dev.besom.lab.race;

import com.sun.management.ThreadMXBean;
import dev.besom.MembershipFilter;
import dev.besom.hash.Mix;
import dev.besom.lab.workload.KeySpace;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;

/**
 * Takes the times of one filter: nanoseconds of processor time of the asking thread for each query, one query right
 * after the other, so that the processor overlaps them as far as the filter lets it. Processor time, because a thread
 * that has to wait for its turn on a busy machine should not be charged for that.
 *
 * <p>Queries are random keys, {@value #SAMPLE} of them in turn: their cache lines do not fit into any cache, so a pass
 * does not find what the pass before left there unless the whole filter fits.
 */
final class Stopwatch {

    private static final int SAMPLE = 1 << 20;

    /** Loops are called for so many queries at a time: often enough to be compiled as methods, not within a run. */
    private static final int CHUNK = 1 << 12;

    private static final long SHORTEST_NANOS = 50_000_000;
    private static final long WARM_UP_NANOS = 60_000_000;
    private static final int WARM_UP_CALLS = 100;

    /** Foreign keys of the timing start here, so that no workload asks for them as well. */
    private static final long FIRST_FOREIGN = 1L << 62;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Loop loop = TimingLoop.fresh();
    private final long[] hits;
    private final long[] misses;
    private final long[] result = new long[CHUNK / Long.SIZE];
    private long positives;

    Stopwatch(long[] keys, KeySpace space) {
        SplittableRandom random = new SplittableRandom(Mix.mix(space.seed() + 6));
        hits = new long[SAMPLE];
        misses = new long[SAMPLE];
        for (int i = 0; i < SAMPLE; i++) {
            hits[i] = keys[random.nextInt(keys.length)];
            misses[i] = space.foreign(FIRST_FOREIGN + i);
        }
    }

    /** Has the loops compiled. */
    void warmUp(MembershipFilter filter) {
        for (boolean isBulk : new boolean[] {false, true}) {
            for (long[] keys : new long[][] {misses, hits}) {
                long start = ProcessorClock.nanos();
                for (int call = 0; call < WARM_UP_CALLS || ProcessorClock.nanos() - start < WARM_UP_NANOS; call++) {
                    chunk(filter, keys, call * CHUNK % SAMPLE, isBulk);
                }
            }
        }
    }

    double hitNanos(MembershipFilter filter) {
        return time(filter, hits, false);
    }

    double missNanos(MembershipFilter filter) {
        return time(filter, misses, false);
    }

    double bulkNanos(MembershipFilter filter) {
        return time(filter, misses, true);
    }

    /** Bytes of heap that a query takes on average; a byte or so in a thousand queries is the measurement itself. */
    double allocatedBytes(MembershipFilter filter) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int from = 0; from < SAMPLE; from += CHUNK) {
            chunk(filter, misses, from, false);
        }
        return (THREADS.getCurrentThreadAllocatedBytes() - before) / (double) SAMPLE;
    }

    /** How many answers were "maybe" so far: what keeps the compiler from leaving the queries out. */
    long positives() {
        return positives;
    }

    private double time(MembershipFilter filter, long[] keys, boolean isBulk) {
        long start = ProcessorClock.nanos();
        long passes = 0;
        long taken;
        do {
            for (int from = 0; from < SAMPLE; from += CHUNK) {
                chunk(filter, keys, from, isBulk);
            }
            passes++;
            taken = ProcessorClock.nanos() - start;
        } while (taken < SHORTEST_NANOS);
        return taken / ((double) passes * SAMPLE);
    }

    private void chunk(MembershipFilter filter, long[] keys, int from, boolean isBulk) {
        positives += isBulk ? loop.bulk(filter, keys, from, CHUNK, result) : loop.single(filter, keys, from, CHUNK);
    }
}
