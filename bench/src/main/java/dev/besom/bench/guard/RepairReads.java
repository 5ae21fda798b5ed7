package dev.besom.bench.guard;

import dev.besom.guard.Guard;
import dev.besom.guard.GuardStatistics;
import dev.besom.guard.RepairPolicy;
import dev.besom.guard.StoreGuard;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import dev.besom.lab.workload.KeySpace;
import dev.besom.lab.workload.QueryStream;
import dev.besom.lab.workload.Workload;
import dev.besom.lab.workload.Workloads;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What false positives cost under each policy of repairs, counted in reads of the store and so the same in every run: reads
 * that found nothing, and reads that repairs made. The best that anybody could do who knows the stream beforehand is, for
 * each false positive, to let it be or to repair it when it first shows.
 */
final class RepairReads {

    private static final long SEED = 0x726570;
    private static final double RATE = 1.0 / 256;
    private static final int QUERIES_PER_KEY = 20;

    private RepairReads() {}

    static void run(String kind, int n, PrintStream out) {
        out.println(GuardLab.format(
                "%s, %,d keys, %,d lookups of missing keys; reads of the store", kind, n, (long) n * QUERIES_PER_KEY));
        out.println("stream            policy             wasted    repairs   together   times the best      saved");
        Map<String, String> streams = new LinkedHashMap<>();
        streams.put("zipf 1.5", "zipf:1.5");
        streams.put("zipf 1.2", "zipf:1.2");
        streams.put("zipf 1.0", "zipf:1.0");
        streams.put("zipf 0.8", "zipf:0.8");
        streams.put("uniform, 20 each", "zipf:0:" + n);
        streams.put("uniform, 2 each", "zipf:0:" + 10L * n);
        streams.put("one pass", "uniform");
        streams.forEach((name, workload) -> run(kind, n, name, workload, out));
    }

    private static void run(String kind, int n, String name, String workload, PrintStream out) {
        LongHasher hasher = KeyHasher.longs(SEED);
        KeySpace space = new KeySpace(SEED);
        long[] keys = space.stored(n);
        long best = 0;
        Map<String, RepairPolicy> policies = new LinkedHashMap<>();
        policies.put("never", RepairPolicy.atBreakEven(Double.MAX_VALUE));
        policies.put("at break-even", RepairPolicy.atBreakEven(1));
        policies.put("at once", RepairPolicy.atOnce());
        for (Map.Entry<String, RepairPolicy> policy : policies.entrySet()) {
            Map<Long, Integer> reads = new HashMap<>();
            HashDictionary dictionary = new HashDictionary(hasher, keys, key -> reads.merge(key, 1, Integer::sum));
            StoreGuard<Long, Long> guard = Guard.builder(dictionary, hasher)
                    .kind(kind)
                    .capacity(n)
                    .fpp(RATE)
                    .repairs(policy.getValue())
                    .open();
            ask(guard, space, workload, n);
            GuardStatistics statistics = guard.statistics();
            if (policy.getKey().equals("never")) {
                // A repair reads one range.
                best = reads.values().stream()
                        .mapToLong(times -> Math.min(times, 2))
                        .sum();
                out.println(GuardLab.format("%-17s %-14s %,32d", name, "the best", best));
            }
            out.println(GuardLab.format(
                    "%-17s %-14s %,10d %,10d %,10d %16.2f %,10d",
                    name,
                    policy.getKey(),
                    statistics.lookups().wasted(),
                    statistics.reads().byRepairs(),
                    statistics.readsSpent(),
                    (double) statistics.readsSpent() / best,
                    statistics.reads().saved()));
            guard.close();
        }
    }

    private static void ask(StoreGuard<Long, Long> guard, KeySpace space, String workload, int n) {
        if (!(Workloads.parse(workload) instanceof Workload.Stream known)) {
            throw new IllegalStateException(workload + " is no stream");
        }
        try (QueryStream stream = known.open(space, n)) {
            for (long i = (long) n * QUERIES_PER_KEY; i > 0; i--) {
                if (guard.get(stream.next()) != null) {
                    throw new AssertionError("a key was found that was never stored");
                }
            }
        }
    }
}
