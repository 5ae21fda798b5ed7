package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.jdbc.JdbcStore;
import dev.besom.guard.jdbc.JdbcTable;
import dev.besom.guard.jdbc.JdbcType;
import dev.besom.hash.KeyHasher;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A feed before a server of PostgreSQL that crashes. Transactions that were rolled back are not waited for by anybody, so the
 * crash takes back their numbers, which readers have seen end, and others get them.
 */
class FeedCrashTest {

    private static final Duration STALENESS = Duration.ofMillis(400);
    private static final int KEYS = 50;

    private EmbeddedPostgres server;
    private DataSource source;

    @BeforeEach
    void start() {
        try {
            // The end of the log stays in memory for so long, whatever the load of the machine.
            server = EmbeddedPostgres.builder()
                    .setServerConfig("wal_writer_delay", "10s")
                    .start();
        } catch (IOException | IllegalStateException e) {
            System.err.println("SKIPPED: PostgreSQL does not start here, so nothing is tested on it: " + e);
            Assumptions.abort("PostgreSQL does not start: " + e);
        }
        PGSimpleDataSource plain = new PGSimpleDataSource();
        plain.setUrl(server.getJdbcUrl("postgres", "postgres"));
        source = plain;
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private static long number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private long rollBackMany() throws SQLException {
        long last = 0;
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < 60; i++) {
                last = number(connection, "SELECT pg_current_xact_id()::text::bigint");
                connection.rollback();
            }
        }
        return last;
    }

    /** The death of one of its processes makes the server give up all that it has in memory. */
    private void crash() throws SQLException {
        try (Connection connection = source.getConnection()) {
            long pid = number(connection, "SELECT pg_backend_pid()");
            ProcessHandle backend = ProcessHandle.of(pid).orElseThrow();
            assertThat(backend.destroyForcibly()).isTrue();
            FleetPromises.await(() -> !isValid(connection));
        }
    }

    private static boolean isValid(Connection connection) {
        try {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }

    private Connection connectAgain() {
        Connection[] connection = new Connection[1];
        FleetPromises.await(() -> {
            try {
                connection[0] = source.getConnection();
                return true;
            } catch (SQLException e) {
                return false;
            }
        });
        return connection[0];
    }

    @Test
    void rowsOfTransactionsWhoseNumbersACrashGaveBackAreFound() throws SQLException {
        JdbcStore<Long, Long> store =
                JdbcStore.create(source, JdbcTable.of("crashed", JdbcType.longs(), JdbcType.longs()));
        store.createFeed();
        try (StoreGuard<Long, Long> guard = Guard.builder(store, KeyHasher.longs())
                .shards(2)
                .contract(Contract.feed(STALENESS))
                .open()) {
            long lastSeen = rollBackMany();
            // Twice, so that a poll that was sent afterwards has ended.
            FeedPromises.catchUp(guard);
            FeedPromises.catchUp(guard);
            crash();
            try (Connection connection = connectAgain();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                for (long key = 0; key < KEYS; key++) {
                    statement.execute(FeedPromises.insert("crashed", key));
                    if (key == 0) {
                        Assumptions.assumeTrue(
                                number(connection, "SELECT pg_current_xact_id()::text::bigint") <= lastSeen,
                                "the server has kept all numbers");
                    }
                    connection.commit();
                }
            }
            FeedPromises.catchUp(guard);
            FleetPromises.await(() -> guard.state() == GuardState.SERVING);
            assertThat(LongStream.range(0, KEYS).filter(key -> !guard.containsKey(key)))
                    .as("hidden keys")
                    .isEmpty();
        }
    }
}
