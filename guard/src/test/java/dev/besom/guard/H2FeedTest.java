package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class H2FeedTest extends FeedPromises {

    private static final JdbcConnectionPool POOL =
            JdbcConnectionPool.create("jdbc:h2:mem:feed;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000", "", "");

    @AfterAll
    static void stop() {
        POOL.dispose();
    }

    @Override
    DataSource source() {
        return POOL;
    }

    /** Trap: a part of the feed is trimmed while a guard sleeps. */
    @Test
    void guardThatMissesAPartOfTheFeedIsPrimedAnew() throws SQLException {
        List<Integer> primed = new CopyOnWriteArrayList<>();
        StoreGuard<Long, Long> guard = opened(
                builder("shortened").progress((done, total) -> primed.add(done)).open());
        primed.clear();
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(insert("shortened", 1));
            statement.execute("DELETE FROM besom_feed_shortened");
            statement.execute(insert("shortened", 2));
            connection.commit();
            connection.setAutoCommit(true);
        }
        FleetPromises.await(() -> primed.contains(2) && guard.state() == GuardState.SERVING);
        assertThat(guard.containsKey(1L) && guard.containsKey(2L)).isTrue();
    }
}
