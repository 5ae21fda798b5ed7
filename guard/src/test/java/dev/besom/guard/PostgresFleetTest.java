package dev.besom.guard;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.util.Objects;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.postgresql.ds.PGConnectionPoolDataSource;

class PostgresFleetTest extends FleetPromises {

    private static @Nullable EmbeddedPostgres postgres;
    private static @Nullable JdbcConnectionPool pool;

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

    @Override
    DataSource source() {
        return Objects.requireNonNull(pool);
    }
}
