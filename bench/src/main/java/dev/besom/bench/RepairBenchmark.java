package dev.besom.bench;

import dev.besom.AdaptiveFilter;
import dev.besom.StoredHashes;
import dev.besom.lab.race.StoredKeys;
import dev.besom.stored.RehashableMemoryHashes;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;

/**
 * The first repairs of a full filter, the range reads of hashes in memory included. A broom filter moves keys to another hash
 * function meanwhile; {@code broom:moves=0} does not.
 */
public class RepairBenchmark extends KindBenchmark {

    private static final int BATCH = 64;

    private long[] sorted;
    private StoredHashes stored;
    private byte[] fresh;
    private long[] wrong;
    private AdaptiveFilter filter;

    /** Fills the filter and finds what it gets wrong. */
    @Setup
    public void prepare() throws IOException {
        long[] keys = Stock.SPACE.stored(n);
        sorted = new StoredKeys(keys).between(0, -1L);
        stored = RehashableMemoryHashes.of(sorted);
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
        if (filter != null && filter.adaptationStatistics().movedKeys() > 0) {
            stored = RehashableMemoryHashes.of(sorted);
        }
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
