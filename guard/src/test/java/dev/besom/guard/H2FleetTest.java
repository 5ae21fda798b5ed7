package dev.besom.guard;

import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;

class H2FleetTest extends FleetPromises {

    private static final JdbcConnectionPool POOL =
            JdbcConnectionPool.create("jdbc:h2:mem:fleet;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000", "", "");

    static {
        // Each member keeps one.
        POOL.setMaxConnections(50);
    }

    @AfterAll
    static void stop() {
        POOL.dispose();
    }

    @Override
    DataSource source() {
        return POOL;
    }
}
