package dev.besom.bench;

import dev.besom.InsertableFilter;
import dev.besom.lab.race.StoredKeys;
import java.io.IOException;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;

/** The last keys that a filter was planned for, one by one: where it is fullest. */
public class InsertBenchmark extends KindBenchmark {

    private static final int BATCH = 1 << 10;

    private StoredKeys stored;
    private byte[] before;
    private long[] batch;
    private InsertableFilter filter;

    /** Fills the filter up to the last keys. */
    @Setup
    public void prepare() throws IOException {
        long[] keys = Stock.SPACE.stored(n);
        stored = new StoredKeys(keys);
        before = Stock.save(fill(stored, Arrays.copyOf(keys, n - BATCH)));
        batch = Arrays.copyOfRange(keys, n - BATCH, n);
        restore();
    }

    /** Takes the last keys out again. */
    @Setup(Level.Invocation)
    public void restore() throws IOException {
        filter = (InsertableFilter) Stock.load(before, stored);
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public InsertableFilter insert() {
        InsertableFilter target = filter;
        for (long hash : batch) {
            target.insertHash(hash);
        }
        return target;
    }
}
