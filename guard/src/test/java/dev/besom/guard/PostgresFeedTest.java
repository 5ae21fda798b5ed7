package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.jdbc.JdbcStore;
import dev.besom.guard.jdbc.JdbcTable;
import dev.besom.guard.jdbc.JdbcType;
import dev.besom.hash.KeyHasher;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGConnectionPoolDataSource;

/** What a guard promises beside writers that know nothing of it. */
class PostgresFeedTest {

    private static final Duration STALENESS = Duration.ofMillis(200);

    private static @Nullable EmbeddedPostgres postgres;
    private static @Nullable JdbcConnectionPool pool;

    private final List<Guard<?, ?>> opened = new ArrayList<>();

    @BeforeAll
    static void start() {
        try {
            EmbeddedPostgres started = EmbeddedPostgres.start();
            postgres = started;
            PGConnectionPoolDataSource server = new PGConnectionPoolDataSource();
            server.setUrl(started.getJdbcUrl("postgres", "postgres"));
            JdbcConnectionPool connections = JdbcConnectionPool.create(server);
            connections.setMaxConnections(50);
            pool = connections;
        } catch (IOException | IllegalStateException e) {
            System.err.println("SKIPPED: PostgreSQL does not start here, so nothing is tested on it: " + e);
            Assumptions.abort("PostgreSQL does not start: " + e);
        }
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

    @AfterEach
    void closeAll() {
        opened.forEach(Guard::close);
    }

    private static Connection connect() throws SQLException {
        return Objects.requireNonNull(pool).getConnection();
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static JdbcStore<Long, Long> store(String table) {
        return JdbcStore.create(Objects.requireNonNull(pool), JdbcTable.of(table, JdbcType.longs(), JdbcType.longs()));
    }

    private GuardBuilder<Long, StoreGuard<Long, Long>> builder(String table) {
        JdbcStore<Long, Long> store = store(table);
        store.createFeed();
        return Guard.builder(store, KeyHasher.longs()).shards(2).contract(Contract.feed(STALENESS));
    }

    private StoreGuard<Long, Long> follow(String table) {
        StoreGuard<Long, Long> guard = builder(table).open();
        opened.add(guard);
        return guard;
    }

    private static String insert(String table, long key) {
        return "INSERT INTO " + table + " (besom_key, besom_value) VALUES (" + key + ", " + key + ")";
    }

    /** What is committed before this call is in the filters when it returns. */
    private static void catchUp(StoreGuard<Long, Long> guard) {
        try (Announcement announced = guard.announce(0L)) {
            announced.settle();
        }
    }

    @Test
    void feedThatIsNotThereIsRefusedWithTheWayToMakeIt() {
        JdbcStore<Long, Long> store = store("unfed");
        assertThatThrownBy(() -> Guard.builder(store, KeyHasher.longs())
                        .contract(Contract.feed())
                        .open())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("createFeed");
        assertThat(store.feedStatements()).anyMatch(sql -> sql.startsWith("CREATE TRIGGER"));
    }

    @Test
    void noAnswerIsOlderThanThePromisedTime() throws SQLException {
        StoreGuard<Long, Long> guard = follow("timely");
        long staleness = STALENESS.toNanos();
        for (long key = 1; key <= 30; key++) {
            execute(insert("timely", key));
            long committed = System.nanoTime();
            boolean isFound = false;
            while (!isFound) {
                long begun = System.nanoTime();
                isFound = guard.containsKey(key);
                assertThat(isFound || begun - committed < staleness)
                        .as("a \"no\" that began %d ns after the commit", begun - committed)
                        .isTrue();
            }
        }
        LongStream.range(100, 200).forEach(guard::containsKey);
        assertThat(guard.statistics().answeredByFilter()).isPositive();
    }

    /** Trap: numbers and commits are not in the same order, and long transactions end when others have passed them. */
    @Test
    void rowOfALongTransactionIsFoundWhenItIsCommitted() throws SQLException {
        StoreGuard<Long, Long> guard = follow("overtaken");
        try (Connection slow = connect();
                Statement statement = slow.createStatement()) {
            slow.setAutoCommit(false);
            statement.execute(insert("overtaken", 1));
            for (long key = 2; key < 10; key++) {
                execute(insert("overtaken", key));
                catchUp(guard);
                assertThat(guard.containsKey(key)).isTrue();
            }
            slow.commit();
            slow.setAutoCommit(true);
        }
        catchUp(guard);
        assertThat(guard.containsKey(1L)).isTrue();
        assertThat(guard.count()).as("each is told once").isEqualTo(9);
    }

    @Test
    void copiesKeyChangesRemovalsAndTruncationAreFollowed() throws Exception {
        StoreGuard<Long, Long> guard = follow("varied");
        StoreGuard<Long, Long> other = follow("varied");
        try (Connection connection = connect()) {
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn("COPY varied (besom_key, besom_value) FROM STDIN", new StringReader("1\t1\n2\t2\n3\t3\n"));
        }
        catchUp(guard);
        LongStream.range(1, 4).forEach(key -> assertThat(guard.get(key)).isEqualTo(key));
        execute("UPDATE varied SET besom_key = besom_key + 10, besom_value = 0 WHERE besom_key > 1");
        catchUp(guard);
        assertThat(guard.containsAll(List.of(1L, 2L, 3L, 12L, 13L)))
                .isEqualTo(Map.of(1L, true, 2L, false, 3L, false, 12L, true, 13L, true));
        execute("DELETE FROM varied WHERE besom_key = 1");
        FleetPromises.await(() -> guard.count() == 2 && other.count() == 2);
        execute("TRUNCATE varied");
        execute(insert("varied", 5));
        FleetPromises.await(() -> guard.count() == 1 && other.count() == 1);
        assertThat(guard.put(6L, 6L)).isTrue();
        assertThat(guard.get(6L)).isEqualTo(6);
        assertThat(guard.putIfAbsent(6L, 7L)).isEqualTo(6);
        assertThat(guard.putIfAbsent(8L, 8L)).isNull();
        assertThat(guard.remove(5L)).isTrue();
        guard.putAll(Map.of(20L, 20L, 21L, 21L));
        assertThat(guard.getAll(List.of(5L, 6L, 8L, 20L, 21L))).containsOnlyKeys(6L, 8L, 20L, 21L);
        catchUp(other);
        assertThat(other.getAll(List.of(5L, 6L, 8L, 20L, 21L))).containsOnlyKeys(6L, 8L, 20L, 21L);
    }

    /** Rows get their hashes by whoever follows, who may have to wait for the rows; lookups do not. */
    @Test
    void rowsWithoutHashesAreFoundWhileTheyAreLocked() throws SQLException {
        execute("CREATE TABLE locked_rows (besom_key BIGINT PRIMARY KEY, besom_value BIGINT)");
        for (long key = 0; key < 50; key++) {
            execute(insert("locked_rows", key));
        }
        StoreGuard<Long, Long> guard = follow("locked_rows");
        LongStream.range(0, 50)
                .forEach(key -> assertThat(guard.containsKey(key)).isTrue());
        try (Connection holder = connect();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute(insert("locked_rows", 100));
            statement.execute("SAVEPOINT held");
            holder.commit();
            statement.execute("SELECT * FROM locked_rows WHERE besom_key = 100 FOR UPDATE");
            catchUp(guard);
            assertThat(guard.containsKey(100L)).isTrue();
            // Growth and repairs meet the slot of a key whose row has no hash.
            LongStream.range(200, 400).forEach(guard::containsKey);
            assertThat(guard.containsKey(100L)).isTrue();
            holder.rollback();
            holder.setAutoCommit(true);
        }
        JdbcStore<Long, Long> store = (JdbcStore<Long, Long>) guard.store();
        FleetPromises.await(() -> store.hashedCount() == 51);
    }

    @Test
    void guardThatHasNotFollowedForTooLongAsksTheStore() throws SQLException {
        ClockOfThread clock = new ClockOfThread();
        StoreGuard<Long, Long> guard = builder("asleep").clock(clock).open();
        opened.add(guard);
        FleetPromises.await(() -> guard.state() == GuardState.SERVING);
        clock.passed = STALENESS.toNanos();
        assertThat(guard.state()).isEqualTo(GuardState.LEASE_LOST);
        execute(insert("asleep", 1));
        assertThat(guard.get(1L)).isEqualTo(1);
    }

    @Test
    void guardsOfAFeedAreAsManyAsOneLikes() throws SQLException {
        List<StoreGuard<Long, Long>> guards = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 3; i++) {
            guards.add(follow("many"));
        }
        for (long key = 0; key < 20; key++) {
            execute(insert("many", key));
        }
        for (StoreGuard<Long, Long> guard : guards) {
            catchUp(guard);
            LongStream.range(0, 20)
                    .forEach(key -> assertThat(guard.containsKey(key)).isTrue());
        }
    }
}
