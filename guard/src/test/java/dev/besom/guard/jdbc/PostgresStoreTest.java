package dev.besom.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.Announcement;
import dev.besom.guard.Guard;
import dev.besom.guard.StoreGuard;
import dev.besom.guard.notes.OwnerNote;
import dev.besom.guard.store.Lease;
import dev.besom.guard.store.LeaseHeldException;
import dev.besom.guard.store.RejectedException;
import dev.besom.hash.KeyHasher;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGConnectionPoolDataSource;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresStoreTest implements JdbcPromises, SchemaPromises {

    private static @Nullable EmbeddedPostgres postgres;
    private static @Nullable JdbcConnectionPool pool;

    @BeforeAll
    static void start() {
        try {
            EmbeddedPostgres started = EmbeddedPostgres.start();
            postgres = started;
            pool = newPool(started);
        } catch (IOException | IllegalStateException e) {
            System.err.println("SKIPPED: PostgreSQL does not start here, so nothing is tested on it: " + e);
            Assumptions.abort("PostgreSQL does not start: " + e);
        }
    }

    private static JdbcConnectionPool newPool(EmbeddedPostgres started) {
        PGConnectionPoolDataSource server = new PGConnectionPoolDataSource();
        server.setUrl(started.getJdbcUrl("postgres", "postgres"));
        JdbcConnectionPool connections = JdbcConnectionPool.create(server);
        // Each guard keeps one, and some tests leave theirs open.
        connections.setMaxConnections(50);
        return connections;
    }

    @AfterAll
    static void stop() throws IOException {
        if (pool != null) {
            pool.dispose();
        }
        if (postgres != null) {
            postgres.close();
        }
    }

    @BeforeEach
    void empty() throws SQLException {
        try (Connection connection = source().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP SCHEMA public CASCADE");
            statement.execute("CREATE SCHEMA public");
            statement.execute("DROP SCHEMA IF EXISTS app, \"App\" CASCADE");
        }
    }

    /** The pool would give connections whose session has ended to the tests that follow. */
    private static DataSource unpooled() {
        return Objects.requireNonNull(postgres).getPostgresDatabase();
    }

    /** Its announcement is older than the epoch of the other guard, which has not seen the key. */
    @Test
    void transactionOfTheCallersChangesNothingOnceAnotherGuardHasStarted() throws Exception {
        JdbcTable<Long, Long> table = JdbcTable.of("fenced_transaction", JdbcType.longs(), JdbcType.longs());
        JdbcStore<Long, Long> store = JdbcStore.create(unpooled(), table);
        StoreGuard<Long, Long> older = Guard.over(store, KeyHasher.longs());
        older.put(1L, 1L);
        for (int isolation : List.of(Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ)) {
            try (Announcement announced = older.announce(7L);
                    Connection connection = unpooled().getConnection()) {
                connection.setAutoCommit(false);
                connection.setTransactionIsolation(isolation);
                assertThat(store.put(connection, 7L, announced.hash(), 7L)).isTrue();
                connection.rollback();
            }
        }
        try (Announcement announced = older.announce(7L);
                Connection late = unpooled().getConnection();
                Connection repeating = unpooled().getConnection()) {
            late.setAutoCommit(false);
            repeating.setAutoCommit(false);
            repeating.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            try (Statement statement = repeating.createStatement()) {
                statement.execute("SELECT 1 FROM fenced_transaction");
            }
            try (StoreGuard<Long, Long> newer = openAfterTheEndOfTheOthers(table)) {
                assertThatThrownBy(() -> store.put(late, 7L, announced.hash(), 7L))
                        .isInstanceOf(RejectedException.class);
                late.rollback();
                assertThatThrownBy(() -> store.remove(late, 1L)).isInstanceOf(RejectedException.class);
                late.rollback();
                assertThatThrownBy(() -> store.put(repeating, 7L, announced.hash(), 7L))
                        .isInstanceOf(RejectedException.class);
                repeating.rollback();
                assertThat(newer.containsKey(1L)).isTrue();
            }
        }
        older.close();
        pool = newPool(Objects.requireNonNull(postgres));
    }

    /**
     * Ends all sessions that have a lease and opens a guard. The older guard's thread looks for its lease at some time and may
     * be faster; then its session is ended once more.
     */
    private static StoreGuard<Long, Long> openAfterTheEndOfTheOthers(JdbcTable<Long, Long> table) throws SQLException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (true) {
            endSessionsWithLocks();
            try {
                return Guard.over(JdbcStore.create(unpooled(), table), KeyHasher.longs());
            } catch (LeaseHeldException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
            }
        }
    }

    private static void endSessionsWithLocks() throws SQLException {
        try (Connection connection = unpooled().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_terminate_backend(pid) FROM pg_locks"
                    + " WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid()");
        }
    }

    /** A guard whose lease was taken away by the end of its session, and that does not know it yet, changes nothing. */
    @Test
    void guardWhoseSessionHasEndedChangesNothingOnceAnotherOneHasStarted() throws Exception {
        JdbcTable<Long, Long> table = JdbcTable.of("fenced", JdbcType.longs(), JdbcType.longs());
        StoreGuard<Long, Long> older = Guard.over(JdbcStore.create(unpooled(), table), KeyHasher.longs());
        older.put(1L, 1L);
        StoreGuard<Long, Long> newer = openAfterTheEndOfTheOthers(table);
        for (long key = 100; key < 120; key++) {
            long each = key;
            assertThatThrownBy(() -> older.put(each, each))
                    .isInstanceOfAny(RejectedException.class, IllegalStateException.class);
            assertThatThrownBy(() -> older.remove(1L))
                    .isInstanceOfAny(RejectedException.class, IllegalStateException.class);
            assertThat(newer.put(-each, each)).isTrue();
            assertThat(older.get(-each))
                    .as("by the older guard, which has been told")
                    .isEqualTo(each);
        }
        assertThat(newer.store().contains(1L)).isTrue();
        assertThat(newer.store().hashes().count()).isEqualTo(21);
        older.close();
        newer.close();
        // Sessions of guards that other tests have left open have ended too, and their connections are in the pool.
        pool = newPool(Objects.requireNonNull(postgres));
    }

    /** A change that is in flight when another guard starts is seen by that guard. */
    @Test
    void guardThatStartsWaitsForChangesInFlight() throws Exception {
        JdbcTable<Long, Long> table = JdbcTable.of("in_flight", JdbcType.longs(), JdbcType.longs());
        JdbcStore<Long, Long> store = JdbcStore.create(source(), table);
        TableSql sql = TableSql.of(source(), table, null);
        JdbcFence fence = new JdbcFence(sql);
        try (JdbcLease lease = JdbcLease.acquire(source(), sql, fence, new NoListener())) {
            lease.beginEpoch(5, () -> OwnerNote.begin(store.notes(), 5));
            CountDownLatch within = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            CompletableFuture<Void> change = CompletableFuture.runAsync(() -> fence.change(source(), connection -> {
                within.countDown();
                await(goOn);
            }));
            within.await();
            CompletableFuture<Void> next =
                    CompletableFuture.runAsync(() -> lease.beginEpoch(6, () -> OwnerNote.begin(store.notes(), 6)));
            awaitWaitingLock();
            assertThat(OwnerNote.epoch(store.notes())).isEqualTo(5);
            goOn.countDown();
            change.get(60, TimeUnit.SECONDS);
            next.get(60, TimeUnit.SECONDS);
            assertThat(OwnerNote.epoch(store.notes())).isEqualTo(6);
            OwnerNote.begin(store.notes(), 7);
            assertThatThrownBy(() -> fence.change(source(), connection -> {})).isInstanceOf(RejectedException.class);
        }
    }

    /** Another guard may have begun the same epoch by then, and would not be told that it is over. */
    @Test
    void leaseThatWasLostBeginsNoEpochEvenIfItIsHeldAgain() throws Exception {
        JdbcTable<Long, Long> table = JdbcTable.of("held_again", JdbcType.longs(), JdbcType.longs());
        JdbcStore<Long, Long> store = JdbcStore.create(unpooled(), table);
        CountDownLatch regained = new CountDownLatch(1);
        Lease.Listener listener = new Lease.Listener() {
            @Override
            public void lost() {}

            @Override
            public void regained() {
                regained.countDown();
            }
        };
        try (Lease lease = store.acquireLease(listener)) {
            endSessionsWithLocks();
            assertThatThrownBy(() -> lease.beginEpoch(5, () -> OwnerNote.begin(store.notes(), 5)))
                    .isInstanceOf(LeaseHeldException.class);
            regained.await();
            assertThatThrownBy(() -> lease.beginEpoch(5, () -> OwnerNote.begin(store.notes(), 5)))
                    .isInstanceOf(LeaseHeldException.class);
        }
        assertThat(OwnerNote.epoch(store.notes())).isZero();
        try (Lease lease = store.acquireLease(listener)) {
            lease.beginEpoch(5, () -> OwnerNote.begin(store.notes(), 5));
        }
        assertThat(OwnerNote.epoch(store.notes())).isEqualTo(5);
        pool = newPool(Objects.requireNonNull(postgres));
    }

    private static final class NoListener implements Lease.Listener {
        @Override
        public void lost() {}

        @Override
        public void regained() {}
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Until somebody waits for an advisory lock. */
    private void awaitWaitingLock() throws SQLException {
        try (Connection connection = source().getConnection();
                Statement statement = connection.createStatement()) {
            boolean isWaiting = false;
            while (!isWaiting) {
                try (ResultSet rows = statement.executeQuery(
                        "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")) {
                    rows.next();
                    isWaiting = rows.getLong(1) > 0;
                }
            }
        }
    }

    @Override
    public DataSource source() {
        if (pool == null) {
            throw new IllegalStateException("PostgreSQL is not running");
        }
        return pool;
    }

    @Override
    public DataSource fromApp() {
        PGSimpleDataSource app = new PGSimpleDataSource();
        app.setUrl(Objects.requireNonNull(postgres).getJdbcUrl("postgres", "postgres"));
        app.setCurrentSchema("app,public");
        return app;
    }

    @Override
    public String looseText() {
        execute("CREATE COLLATION IF NOT EXISTS loose"
                + " (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
        return "VARCHAR(50) COLLATE loose";
    }

    @Override
    public boolean equatesMoreThanCase() {
        return true;
    }
}
