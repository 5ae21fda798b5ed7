package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.jdbc.JdbcStore;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.PGConnection;

class PostgresFeedTest extends FeedPromises {

    @RegisterExtension
    static final PooledPostgres POSTGRES = new PooledPostgres();

    @Override
    DataSource source() {
        return POSTGRES.source();
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
    void copiesAndTruncationAreFollowed() throws Exception {
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
        execute("TRUNCATE varied");
        execute(insert("varied", 5));
        FleetPromises.await(() -> guard.count() == 1 && other.count() == 1);
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

    /** Trap: a trigger of somebody else's changes the key after Besom's has looked at it. */
    @Test
    void rowWhoseKeyATriggerHasChangedIsFoundByTheNextGuard() throws SQLException {
        execute("CREATE TABLE slugs (besom_key BIGINT PRIMARY KEY, besom_value BIGINT)");
        execute("CREATE FUNCTION set_slug() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN NEW.besom_key := NEW.besom_value; RETURN NEW; END $$");
        execute("CREATE TRIGGER set_slug BEFORE UPDATE ON slugs FOR EACH ROW EXECUTE FUNCTION set_slug()");
        StoreGuard<Long, Long> guard = builder("slugs").open();
        execute(insert("slugs", 1));
        JdbcStore<Long, Long> store = (JdbcStore<Long, Long>) guard.store();
        FleetPromises.await(() -> store.hashedCount() == 1);
        guard.close();
        execute("UPDATE slugs SET besom_value = 2");
        assertThat(follow("slugs").containsKey(2L)).isTrue();
    }

    /** While nothing is recorded, nothing is proven. */
    @Test
    void guardAsksTheStoreWhileTriggersAreOff() throws SQLException {
        StoreGuard<Long, Long> guard = follow("unrecorded");
        FleetPromises.await(() -> guard.state() == GuardState.SERVING);
        execute("ALTER TABLE unrecorded DISABLE TRIGGER besom_feed_unrecorded");
        FleetPromises.await(() -> guard.state() == GuardState.LEASE_LOST);
        execute(insert("unrecorded", 1));
        assertThat(guard.containsKey(1L)).isTrue();
        execute("ALTER TABLE unrecorded ENABLE ALWAYS TRIGGER besom_feed_unrecorded");
        FleetPromises.await(() -> guard.state() == GuardState.SERVING);
        assertThat(guard.containsKey(1L)).isTrue();
    }

    /** Trap: a part of the feed is trimmed while a guard sleeps. */
    @Test
    void guardThatMissesAPartOfTheFeedIsPrimedAnew() throws SQLException {
        List<Integer> primed = new CopyOnWriteArrayList<>();
        StoreGuard<Long, Long> guard = opened(
                builder("shortened").progress((done, total) -> primed.add(done)).open());
        primed.clear();
        // As if somebody had trimmed what a snapshot of the future saw.
        guard.store().notes().write("besom.feed.trimmed", "999999999:999999999:".getBytes(StandardCharsets.US_ASCII));
        FleetPromises.await(() -> primed.contains(2));
        guard.store().notes().remove("besom.feed.trimmed");
        execute(insert("shortened", 1));
        catchUp(guard);
        FleetPromises.await(() -> guard.state() == GuardState.SERVING);
        assertThat(guard.containsKey(1L)).isTrue();
    }
}
