package dev.besom.guard;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.util.Objects;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.postgresql.ds.PGConnectionPoolDataSource;

/**
 * A PostgreSQL server with a pool of connections, for the tests of one class; of its own, as tests look at the locks of the whole
 * server. Where none starts, the tests are skipped and say so.
 */
final class PooledPostgres implements BeforeAllCallback, AfterAllCallback {

    private static final int MOST_CONNECTIONS = 50;

    private @Nullable EmbeddedPostgres server;
    private @Nullable JdbcConnectionPool pool;

    @Override
    public void beforeAll(ExtensionContext context) {
        try {
            server = EmbeddedPostgres.start();
        } catch (IOException | IllegalStateException e) {
            System.err.println("SKIPPED: PostgreSQL does not start here, so nothing is tested on it: " + e);
            Assumptions.abort("PostgreSQL does not start: " + e);
        }
        PGConnectionPoolDataSource source = new PGConnectionPoolDataSource();
        source.setUrl(url());
        pool = JdbcConnectionPool.create(source);
        pool.setMaxConnections(MOST_CONNECTIONS);
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (pool != null) {
            pool.dispose();
        }
        if (server != null) {
            server.close();
        }
    }

    /** The address of its database. */
    String url() {
        return Objects.requireNonNull(server).getJdbcUrl("postgres", "postgres");
    }

    DataSource source() {
        return Objects.requireNonNull(pool);
    }
}
