package dev.besom.bench;

import dev.besom.AdaptiveFilter;
import dev.besom.lab.race.StoredKeys;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;

/** The first repairs of a full filter, the range read of hashes in memory included. */
public class RepairBenchmark extends KindBenchmark {

    private static final int BATCH = 64;

    private StoredKeys stored;
    private byte[] fresh;
    private long[] wrong;
    private AdaptiveFilter filter;

    /** Fills the filter and finds what it gets wrong. */
    @Setup
    public void prepare() throws IOException {
        long[] keys = Stock.SPACE.stored(n);
        stored = new StoredKeys(keys);
        fresh = Stock.save(fill(stored, keys));
        restore();
        wrong = new long[BATCH];
        int found = 0;
        for (long i = 0; found < BATCH; i++) {
            long hash = Stock.SPACE.foreign(i);
            if (filter.mightContainHash(hash)) {
                wrong[found++] = hash;
            }
        }
    }

    /** Undoes the repairs. */
    @Setup(Level.Invocation)
    public void restore() throws IOException {
        filter = (AdaptiveFilter) Stock.load(fresh, stored);
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public AdaptiveFilter repair() {
        AdaptiveFilter target = filter;
        for (long hash : wrong) {
            target.repairHash(hash);
        }
        return target;
    }
}
