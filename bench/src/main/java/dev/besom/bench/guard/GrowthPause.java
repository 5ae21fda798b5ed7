package dev.besom.bench.guard;

import dev.besom.guard.Guard;
import dev.besom.guard.StoreGuard;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import dev.besom.lab.workload.KeySpace;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

/** What lookups see while every shard of a guard grows: one thread puts as fast as it can, and one asks. */
final class GrowthPause {

    private static final long SEED = 0x70617573;
    private static final int MOST_TIMES = 1 << 26;

    private GrowthPause() {}

    static void run(String kind, int n, PrintStream out) throws InterruptedException {
        LongHasher hasher = KeyHasher.longs(SEED);
        KeySpace space = new KeySpace(SEED);
        StoreGuard<Long, Long> guard = Guard.builder(new HashDictionary(hasher, space.stored(n)), hasher)
                .kind(kind)
                .capacity(n)
                .open();
        out.println(GuardLab.format("a %s guard of %,d keys in %d shards", kind, n, guard.shardCount()));
        AtomicBoolean isDone = new AtomicBoolean();
        long[] quiet = new long[2_000_000];
        ask(guard, space, quiet, isDone);
        print("lookups before", Arrays.copyOf(quiet, quiet.length), out);
        long[] times = new long[MOST_TIMES];
        int[] taken = new int[1];
        Thread reader = new Thread(() -> taken[0] = ask(guard, space, times, isDone));
        reader.start();
        int more = n / 8;
        long[] puts = new long[more];
        for (int i = 0; i < more; i++) {
            Long key = space.stored((long) n + i);
            long start = System.nanoTime();
            guard.put(key, key);
            puts[i] = System.nanoTime() - start;
        }
        isDone.set(true);
        reader.join();
        print("lookups while growing", Arrays.copyOf(times, taken[0]), out);
        print("puts while growing", puts, out);
        out.println(GuardLab.format(
                "%d shards grew, %,d keys were put", guard.statistics().growths(), more));
        for (int i = 0; i < n + more; i++) {
            if (guard.get(space.stored((long) i)) == null) {
                throw new AssertionError("key " + i + " was lost");
            }
        }
        out.println("every key is found");
    }

    /** Asks for missing keys and takes each one's time, until told to end or there is no room; returns how many. */
    private static int ask(StoreGuard<Long, Long> guard, KeySpace space, long[] times, AtomicBoolean isDone) {
        int taken = 0;
        while (taken < times.length && !isDone.get()) {
            Long key = space.foreign(taken);
            long start = System.nanoTime();
            guard.get(key);
            times[taken++] = System.nanoTime() - start;
        }
        return taken;
    }

    private static void print(String name, long[] times, PrintStream out) {
        Arrays.sort(times);
        out.println(GuardLab.format(
                "%-22s %,12d: median %.2f us, 99 %% %.2f us, 99.9 %% %.2f us, 99.99 %% %.2f us, longest %.2f ms",
                name,
                times.length,
                at(times, 0.5) / 1e3,
                at(times, 0.99) / 1e3,
                at(times, 0.999) / 1e3,
                at(times, 0.9999) / 1e3,
                times[times.length - 1] / 1e6));
    }

    private static double at(long[] sorted, double part) {
        return sorted[(int) (part * (sorted.length - 1))];
    }
}
