package dev.besom.bench.guard;

import dev.besom.guard.Guard;
import dev.besom.guard.StoreGuard;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import dev.besom.lab.workload.KeySpace;
import dev.besom.rocksdb.ByteForm;
import dev.besom.rocksdb.RocksStore;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Lookups of many keys at once beside the same lookups one by one, in turns, over a store of RocksDB. */
final class BulkCost {

    private static final long SEED = 0x62756C;
    private static final int BATCH = 10_000;
    private static final int ROUNDS = 41;

    private BulkCost() {}

    static void run(String kind, int n, PrintStream out) throws IOException {
        Path folder = Files.createTempDirectory("besom-bulk");
        try {
            LongHasher hasher = KeyHasher.longs(SEED);
            KeySpace space = new KeySpace(SEED);
            RocksStore<Long, Long> store = RocksStore.open(folder, ByteForm.longs(), ByteForm.longs());
            for (int from = 0; from < n; from += BATCH) {
                List<Long> keys = keys(space, from, Math.min(n, from + BATCH), 1);
                store.putAllNew(
                        keys, keys.stream().mapToLong(hasher::hash).toArray(), Collections.nCopies(keys.size(), 1L));
            }
            try (StoreGuard<Long, Long> guard =
                    Guard.builder(store, hasher).kind(kind).open()) {
                out.println(GuardLab.format("%s, %,d keys, %,d lookups; medians of %d", kind, n, BATCH, ROUNDS));
                out.println("stored   one by one, ns a key   at once, ns a key   times");
                for (double part : new double[] {0, 0.1, 0.5, 1}) {
                    compare(guard, space, n, part, out);
                }
            }
        } finally {
            delete(folder);
        }
    }

    private static void compare(StoreGuard<Long, Long> guard, KeySpace space, int n, double part, PrintStream out) {
        double[] single = new double[ROUNDS];
        double[] bulk = new double[ROUNDS];
        for (int round = -ROUNDS / 2; round < ROUNDS; round++) {
            List<Long> keys =
                    keys(space, Math.floorMod(round * BATCH, n), Math.floorMod(round * BATCH, n) + BATCH, part);
            // Whoever is first pays for repairs, so they take turns.
            double one = round % 2 == 0 ? single(guard, keys) : 0;
            double all = bulk(guard, keys);
            one = round % 2 == 0 ? one : single(guard, keys);
            if (round >= 0) {
                single[round] = one;
                bulk[round] = all;
            }
        }
        Arrays.sort(single);
        Arrays.sort(bulk);
        out.println(GuardLab.format(
                "%5.0f %% %18.0f %20.0f %12.2f",
                100 * part, single[ROUNDS / 2], bulk[ROUNDS / 2], single[ROUNDS / 2] / bulk[ROUNDS / 2]));
    }

    private static double single(StoreGuard<Long, Long> guard, List<Long> keys) {
        long found = 0;
        long start = System.nanoTime();
        for (Long key : keys) {
            found += guard.get(key) == null ? 0 : 1;
        }
        return perKey(start, keys, found);
    }

    private static double bulk(StoreGuard<Long, Long> guard, List<Long> keys) {
        long start = System.nanoTime();
        return perKey(start, keys, guard.getAll(keys).size());
    }

    private static double perKey(long start, List<Long> keys, long found) {
        double nanos = (double) (System.nanoTime() - start) / keys.size();
        if (found > keys.size()) {
            throw new AssertionError("more found than asked for");
        }
        return nanos;
    }

    /** Keys of which a part is stored. */
    private static List<Long> keys(KeySpace space, int from, int to, double part) {
        List<Long> keys = new ArrayList<>();
        for (int i = from; i < to; i++) {
            boolean isStored = (i % 10) < part * 10;
            keys.add(isStored ? space.stored((long) i) : space.foreign(i));
        }
        return keys;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
