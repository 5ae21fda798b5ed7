package dev.besom.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.Announcement;
import dev.besom.guard.Guard;
import dev.besom.guard.StoreGuard;
import dev.besom.hash.KeyHasher;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store promises beside transactions of its caller. */
interface TransactionPromises extends JdbcDatabase {

    @Test
    default void poolWhoseConnectionsDoNotCommitByThemselvesKeepsEveryChange() {
        TransactionalSource pool = new TransactionalSource(source(), false);
        JdbcTable<Long, Long> table = JdbcTable.of("kept", JdbcType.longs(), JdbcType.longs());
        try (StoreGuard<Long, Long> guard = Guard.over(JdbcStore.create(pool.source(), table), KeyHasher.longs())) {
            for (long key = 0; key < 100; key++) {
                assertThat(guard.put(key, key)).isTrue();
            }
            assertThat(guard.remove(0L)).isTrue();
            assertThat(guard.getAll(List.of(0L, 1L, -1L))).containsOnlyKeys(1L);
        }
        assertThat(count("kept")).isEqualTo(99);
        assertThat(pool.changed).hasValue(0);
        try (StoreGuard<Long, Long> guard = Guard.over(JdbcStore.create(source(), table), KeyHasher.longs())) {
            for (long key = 1; key < 100; key++) {
                assertThat(guard.get(key)).isEqualTo(key);
            }
        }
    }

    @Test
    default void guardLeavesTheTransactionOfItsCallerAlone() throws SQLException {
        for (boolean isCommitting : new boolean[] {true, false}) {
            String name = isCommitting ? "beside_on" : "beside_off";
            execute("CREATE TABLE caller_" + name + " (id BIGINT PRIMARY KEY)");
            TransactionalSource pool = new TransactionalSource(source(), isCommitting);
            JdbcTable<Long, Long> table = JdbcTable.of(name, JdbcType.longs(), JdbcType.longs());
            try (StoreGuard<Long, Long> guard = Guard.builder(JdbcStore.create(pool.source(), table), KeyHasher.longs())
                    .fpp(0.25)
                    .open()) {
                for (long key = 0; key < 50; key++) {
                    guard.put(key, key);
                }
                Connection caller = pool.begin();
                try (Statement statement = caller.createStatement()) {
                    statement.execute("INSERT INTO caller_" + name + " VALUES (1)");
                }
                for (long key = 0; key < 50; key++) {
                    assertThat(guard.get(key)).isEqualTo(key);
                    assertThat(guard.get(-1 - key)).isNull();
                }
                if (!hasSeveralWriters()) {
                    pool.rollBack();
                }
                for (long key = 0; key < 25; key++) {
                    assertThat(guard.remove(key)).isTrue();
                    assertThat(guard.put(100 + key, key)).isTrue();
                }
                assertThat(guard.getAll(List.of(1L, 30L))).containsOnlyKeys(30L);
                if (hasSeveralWriters()) {
                    pool.rollBack();
                }
                assertThat(count("caller_" + name)).isZero();
                assertThat(count(name)).isEqualTo(50);
                for (long key = 25; key < 125; key += key == 49 ? 51 : 1) {
                    assertThat(guard.containsKey(key)).isTrue();
                }
            }
            assertThat(pool.changed).hasValue(0);
        }
    }

    @Test
    default void aTransactionOfTheCallersIsAnnouncedAndSettled(@TempDir Path folder) throws Exception {
        JdbcStore<Long, String> store =
                JdbcStore.create(source(), JdbcTable.of("orders", JdbcType.longs(), JdbcType.text()));
        execute("CREATE TABLE journal (id BIGINT PRIMARY KEY)");
        try (StoreGuard<Long, String> guard =
                Guard.builder(store, KeyHasher.longs()).shards(2).capacity(64).open()) {
            for (long key = 0; key < 60; key++) {
                boolean isCommitted = key % 3 != 0;
                try (Announcement announced = guard.announce(key);
                        Connection connection = source().getConnection()) {
                    connection.setAutoCommit(false);
                    try (Statement statement = connection.createStatement()) {
                        statement.execute("INSERT INTO journal VALUES (" + key + ")");
                    }
                    assertThat(store.put(connection, key, announced.hash(), "value " + key))
                            .isTrue();
                    if (isCommitted) {
                        connection.commit();
                    } else {
                        connection.rollback();
                    }
                    connection.setAutoCommit(true);
                    announced.settle();
                }
                assertThat(guard.containsKey(key)).isEqualTo(isCommitted);
            }
            assertThat(guard.count()).as("slots").isEqualTo(40);
            try (Announcement announced = guard.announce(1L);
                    Connection connection = source().getConnection()) {
                assertThat(store.remove(connection, 1L)).isTrue();
                announced.settle();
            }
            assertThat(guard.count()).as("slots").isEqualTo(39);
            assertThat(guard.snapshot(folder.resolve("snapshot"))).isTrue();

            Announcement forgotten = guard.announce(1_000L);
            execute("INSERT INTO orders (besom_key, besom_value) VALUES (1000, 'no hash')");
            assertThatThrownBy(forgotten::settle).isInstanceOf(IllegalStateException.class);
            Announcement own = guard.announce(1_001L);
            execute("INSERT INTO orders (besom_key, besom_value, besom_hash) VALUES (1001, 'hash', "
                    + JdbcStore.columnValue(own.hash()) + ")");
            own.settle();
            for (long key = 2_000; key < 2_200; key++) {
                guard.put(key, "more");
            }
            assertThat(guard.statistics().growths()).isPositive();
            assertThat(guard.getAll(List.of(1_000L, 1_001L))).hasSize(2);
        }
    }

    @Test
    default void callersTransactionsBesideEachOtherHideNothing() throws Exception {
        JdbcStore<Long, Long> store =
                JdbcStore.create(source(), JdbcTable.of("crowd", JdbcType.longs(), JdbcType.longs()));
        try (StoreGuard<Long, Long> guard =
                Guard.builder(store, KeyHasher.longs(3)).shards(2).capacity(64).open()) {
            List<CompletableFuture<Void>> workers = new ArrayList<>();
            for (int worker = 0; worker < 3; worker++) {
                long first = worker * 1_000L;
                workers.add(CompletableFuture.runAsync(() -> {
                    for (long key = first; key < first + 60; key++) {
                        announceAndPut(guard, store, key);
                    }
                }));
            }
            for (CompletableFuture<Void> worker : workers) {
                worker.get();
            }
            for (long first = 0; first < 3_000; first += 1_000) {
                for (long key = first; key < first + 60; key++) {
                    assertThat(guard.get(key)).isEqualTo(key % 4 == 0 ? null : Long.valueOf(key));
                }
            }
        }
    }

    private void announceAndPut(StoreGuard<Long, Long> guard, JdbcStore<Long, Long> store, long key) {
        try (Announcement announced = guard.announce(key)) {
            // A database that is busy says so, and the transaction is made again.
            for (int tries = 0; !isWritten(store, key, announced.hash()); tries++) {
                assertThat(tries).isLessThan(100);
            }
            announced.settle();
        }
    }

    private boolean isWritten(JdbcStore<Long, Long> store, long key, long hash) {
        try (Connection connection = source().getConnection()) {
            connection.setAutoCommit(false);
            try {
                store.put(connection, key, hash, key);
                if (key % 4 == 0) {
                    connection.rollback();
                } else {
                    connection.commit();
                }
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
            return true;
        } catch (SQLException e) {
            return false;
        }
    }
}
