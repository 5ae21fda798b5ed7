package dev.besom.bench.guard;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.bloom.BloomFilter;
import dev.besom.filters.Filters;
import dev.besom.guard.Guard;
import dev.besom.guard.StoreGuard;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import dev.besom.lab.workload.KeySpace;
import dev.besom.lab.workload.QueryStream;
import dev.besom.lab.workload.Workload;
import dev.besom.lab.workload.Workloads;
import java.io.PrintStream;
import java.util.Arrays;

/** What a guard and a Bloom filter of its memory waste on the same skewed misses. */
final class PayOnce {

    private static final long SEED = 0x706179;
    private static final double RATE = 1.0 / 256;
    private static final int QUERIES_PER_KEY = 20;

    private PayOnce() {}

    static void run(int n, PrintStream out) {
        out.println(GuardLab.format(
                "%,d keys, %,d lookups of missing keys, Zipf over %,d", n, n * QUERIES_PER_KEY, 10L * n));
        out.println(
                "exponent   distinct     guard   of 1.1*rate*distinct   Bloom, counted   Bloom, on average   times");
        for (String exponent : new String[] {"1.0", "1.2", "1.5"}) {
            run(n, exponent, out);
        }
    }

    private static void run(int n, String exponent, PrintStream out) {
        LongHasher hasher = KeyHasher.longs(SEED);
        KeySpace space = new KeySpace(SEED);
        long[] keys = space.stored(n);
        StoreGuard<Long, Long> guard = Guard.builder(new HashDictionary(hasher, keys), hasher)
                .capacity(n)
                .fpp(RATE)
                .open();
        BloomFilter bloom = Filters.makeHashFilter(
                "bloom",
                FilterSpec.of(n, 0.5)
                        .with("bits", Long.toString(guard.sizeInBits()))
                        .with("scheme", "enhanced-double"),
                StoredHashes.none(),
                BloomFilter.class);
        for (long key : keys) {
            bloom.insertHash(hasher.hash(key));
        }
        long[] asked = new long[n * QUERIES_PER_KEY];
        if (!(Workloads.parse("zipf:" + exponent) instanceof Workload.Stream workload)) {
            throw new IllegalStateException("a Zipf workload is a stream");
        }
        try (QueryStream stream = workload.open(space, n)) {
            for (int i = 0; i < asked.length; i++) {
                asked[i] = stream.next();
            }
        }
        long bloomWasted = 0;
        for (long key : asked) {
            bloomWasted += bloom.mightContainHash(hasher.hash(key)) ? 1 : 0;
            if (guard.get(key) != null) {
                throw new AssertionError("a key was found that was never stored");
            }
        }
        long wasted = guard.statistics().lookups().wasted();
        double average = bloom.expectedFpp() * asked.length;
        Arrays.sort(asked);
        long distinct = 0;
        for (int i = 0; i < asked.length; i++) {
            distinct += i == 0 || asked[i] != asked[i - 1] ? 1 : 0;
        }
        out.println(GuardLab.format(
                "%-8s %,10d %,9d %18.1f %% %,19d %,19.0f %7.1f",
                exponent,
                distinct,
                wasted,
                100 * wasted / (1.1 * RATE * distinct),
                bloomWasted,
                average,
                average / wasted));
    }
}
