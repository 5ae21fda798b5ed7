package dev.besom.bench.guard;

import dev.besom.AdaptiveFilter;
import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.bloom.BloomFilter;
import dev.besom.filters.Filters;
import dev.besom.guard.Guard;
import dev.besom.guard.StoreGuard;
import dev.besom.guard.store.MemoryStore;
import dev.besom.hash.HashSecret;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.SecretHash;
import dev.besom.lab.workload.KeySpace;
import dev.besom.stored.MemoryHashes;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.function.LongFunction;
import java.util.function.ToIntFunction;

/**
 * Where the time of a miss goes: the hash alone, the hash and a filter, and the guard, beside a Bloom filter of the guard's
 * memory. All are asked in turns with the same keys in one process; times are medians.
 */
final class LookupParts {

    private static final int ROUNDS = 21;
    private static final int WARM_UP = 8;
    private static final int QUERIES = 1 << 19;
    private static final long SEED = 0x70617274;

    private LookupParts() {}

    static void run(String kind, int n, PrintStream out) {
        HashSecret secret = HashSecret.of(SEED, ~SEED);
        out.println(GuardLab.format(
                "%s, %,d keys, misses, one thread, medians of %d rounds in turns, ns", kind, n, ROUNDS));
        out.println("keys                     hash   hash, Bloom   hash, filter   guard   guard / Bloom");
        for (SecretHash function : SecretHash.values()) {
            new Parts<>(kind, n, i -> Long.valueOf(i), KeyHasher.secretLongs(secret, function))
                    .print("longs", function, out);
            new Parts<>(kind, n, LookupParts::text, KeyHasher.secretUtf8(secret, function))
                    .print("texts of 40 chars", function, out);
        }
    }

    /** A text of 40 ASCII characters. */
    private static String text(long number) {
        return GuardLab.format("https://besom.dev/catalogue/%012x", number & 0xFFFFFFFFFFFFL);
    }

    /** What is asked, for keys of one type. */
    private static final class Parts<K> {

        private final KeyHasher<? super K> hasher;
        private final Object[] misses = new Object[QUERIES];
        private final BloomFilter bloom;
        private final AdaptiveFilter filter;
        private final StoreGuard<K, Boolean> guard;

        Parts(String kind, int n, LongFunction<K> keys, KeyHasher<? super K> hasher) {
            this.hasher = hasher;
            KeySpace space = new KeySpace(SEED);
            MemoryStore<K, Boolean> store = new MemoryStore<>();
            long[] hashes = new long[n];
            for (int i = 0; i < n; i++) {
                K key = keys.apply(space.stored((long) i));
                hashes[i] = hasher.hash(key);
                store.put(key, hashes[i], true);
            }
            for (int i = 0; i < QUERIES; i++) {
                misses[i] = keys.apply(space.foreign(i));
            }
            MemoryHashes stored = MemoryHashes.of(hashes);
            filter = (AdaptiveFilter) Filters.kind(kind).make(FilterSpec.of(n, 1.0 / 256), stored);
            stored.forEachBetween(0, -1L, filter::insertHash);
            guard = Guard.builder(store, hasher).kind(kind).capacity(n).open();
            bloom = Filters.makeHashFilter(
                    "bloom",
                    FilterSpec.of(n, 0.5).with("bits", Long.toString(guard.sizeInBits())),
                    StoredHashes.none(),
                    BloomFilter.class);
            for (long hash : hashes) {
                bloom.insertHash(hash);
            }
        }

        void print(String name, SecretHash function, PrintStream out) {
            double[] hash = new double[ROUNDS];
            double[] withBloom = new double[ROUNDS];
            double[] withFilter = new double[ROUNDS];
            double[] guarded = new double[ROUNDS];
            double[] ratios = new double[ROUNDS];
            for (int round = -WARM_UP; round < ROUNDS; round++) {
                double first = time(this::hashAll);
                double second = time(this::askBloom);
                double third = time(this::askFilter);
                double fourth = time(this::askGuard);
                if (round >= 0) {
                    hash[round] = first;
                    withBloom[round] = second;
                    withFilter[round] = third;
                    guarded[round] = fourth;
                    ratios[round] = fourth / second;
                }
            }
            out.println(GuardLab.format(
                    "%-17s %s %6.1f %10.1f %12.1f %11.1f %11.2f",
                    name,
                    function == SecretHash.SIPHASH_2_4 ? "2-4" : "1-3",
                    median(hash),
                    median(withBloom),
                    median(withFilter),
                    median(guarded),
                    median(ratios)));
        }

        private double time(ToIntFunction<Object[]> asking) {
            long start = System.nanoTime();
            MissCost.sink = asking.applyAsInt(misses);
            return (double) (System.nanoTime() - start) / QUERIES;
        }

        @SuppressWarnings("unchecked") // all are of this type
        private K key(Object miss) {
            return (K) miss;
        }

        private int hashAll(Object[] keys) {
            long all = 0;
            for (Object key : keys) {
                all += hasher.hash(key(key));
            }
            return (int) all;
        }

        private int askBloom(Object[] keys) {
            int maybes = 0;
            for (Object key : keys) {
                maybes += bloom.mightContainHash(hasher.hash(key(key))) ? 1 : 0;
            }
            return maybes;
        }

        private int askFilter(Object[] keys) {
            int maybes = 0;
            for (Object key : keys) {
                maybes += filter.mightContainHash(hasher.hash(key(key))) ? 1 : 0;
            }
            return maybes;
        }

        private int askGuard(Object[] keys) {
            int found = 0;
            for (Object key : keys) {
                found += guard.get(key(key)) == null ? 0 : 1;
            }
            return found;
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
