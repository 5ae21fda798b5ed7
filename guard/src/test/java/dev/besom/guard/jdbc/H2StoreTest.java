package dev.besom.guard.jdbc;

import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

class H2StoreTest extends JdbcPromises {

    private final JdbcDataSource source = new JdbcDataSource();

    H2StoreTest() {
        source.setURL("jdbc:h2:mem:" + System.identityHashCode(this) + ";DB_CLOSE_DELAY=-1");
    }

    @Override
    int refusals() {
        return 2_000;
    }

    @Override
    DataSource source() {
        return source;
    }
}
