package dev.besom.bench;

import dev.besom.MembershipFilter;
import dev.besom.StoredHashes;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What all benchmarks share: a contender, how many keys, and the rate it is planned for. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public abstract class KindBenchmark {

    /** {@link Suite} says who takes part; the one here is only for those who call JMH by hand. */
    @Param("telescoping")
    public String kind = "";

    @Param("1000000")
    public int n;

    @Param("0.01")
    public double fpp;

    /** A filter planned for {@code n} keys that holds the given ones. */
    final MembershipFilter fill(StoredHashes stored, long[] keys) {
        return Stock.fill(kind, n, fpp, stored, keys);
    }
}
