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
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.ToIntFunction;

/**
 * Where the time of a miss goes: the hash alone, the hash and a filter, and the guard, beside two Bloom filters of the guard's
 * memory: Besom's, and one whose bits lie anywhere. All are asked in turns with the same keys in one process; times are medians.
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
        out.println(
                "keys                     hash   + Bloom   + bits anywhere   + filter   guard   over Bloom   over anywhere");
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
        private final BloomFilter anywhere;
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
            bloom = bloom("lines", hashes);
            anywhere = bloom("enhanced-double", hashes);
        }

        /** A Bloom filter of the guard's memory. */
        private BloomFilter bloom(String scheme, long[] hashes) {
            BloomFilter made = Filters.makeHashFilter(
                    "bloom",
                    FilterSpec.of(hashes.length, 0.5)
                            .with("bits", Long.toString(guard.sizeInBits()))
                            .with("scheme", scheme),
                    StoredHashes.none(),
                    BloomFilter.class);
            for (long hash : hashes) {
                made.insertHash(hash);
            }
            return made;
        }

        void print(String name, SecretHash function, PrintStream out) {
            List<ToIntFunction<Object[]>> ways =
                    List.of(this::hashAll, this::askBloom, this::askAnywhere, this::askFilter, this::askGuard);
            double[][] times = new double[ways.size()][ROUNDS];
            for (int round = -WARM_UP; round < ROUNDS; round++) {
                for (int way = 0; way < times.length; way++) {
                    double time = time(ways.get(way));
                    if (round >= 0) {
                        times[way][round] = time;
                    }
                }
            }
            double[] guarded = times[4];
            out.println(GuardLab.format(
                    "%-17s %s %6.1f %9.1f %17.1f %10.1f %7.1f %12.2f %15.2f",
                    name,
                    function == SecretHash.SIPHASH_2_4 ? "2-4" : "1-3",
                    median(times[0]),
                    median(times[1]),
                    median(times[2]),
                    median(times[3]),
                    median(guarded),
                    median(ratios(guarded, times[1])),
                    median(ratios(guarded, times[2]))));
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

        // A loop for each, lest what the compiler learns from one filter slows the next.

        private int askAnywhere(Object[] keys) {
            int maybes = 0;
            for (Object key : keys) {
                maybes += anywhere.mightContainHash(hasher.hash(key(key))) ? 1 : 0;
            }
            return maybes;
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

    private static double[] ratios(double[] above, double[] below) {
        double[] ratios = new double[above.length];
        Arrays.setAll(ratios, i -> above[i] / below[i]);
        return ratios;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
