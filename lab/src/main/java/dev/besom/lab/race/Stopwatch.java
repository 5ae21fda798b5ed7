package dev.besom.lab.race;

import com.sun.management.ThreadMXBean;
import dev.besom.LongKeyFilter;
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
 * <p>Queries are random keys, 2^20 of them in turn: their cache lines do not fit into any cache, so a pass does not find
 * what the pass before left there unless the whole filter fits.
 */
final class Stopwatch {

    private static final int SAMPLE = Pace.SAMPLE;

    /** Loops are called for so many queries at a time: often enough to be compiled as methods, not within a run. */
    private static final int CHUNK = 1 << 12;

    private static final long SHORTEST_NANOS = 50L * SAMPLE;
    private static final long WARM_UP_NANOS = 60L * SAMPLE;
    private static final int WARM_UP_CALLS = SAMPLE / 10_000;

    /** Foreign keys of the timing start here, so that no workload asks for them as well. */
    private static final long FIRST_FOREIGN = 1L << 62;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Loop loop = TimingLoop.fresh();
    private final Sample hits;
    private final Sample misses;
    private final long[] result = new long[CHUNK / Long.SIZE];
    private long positives;

    /** Numbers to query: as hashes, and as the keys that have these hashes. */
    private static final class Sample {
        private final long[] hashes;
        private final long[] keys = new long[SAMPLE];

        Sample(long[] hashes) {
            this.hashes = hashes;
            Preimages.fill(hashes, 0, SAMPLE, keys);
        }
    }

    Stopwatch(long[] numbers, KeySpace space) {
        SplittableRandom random = new SplittableRandom(Mix.mix(space.seed() + 6));
        long[] stored = new long[SAMPLE];
        long[] foreign = new long[SAMPLE];
        for (int i = 0; i < SAMPLE; i++) {
            stored[i] = numbers[random.nextInt(numbers.length)];
            foreign[i] = space.foreign(FIRST_FOREIGN + i);
        }
        hits = new Sample(stored);
        misses = new Sample(foreign);
    }

    /** Takes the times of a contender that hashes what it is given. */
    Times.Queries ofNumbers(MembershipFilter filter) {
        return times(new OfHashes(filter));
    }

    /** Takes the times of a filter of hashes behind a hasher. */
    Times.Queries ofKeys(LongKeyFilter filter) {
        return times(new OfKeys(filter));
    }

    /** Bytes of heap that a query takes on average; a byte or so in a thousand queries is the measurement itself. */
    double allocatedBytesOfNumbers(MembershipFilter filter) {
        return allocatedBytes(new OfHashes(filter));
    }

    /** Bytes of heap that a query of a key takes on average. */
    double allocatedBytesOfKeys(LongKeyFilter filter) {
        return allocatedBytes(new OfKeys(filter));
    }

    private double allocatedBytes(Asked asked) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int from = 0; from < SAMPLE; from += CHUNK) {
            positives += asked.single(misses, from);
        }
        return (THREADS.getCurrentThreadAllocatedBytes() - before) / (double) SAMPLE;
    }

    private Times.Queries times(Asked asked) {
        for (boolean isBulk : new boolean[] {false, true}) {
            for (Sample sample : new Sample[] {misses, hits}) {
                warmUp(asked, sample, isBulk);
            }
        }
        return new Times.Queries(time(asked, hits, false), time(asked, misses, false), time(asked, misses, true));
    }

    /** Has the loops compiled. */
    private void warmUp(Asked asked, Sample sample, boolean isBulk) {
        long start = ProcessorClock.nanos();
        for (int call = 0; call < WARM_UP_CALLS || ProcessorClock.nanos() - start < WARM_UP_NANOS; call++) {
            chunk(asked, sample, call * CHUNK % SAMPLE, isBulk);
        }
    }

    /** How many answers were "maybe" so far: what keeps the compiler from leaving the queries out. */
    long positives() {
        return positives;
    }

    private double time(Asked asked, Sample sample, boolean isBulk) {
        long start = ProcessorClock.nanos();
        long passes = 0;
        long taken;
        do {
            for (int from = 0; from < SAMPLE; from += CHUNK) {
                chunk(asked, sample, from, isBulk);
            }
            passes++;
            taken = ProcessorClock.nanos() - start;
        } while (taken < SHORTEST_NANOS);
        return taken / ((double) passes * SAMPLE);
    }

    private void chunk(Asked asked, Sample sample, int from, boolean isBulk) {
        positives += isBulk ? asked.bulk(sample, from) : asked.single(sample, from);
    }

    /** What is queried, a chunk at a time. */
    private interface Asked {
        int single(Sample sample, int from);

        int bulk(Sample sample, int from);
    }

    private final class OfHashes implements Asked {
        private final MembershipFilter filter;

        OfHashes(MembershipFilter filter) {
            this.filter = filter;
        }

        @Override
        public int single(Sample sample, int from) {
            return loop.single(filter, sample.hashes, from, CHUNK);
        }

        @Override
        public int bulk(Sample sample, int from) {
            return loop.bulk(filter, sample.hashes, from, CHUNK, result);
        }
    }

    private final class OfKeys implements Asked {
        private final LongKeyFilter filter;

        OfKeys(LongKeyFilter filter) {
            this.filter = filter;
        }

        @Override
        public int single(Sample sample, int from) {
            return loop.single(filter, sample.keys, from, CHUNK);
        }

        @Override
        public int bulk(Sample sample, int from) {
            return loop.bulk(filter, sample.keys, from, CHUNK, result);
        }
    }
}
