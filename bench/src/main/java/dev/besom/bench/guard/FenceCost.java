package dev.besom.bench.guard;

import dev.besom.guard.Guard;
import dev.besom.guard.StoreGuard;
import dev.besom.guard.jdbc.JdbcStore;
import dev.besom.guard.jdbc.JdbcTable;
import dev.besom.guard.jdbc.JdbcType;
import dev.besom.hash.KeyHasher;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import org.h2.jdbcx.JdbcConnectionPool;
import org.postgresql.ds.PGConnectionPoolDataSource;

/**
 * What it costs on PostgreSQL that a guard which has lost its lease can change nothing: puts of a store that has a guard, whose
 * fence each of them passes, in turns with puts of a store that has none.
 */
final class FenceCost {

    private static final long SEED = 0x66656e63;
    private static final int WARM_UP = 300;

    private FenceCost() {}

    static void run(int count, PrintStream out) throws IOException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setServerConfig("synchronous_commit", "on")
                .start()) {
            PGConnectionPoolDataSource server = new PGConnectionPoolDataSource();
            server.setUrl(postgres.getJdbcUrl("postgres", "postgres"));
            JdbcConnectionPool pool = JdbcConnectionPool.create(server);
            JdbcStore<Long, Long> open = store(pool, "without_guard");
            JdbcStore<Long, Long> fenced = store(pool, "with_guard");
            try (StoreGuard<Long, Long> guard = Guard.over(fenced, KeyHasher.longs(SEED))) {
                long[] openNanos = new long[count];
                long[] fencedNanos = new long[count];
                for (int i = -WARM_UP; i < count; i++) {
                    long first = putNanos(open, i);
                    long second = putNanos(fenced, i);
                    if (i >= 0) {
                        openNanos[i] = first;
                        fencedNanos[i] = second;
                    }
                }
                Arrays.sort(openNanos);
                Arrays.sort(fencedNanos);
                out.println(GuardLab.format(
                        "a put, median of %,d: %.1f us without a fence, %.1f us with one; 99 %%: %.1f and %.1f us; %d keys are guarded",
                        count,
                        openNanos[count / 2] / 1e3,
                        fencedNanos[count / 2] / 1e3,
                        openNanos[count * 99 / 100] / 1e3,
                        fencedNanos[count * 99 / 100] / 1e3,
                        guard.store().hashes().count()));
            }
            pool.dispose();
        }
    }

    private static JdbcStore<Long, Long> store(JdbcConnectionPool pool, String table) {
        return JdbcStore.create(pool, JdbcTable.of(table, JdbcType.longs(), JdbcType.longs()));
    }

    private static long putNanos(JdbcStore<Long, Long> store, long key) {
        long start = System.nanoTime();
        store.put(key, KeyHasher.longs(SEED).hash(key), key);
        return System.nanoTime() - start;
    }
}
