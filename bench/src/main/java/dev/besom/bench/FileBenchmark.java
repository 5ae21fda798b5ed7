package dev.besom.bench;

import dev.besom.MembershipFilter;
import dev.besom.codec.FilterCodec;
import dev.besom.hash.HasherStamp;
import dev.besom.lab.race.StoredKeys;
import dev.besom.spi.PersistentFilter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/** Writing a full filter to bytes in memory, and reading it back with all checks. */
public class FileBenchmark extends KindBenchmark {

    private StoredKeys stored;
    private PersistentFilter filter;
    private byte[] saved;
    private ByteArrayOutputStream target;

    /** Fills the filter. */
    @Setup
    public void prepare() throws IOException {
        long[] keys = Stock.SPACE.stored(n);
        stored = new StoredKeys(keys);
        filter = (PersistentFilter) fill(stored, keys);
        saved = Stock.save(filter);
        target = new ByteArrayOutputStream(saved.length);
    }

    @Benchmark
    public int save() throws IOException {
        target.reset();
        FilterCodec.write(filter, HasherStamp.NONE, target);
        return target.size();
    }

    @Benchmark
    public MembershipFilter load() throws IOException {
        return Stock.load(saved, stored);
    }
}
