package dev.besom.guard;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Assumptions;
import org.postgresql.ds.PGConnectionPoolDataSource;

/** A PostgreSQL server of its own with a pool of connections, for the tests of one class. */
record PooledPostgres(EmbeddedPostgres server, JdbcConnectionPool pool) {

    private static final int MOST_CONNECTIONS = 50;

    /** Starts a server; where none starts, the tests are skipped and say so. */
    static PooledPostgres start() {
        try {
            EmbeddedPostgres started = EmbeddedPostgres.start();
            PGConnectionPoolDataSource source = new PGConnectionPoolDataSource();
            source.setUrl(started.getJdbcUrl("postgres", "postgres"));
            JdbcConnectionPool connections = JdbcConnectionPool.create(source);
            connections.setMaxConnections(MOST_CONNECTIONS);
            return new PooledPostgres(started, connections);
        } catch (IOException | IllegalStateException e) {
            System.err.println("SKIPPED: PostgreSQL does not start here, so nothing is tested on it: " + e);
            return Assumptions.abort("PostgreSQL does not start: " + e);
        }
    }

    DataSource source() {
        return pool;
    }

    void stop() throws IOException {
        pool.dispose();
        server.close();
    }
}
