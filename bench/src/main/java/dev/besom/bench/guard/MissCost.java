package dev.besom.bench.guard;

import dev.besom.AdaptiveFilter;
import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.filters.Filters;
import dev.besom.guard.Guard;
import dev.besom.guard.StoreGuard;
import dev.besom.hash.HashSecret;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import dev.besom.lab.workload.KeySpace;
import dev.besom.spi.Kind;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/** What a lookup costs that finds nothing. */
final class MissCost {

    private static final int ROUNDS = 31;
    private static final int QUERIES = 1 << 20;
    private static final long SEED = 0x6d697373;
    private static final long THREAD_NANOS = 500_000_000;

    /** Takes answers, so that the compiler cannot leave the queries out. */
    static volatile int sink;

    private MissCost() {}

    /** Keys to ask for, as objects, so that no measurement is one of boxing. */
    private static Long[] misses(int count) {
        KeySpace space = new KeySpace(SEED);
        Long[] keys = new Long[count];
        for (int i = 0; i < count; i++) {
            keys[i] = space.foreign(i);
        }
        return keys;
    }

    private static StoreGuard<Long, Long> guard(String kind, LongHasher hasher, long[] keys) {
        return Guard.builder(new HashDictionary(hasher, keys), hasher)
                .kind(kind)
                .capacity(keys.length)
                .open();
    }

    /**
     * Bare filter and guard in turns, with a plain and with a secret hasher.
     *
     * @param isMixed whether guards of all other kinds were asked before, so that the compiler cannot count on one kind
     */
    static void overhead(String kind, boolean isMixed, int n, PrintStream out) {
        out.println(GuardLab.format(
                "%s, %,d keys, misses, one thread, median of %d rounds in turns%s",
                kind, n, ROUNDS, isMixed ? ", after guards of all other kinds" : ""));
        if (isMixed) {
            askOthers(kind, n);
        }
        out.println("hasher          filter ns   guard ns   ratio");
        overhead("longs", kind, KeyHasher.longs(SEED), n, out);
        overhead("secretLongs", kind, KeyHasher.secretLongs(HashSecret.of(SEED, ~SEED)), n, out);
    }

    private static void askOthers(String kind, int n) {
        Long[] misses = misses(QUERIES);
        LongHasher hasher = KeyHasher.longs(SEED);
        long[] keys = new KeySpace(SEED).stored(n);
        for (Kind other : Filters.kinds()) {
            if (other.isAdaptive() && other.isGrowable() && !other.name().equals(kind)) {
                StoreGuard<Long, Long> guard = guard(other.name(), hasher, keys);
                for (int round = 0; round < 3; round++) {
                    sink = askGuard(guard, misses);
                }
            }
        }
    }

    private static void overhead(String name, String kind, LongHasher hasher, int n, PrintStream out) {
        long[] keys = new KeySpace(SEED).stored(n);
        StoreGuard<Long, Long> guard = guard(kind, hasher, keys);
        StoredHashes stored = guard.store().hashes();
        AdaptiveFilter filter = (AdaptiveFilter) Filters.kind(kind).make(FilterSpec.of(n, 1.0 / 256), stored);
        stored.forEachBetween(0, -1L, filter::insertHash);
        Long[] misses = misses(QUERIES);
        double[] bare = new double[ROUNDS];
        double[] guarded = new double[ROUNDS];
        double[] ratios = new double[ROUNDS];
        // The first rounds also repair what is a false positive, in both alike.
        for (int round = -10; round < ROUNDS; round++) {
            long start = System.nanoTime();
            sink = askFilter(filter, hasher, misses, round < 0);
            long middle = System.nanoTime();
            sink = askGuard(guard, misses);
            long end = System.nanoTime();
            if (round >= 0) {
                bare[round] = (double) (middle - start) / QUERIES;
                guarded[round] = (double) (end - middle) / QUERIES;
                ratios[round] = guarded[round] / bare[round];
            }
        }
        out.println(GuardLab.format("%-14s %10.1f %10.1f %7.2f", name, median(bare), median(guarded), median(ratios)));
    }

    /** Sees filters of one kind only, so that the compiler makes of it what it would make of that kind's own code. */
    private static int askFilter(AdaptiveFilter filter, LongHasher hasher, Long[] keys, boolean repairs) {
        int maybes = 0;
        for (Long key : keys) {
            long hash = hasher.hash(key.longValue());
            if (filter.mightContainHash(hash)) {
                maybes++;
                if (repairs) {
                    filter.repairHash(hash);
                }
            }
        }
        return maybes;
    }

    private static int askGuard(StoreGuard<Long, Long> guard, Long[] keys) {
        int found = 0;
        for (Long key : keys) {
            found += guard.get(key) == null ? 0 : 1;
        }
        return found;
    }

    /** One thread and two in turns. */
    static void threads(String kind, int n, PrintStream out) throws InterruptedException {
        LongHasher hasher = KeyHasher.secretLongs(HashSecret.of(SEED, ~SEED));
        StoreGuard<Long, Long> guard = guard(kind, hasher, new KeySpace(SEED).stored(n));
        Long[] misses = misses(QUERIES);
        for (int round = 0; round < 10; round++) {
            sink = askGuard(guard, misses);
        }
        int rounds = 11;
        double[] one = new double[rounds];
        double[] two = new double[rounds];
        double[] ratios = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            one[round] = lookupsPerSecond(guard, misses, 1);
            two[round] = lookupsPerSecond(guard, misses, 2);
            ratios[round] = two[round] / one[round];
        }
        out.println(GuardLab.format("%s, %,d keys, misses, median of %d rounds in turns", kind, n, rounds));
        out.println(GuardLab.format("1 thread   %.1f million lookups a second", median(one) / 1e6));
        out.println(GuardLab.format(
                "2 threads  %.1f million lookups a second, %.2f times as many", median(two) / 1e6, median(ratios)));
    }

    private static double lookupsPerSecond(StoreGuard<Long, Long> guard, Long[] misses, int threadCount)
            throws InterruptedException {
        AtomicLong lookups = new AtomicLong();
        Thread[] threads = new Thread[threadCount];
        long start = System.nanoTime();
        for (int t = 0; t < threadCount; t++) {
            // Each begins at another place.
            int offset = t * misses.length / threadCount;
            threads[t] = new Thread(() -> {
                long asked = 0;
                int at = offset;
                while (System.nanoTime() - start < THREAD_NANOS) {
                    for (int i = 0; i < 1024; i++) {
                        guard.get(misses[at]);
                        at = (at + 1) & (QUERIES - 1);
                    }
                    asked += 1024;
                }
                lookups.addAndGet(asked);
            });
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return lookups.get() * 1e9 / (System.nanoTime() - start);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
