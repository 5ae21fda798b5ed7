package dev.besom.guard;

import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

class H2DictionaryTest extends JdbcPromises {

    private final JdbcDataSource source = new JdbcDataSource();

    H2DictionaryTest() {
        source.setURL("jdbc:h2:mem:" + System.identityHashCode(this) + ";DB_CLOSE_DELAY=-1");
    }

    @Override
    DataSource source() {
        return source;
    }
}
