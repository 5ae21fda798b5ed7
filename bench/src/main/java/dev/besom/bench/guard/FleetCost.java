package dev.besom.bench.guard;

import dev.besom.guard.Announcement;
import dev.besom.guard.Contract;
import dev.besom.guard.Guard;
import dev.besom.guard.StoreGuard;
import dev.besom.guard.jdbc.JdbcStore;
import dev.besom.guard.jdbc.JdbcTable;
import dev.besom.guard.jdbc.JdbcType;
import dev.besom.hash.KeyHasher;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.h2.jdbcx.JdbcConnectionPool;
import org.postgresql.ds.PGConnectionPoolDataSource;

/**
 * What a fleet before PostgreSQL costs: how long an announcement takes with so many members, how many new keys a second one member
 * stores, and what a lookup of a missing key takes beside that of a guard that is alone. Members are guards of one process with
 * connections of their own; the server is a process of its own and keeps what it has acknowledged only as long as it runs.
 */
final class FleetCost {

    private static final int WARM_UP = 50;
    private static final int THREADS = 16;
    private static final int MISSES = 1_000_000;
    private static final int TURNS = 9;

    private FleetCost() {}

    /** Announces and puts so many keys for each number of members. */
    static void run(int count, PrintStream out) throws IOException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setServerConfig("synchronous_commit", "on")
                .start()) {
            PGConnectionPoolDataSource server = new PGConnectionPoolDataSource();
            server.setUrl(postgres.getJdbcUrl("postgres", "postgres"));
            JdbcConnectionPool pool = JdbcConnectionPool.create(server);
            pool.setMaxConnections(80);
            for (int members : new int[] {2, 4, 8}) {
                measure(pool, members, count, out);
            }
            lookups(pool, out);
            pool.dispose();
        }
    }

    private static StoreGuard<Long, Long> open(JdbcConnectionPool pool, String table, Contract contract) {
        return Guard.builder(
                        JdbcStore.create(pool, JdbcTable.of(table, JdbcType.longs(), JdbcType.longs())),
                        KeyHasher.longs())
                .contract(contract)
                .open();
    }

    private static void measure(JdbcConnectionPool pool, int members, int count, PrintStream out) {
        List<StoreGuard<Long, Long>> fleet = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            fleet.add(open(pool, "fleet_of_" + members, Contract.fleet()));
        }
        StoreGuard<Long, Long> one = fleet.get(0);
        long[] nanos = new long[count];
        for (int i = -WARM_UP; i < count; i++) {
            long start = System.nanoTime();
            Announcement announced = one.announce((long) i);
            long time = System.nanoTime() - start;
            if (i >= 0) {
                nanos[i] = time;
            }
            announced.settle();
        }
        Arrays.sort(nanos);
        double single = rate(count, () -> LongStream.range(0, count).forEach(key -> one.put(1_000_000 + key, key)));
        double together = rate(count * 4, () -> {
            List<CompletableFuture<Void>> puts = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                long first = 2_000_000L + 100_000L * thread;
                puts.add(CompletableFuture.runAsync(() ->
                        LongStream.range(first, first + count * 4L / THREADS).forEach(key -> one.put(key, key))));
            }
            puts.forEach(CompletableFuture::join);
        });
        Map<Long, Long> many = new HashMap<>();
        LongStream.range(0, count * 10L).forEach(key -> many.put(5_000_000 + key, key));
        double bulk = rate(many.size(), () -> one.putAll(many));
        out.println(GuardLab.format(
                "%d members: announce median %.2f ms, 99 %% %.2f ms; puts a second: %.0f by one thread, %.0f by %d threads,"
                        + " %.0f by putAll",
                members, nanos[count / 2] / 1e6, nanos[count * 99 / 100] / 1e6, single, together, THREADS, bulk));
        fleet.forEach(Guard::close);
    }

    private static double rate(int count, Runnable work) {
        long start = System.nanoTime();
        work.run();
        return count * 1e9 / (System.nanoTime() - start);
    }

    /** Misses of a guard that is alone and of a member, in turns over tables of the same keys. */
    private static void lookups(JdbcConnectionPool pool, PrintStream out) {
        Map<Long, Long> values = new HashMap<>();
        LongStream.range(0, 100_000).forEach(key -> values.put(key, key));
        StoreGuard<Long, Long> alone = open(pool, "alone", Contract.sole());
        StoreGuard<Long, Long> member = open(pool, "together", Contract.fleet());
        StoreGuard<Long, Long> other = open(pool, "together", Contract.fleet());
        alone.putAll(values);
        other.putAll(values);
        double[][] nanos = new double[4][TURNS];
        for (int turn = -2; turn < TURNS; turn++) {
            double[] times = {
                missNanos(alone), missNanos(member), readNanos(System::nanoTime), readNanos(System::currentTimeMillis)
            };
            for (int i = 0; turn >= 0 && i < times.length; i++) {
                nanos[i][turn] = times[i];
            }
        }
        for (double[] times : nanos) {
            Arrays.sort(times);
        }
        out.println(GuardLab.format(
                "a miss: %.0f ns alone, %.0f ns in a fleet; a look at the monotonic clock %.0f ns, at the wall clock %.0f ns"
                        + " (medians of %d turns)",
                nanos[0][TURNS / 2], nanos[1][TURNS / 2], nanos[2][TURNS / 2], nanos[3][TURNS / 2], TURNS));
        List.of(alone, member, other).forEach(Guard::close);
    }

    private static double readNanos(LongSupplier clock) {
        long sum = 0;
        long start = System.nanoTime();
        for (int i = 0; i < MISSES; i++) {
            sum += clock.getAsLong();
        }
        long time = System.nanoTime() - start;
        return sum == 0 ? 0 : time / (double) MISSES;
    }

    private static double missNanos(StoreGuard<Long, Long> guard) {
        // The same keys in each turn: their false positives are paid for in the first.
        long start = System.nanoTime();
        for (long key = 1_000_000; key < 1_000_000 + MISSES; key++) {
            guard.containsKey(key);
        }
        return (System.nanoTime() - start) / (double) MISSES;
    }
}
