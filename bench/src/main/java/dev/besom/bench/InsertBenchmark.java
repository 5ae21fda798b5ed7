package dev.besom.bench;

import dev.besom.LongKeyFilter;
import dev.besom.filters.Filters;
import dev.besom.lab.race.Preimages;
import dev.besom.lab.race.StoredKeys;
import java.io.IOException;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;

/** The last keys that a filter was planned for, hashed and put in one by one: where it is fullest. */
public class InsertBenchmark extends KindBenchmark {

    private static final int BATCH = 1 << 10;

    private StoredKeys stored;
    private byte[] before;
    private long[] batch;
    private LongKeyFilter.Insertable filter;

    /** Fills the filter up to the last keys. */
    @Setup
    public void prepare() throws IOException {
        long[] keys = Stock.SPACE.stored(n);
        stored = new StoredKeys(keys);
        before = Stock.save(fill(stored, Arrays.copyOf(keys, n - BATCH)));
        batch = new long[BATCH];
        Preimages.fill(keys, n - BATCH, BATCH, batch);
        restore();
    }

    /** Takes the last keys out again. */
    @Setup(Level.Invocation)
    public void restore() throws IOException {
        filter = Filters.of(Stock.load(before, stored), Preimages.HASHER).asInsertable();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public LongKeyFilter insert() {
        LongKeyFilter.Insertable target = filter;
        for (long key : batch) {
            target.add(key);
        }
        return target;
    }
}
