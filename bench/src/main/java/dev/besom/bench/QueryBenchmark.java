package dev.besom.bench;

import dev.besom.LongKeyFilter;
import dev.besom.lab.race.StoredKeys;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;

/**
 * Single and bulk queries of keys: every contender hashes, Besom's kinds by their hasher. They go round {@value #SAMPLE} random keys, more than any cache has lines for, and do not
 * wait for each other's answers.
 */
public class QueryBenchmark extends KindBenchmark {

    private static final int SAMPLE = 1 << 20;
    private static final int BULK = 1 << 12;

    private LongKeyFilter filter;
    private long[] hits;
    private long[] misses;
    private long[] result;
    private int next;

    /** Fills the filter and draws what is asked. */
    @Setup
    public void prepare() {
        long[] keys = Stock.SPACE.stored(n);
        filter = Stock.asked(kind, fill(new StoredKeys(keys), keys));
        SplittableRandom random = new SplittableRandom(Stock.SPACE.seed());
        hits = new long[SAMPLE];
        misses = new long[SAMPLE];
        LongUnaryOperator key = Stock.keys(kind);
        for (int i = 0; i < SAMPLE; i++) {
            hits[i] = key.applyAsLong(keys[random.nextInt(n)]);
            misses[i] = key.applyAsLong(Stock.SPACE.foreign(i));
        }
        result = new long[BULK / Long.SIZE];
    }

    @Benchmark
    public boolean hit() {
        return filter.mightContain(hits[next++ & (SAMPLE - 1)]);
    }

    @Benchmark
    public boolean miss() {
        return filter.mightContain(misses[next++ & (SAMPLE - 1)]);
    }

    @Benchmark
    @OperationsPerInvocation(BULK)
    public long[] bulkMiss() {
        next = (next + BULK) & (SAMPLE - 1);
        filter.mightContainEach(misses, next, BULK, result);
        return result;
    }
}
