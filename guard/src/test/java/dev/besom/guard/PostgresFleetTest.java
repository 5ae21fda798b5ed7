package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.jdbc.JdbcStore;
import dev.besom.guard.jdbc.JdbcTable;
import dev.besom.guard.jdbc.JdbcType;
import dev.besom.guard.store.LeaseHeldException;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.KeyHasher;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresFleetTest extends FleetPromises {

    @RegisterExtension
    static final PooledPostgres POSTGRES = new PooledPostgres();

    @Override
    DataSource source() {
        return POSTGRES.source();
    }

    /** Trap: numbers that are taken in one order and committed in another one. */
    @Test
    void entriesOfTheLogBecomeVisibleInTheOrderOfTheirNumbers() throws Exception {
        StoreGuard<Long, Long> one = join("ordered");
        StoreGuard<Long, Long> two = join("ordered");
        one.put(1L, 1L);
        long countBefore = two.count();
        try (Connection slow = source().getConnection();
                Statement statement = slow.createStatement()) {
            slow.setAutoCommit(false);
            statement.execute("UPDATE besom_fleet SET head = head + 1 WHERE besom_table = 'ordered'");
            statement.execute("INSERT INTO besom_log SELECT 'ordered', head, 12345, 0 FROM besom_fleet"
                    + " WHERE besom_table = 'ordered'");
            CompletableFuture<Boolean> put = CompletableFuture.supplyAsync(() -> one.put(2L, 2L));
            await(() -> isAnyWaiting());
            assertThat(put.isDone()).isFalse();
            slow.commit();
            slow.setAutoCommit(true);
            assertThat(put.join()).isTrue();
        }
        assertThat(two.containsKey(2L)).isTrue();
        assertThat(two.count()).as("the slow entry, and the one after it").isEqualTo(countBefore + 2);
    }

    private boolean isAnyWaiting() {
        return count("pg_locks WHERE NOT granted") > 0;
    }

    /** Trap: the database goes away and comes back. */
    @Test
    void membersGoOnWhenTheDatabaseHasEndedTheirSessions() {
        PGSimpleDataSource unpooled = new PGSimpleDataSource();
        unpooled.setUrl(POSTGRES.url());
        unpooled.setApplicationName("ended");
        List<StoreGuard<Long, Long>> members = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            members.add(opened(Guard.builder(
                            JdbcStore.create(unpooled, JdbcTable.of("ended_often", JdbcType.longs(), JdbcType.longs())),
                            KeyHasher.longs())
                    .contract(Contract.fleet(Duration.ofHours(1)))
                    .open()));
        }
        for (long key = 0; key < 20; key++) {
            execute(
                    source(),
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ended'");
            members.get((int) (key % 2)).put(key, key);
            assertThat(members.get((int) (1 - key % 2)).get(key)).isEqualTo(key);
        }
    }

    /** A guard that is alone, with connections of its own. */
    private StoreGuard<Long, Long> alone(String table) {
        PGSimpleDataSource own = new PGSimpleDataSource();
        own.setUrl(POSTGRES.url());
        own.setApplicationName(table);
        return opened(Guard.builder(
                        JdbcStore.create(own, JdbcTable.of(table, JdbcType.longs(), JdbcType.longs())),
                        KeyHasher.longs())
                .open());
    }

    /** Ends all sessions of a guard that was alone, and has a member of a fleet join before the guard has its lease again. */
    private StoreGuard<Long, Long> joinInItsPlace(String table) {
        while (true) {
            execute(
                    source(),
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '" + table + "'");
            try {
                return join(table);
            } catch (LeaseHeldException e) {
                // It was quicker.
                Thread.onSpinWait();
            }
        }
    }

    /** Within a second or so the guard does not know yet that it has lost its lease. */
    @Test
    void guardThatWasAloneStoresNothingThatTheFleetAfterItDoesNotKnow() {
        int stored = 0;
        for (int round = 0; round < 5; round++) {
            String table = "lone" + round;
            StoreGuard<Long, Long> lone = alone(table);
            lone.put(1L, 1L);
            StoreGuard<Long, Long> member = joinInItsPlace(table);
            try {
                lone.put(2L, 2L);
                stored++;
            } catch (IllegalStateException | StoreException e) {
                assertThat(count(table)).isEqualTo(1);
            }
            assertThat(member.get(2L)).isEqualTo(count(table) == 1 ? null : 2L);
        }
        assertThat(stored).as("puts that were let through").isZero();
    }

    @Test
    void guardThatWasAloneAndHasItsLeaseAgainDeniesNothingThatAFleetHasStored() {
        StoreGuard<Long, Long> lone = alone("alone_again");
        StoreGuard<Long, Long> member = joinInItsPlace("alone_again");
        await(() -> lone.state() == GuardState.LEASE_LOST);
        member.put(2L, 2L);
        member.close();
        await(() -> count("pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND pid IN"
                        + " (SELECT pid FROM pg_stat_activity WHERE application_name = 'alone_again')")
                > 0);
        // It looks once a second; the lock comes before it serves on, if it does.
        long start = System.nanoTime();
        while (System.nanoTime() - start < 300_000_000) {
            assertThat(lone.get(2L)).isEqualTo(2L);
        }
    }
}
