package dev.besom.bench;

import dev.besom.DeletableFilter;
import dev.besom.lab.race.StoredKeys;
import java.io.IOException;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;

/** Deletes from a full filter, one by one. The dictionary has given the keys up before, as it should. */
public class DeleteBenchmark extends KindBenchmark {

    private static final int BATCH = 1 << 10;

    private StoredKeys rest;
    private byte[] full;
    private long[] batch;
    private DeletableFilter filter;

    /** Fills the filter. */
    @Setup
    public void prepare() throws IOException {
        long[] keys = Stock.SPACE.stored(n);
        full = Stock.save(fill(new StoredKeys(keys), keys));
        rest = new StoredKeys(Arrays.copyOf(keys, n - BATCH));
        batch = Arrays.copyOfRange(keys, n - BATCH, n);
        restore();
    }

    /** Puts the deleted keys back. */
    @Setup(Level.Invocation)
    public void restore() throws IOException {
        filter = (DeletableFilter) Stock.load(full, rest);
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long delete() {
        DeletableFilter target = filter;
        long deleted = 0;
        for (long hash : batch) {
            deleted += target.deleteHash(hash) ? 1 : 0;
        }
        if (deleted != BATCH) {
            throw new IllegalStateException(kind + " deleted " + deleted + " of " + BATCH + " keys");
        }
        return deleted;
    }
}
