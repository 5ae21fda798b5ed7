package dev.besom.bench;

import dev.besom.MembershipFilter;
import dev.besom.lab.race.StoredKeys;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/** Making a filter and putting all keys in, as fast as the kind can. */
public class BuildBenchmark extends KindBenchmark {

    private long[] keys;
    private StoredKeys stored;

    /** Draws the keys. */
    @Setup
    public void draw() {
        keys = Stock.SPACE.stored(n);
        stored = new StoredKeys(keys);
    }

    @Benchmark
    public MembershipFilter build() {
        return fill(stored, keys);
    }
}
