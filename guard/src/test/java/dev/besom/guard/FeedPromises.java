package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.jdbc.JdbcColumns;
import dev.besom.guard.jdbc.JdbcKeys;
import dev.besom.guard.jdbc.JdbcStore;
import dev.besom.guard.jdbc.JdbcTable;
import dev.besom.guard.jdbc.JdbcType;
import dev.besom.hash.KeyHasher;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a guard promises beside writers that know nothing of it. */
abstract class FeedPromises {

    private static final Duration STALENESS = Duration.ofMillis(200);
    private static final JdbcColumns<Long> ID = JdbcColumns.of("id", JdbcType.longs());

    private final List<Guard<?, ?>> opened = new ArrayList<>();

    abstract DataSource source();

    @AfterEach
    void closeAll() {
        opened.forEach(Guard::close);
    }

    final Connection connect() throws SQLException {
        return source().getConnection();
    }

    final void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private JdbcStore<Long, Long> store(String table) {
        return JdbcStore.create(source(), JdbcTable.of(table, JdbcType.longs(), JdbcType.longs()));
    }

    final GuardBuilder<Long, StoreGuard<Long, Long>> builder(String table) {
        JdbcStore<Long, Long> store = store(table);
        store.createFeed();
        return Guard.builder(store, KeyHasher.longs()).shards(2).contract(Contract.feed(STALENESS));
    }

    final StoreGuard<Long, Long> follow(String table) {
        return opened(builder(table).open());
    }

    final StoreGuard<Long, Long> opened(StoreGuard<Long, Long> guard) {
        opened.add(guard);
        return guard;
    }

    static String insert(String table, long key) {
        return "INSERT INTO " + table + " (besom_key, besom_value) VALUES (" + key + ", " + key + ")";
    }

    /** What is committed before this call is in the filters when it returns. */
    static void catchUp(StoreGuard<Long, Long> guard) {
        try (Announcement announced = guard.announce(0L)) {
            announced.settle();
        }
    }

    @Test
    void keyChangesAndRemovalsAreFollowed() throws SQLException {
        StoreGuard<Long, Long> guard = follow("changed");
        StoreGuard<Long, Long> other = follow("changed");
        for (long key = 1; key <= 3; key++) {
            execute(insert("changed", key));
        }
        catchUp(guard);
        LongStream.range(1, 4).forEach(key -> assertThat(guard.get(key)).isEqualTo(key));
        execute("UPDATE changed SET besom_key = besom_key + 10, besom_value = 0 WHERE besom_key > 1");
        catchUp(guard);
        assertThat(guard.containsAll(List.of(1L, 2L, 3L, 12L, 13L)))
                .isEqualTo(Map.of(1L, true, 2L, false, 3L, false, 12L, true, 13L, true));
        execute("DELETE FROM changed WHERE besom_key = 1");
        FleetPromises.await(() -> guard.count() == 2 && other.count() == 2);
        assertThat(guard.put(6L, 6L)).isTrue();
        assertThat(guard.get(6L)).isEqualTo(6);
        assertThat(guard.putIfAbsent(6L, 7L)).isEqualTo(6);
        assertThat(guard.putIfAbsent(8L, 8L)).isNull();
        assertThat(guard.remove(12L)).isTrue();
        guard.putAll(Map.of(20L, 20L, 21L, 21L));
        assertThat(guard.getAll(List.of(6L, 8L, 12L, 20L, 21L))).containsOnlyKeys(6L, 8L, 20L, 21L);
        catchUp(other);
        assertThat(other.getAll(List.of(6L, 8L, 12L, 20L, 21L))).containsOnlyKeys(6L, 8L, 20L, 21L);
        StoreGuard<Long, Long> later = follow("changed");
        assertThat(later.containsAll(List.of(13L, 6L))).containsValues(true).doesNotContainValue(false);
    }

    /** A migration makes the table anew: its triggers go with it, and the feed stays. */
    @Test
    void rowsOfATableThatWasMadeAnewAreFound() throws SQLException {
        StoreGuard<Long, Long> before = follow("remade");
        execute(insert("remade", 1));
        catchUp(before);
        assertThat(before.get(1L)).isEqualTo(1);
        execute("DROP TABLE remade");
        execute("CREATE TABLE remade (besom_key BIGINT PRIMARY KEY, besom_value BIGINT)");
        execute(insert("remade", 2));
        assertThatThrownBy(() -> Guard.builder(store("remade"), KeyHasher.longs())
                        .contract(Contract.feed())
                        .open())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("createFeed");
        StoreGuard<Long, Long> after = follow("remade");
        execute(insert("remade", 3));
        catchUp(after);
        assertThat(after.getAll(List.of(1L, 2L, 3L))).containsOnlyKeys(2L, 3L);
        FleetPromises.await(() -> before.containsKey(2L));
        catchUp(before);
        FleetPromises.await(() -> before.state() == GuardState.SERVING);
        assertThat(before.getAll(List.of(1L, 2L, 3L))).containsOnlyKeys(2L, 3L);
    }

    @Test
    void feedThatIsNotThereIsRefusedWithTheWayToMakeIt() {
        JdbcStore<Long, Long> store = store("unfed");
        assertThatThrownBy(() -> Guard.builder(store, KeyHasher.longs())
                        .contract(Contract.feed())
                        .open())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("createFeed");
        assertThat(store.feedStatements()).anyMatch(sql -> sql.startsWith("CREATE TRIGGER"));
    }

    @Test
    void noAnswerIsOlderThanThePromisedTime() throws SQLException {
        StoreGuard<Long, Long> guard = follow("timely");
        long staleness = STALENESS.toNanos();
        for (long key = 1; key <= 30; key++) {
            execute(insert("timely", key));
            long committed = System.nanoTime();
            boolean isFound = false;
            while (!isFound) {
                long begun = System.nanoTime();
                isFound = guard.containsKey(key);
                assertThat(isFound || begun - committed < staleness)
                        .as("a \"no\" that began %d ns after the commit", begun - committed)
                        .isTrue();
            }
        }
        awaitAnswersOfFilter(guard);
    }

    /** On a busy machine the feed may be late for a while; then all is asked of the store, as promised. */
    private static void awaitAnswersOfFilter(Guard<Long, Long> guard) {
        FleetPromises.await(() -> {
            LongStream.range(100, 200).forEach(guard::containsKey);
            return guard.statistics().lookups().answeredByFilter() > 0;
        });
    }

    @Test
    void guardThatHasNotFollowedForTooLongAsksTheStore() throws SQLException {
        ClockOfThread clock = new ClockOfThread();
        StoreGuard<Long, Long> guard = builder("asleep").clock(clock).open();
        opened.add(guard);
        FleetPromises.await(() -> guard.state() == GuardState.SERVING);
        clock.passed = STALENESS.toNanos();
        assertThat(guard.state()).isEqualTo(GuardState.LEASE_LOST);
        execute(insert("asleep", 1));
        assertThat(guard.get(1L)).isEqualTo(1);
    }

    @Test
    void guardsOfAFeedAreAsManyAsOneLikes() throws SQLException {
        List<StoreGuard<Long, Long>> guards = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 3; i++) {
            guards.add(follow("many"));
        }
        for (long key = 0; key < 20; key++) {
            execute(insert("many", key));
        }
        for (StoreGuard<Long, Long> guard : guards) {
            catchUp(guard);
            LongStream.range(0, 20)
                    .forEach(key -> assertThat(guard.containsKey(key)).isTrue());
        }
    }

    private LoaderGuard<Long, Long> followBeforeLoader(Map<Long, Long> stored, String table) {
        JdbcKeys<Long> keys = JdbcKeys.open(source(), table, ID, KeyHasher.longs());
        keys.createFeed();
        LoaderGuard<Long, Long> guard = Guard.builder((Long key) -> stored.get(key), keys)
                .shards(2)
                .contract(Contract.feed(STALENESS))
                .open();
        opened.add(guard);
        return guard;
    }

    /** The store knows nothing of the database, in which others record with plain SQL what they are about to store. */
    @Test
    void keysThatAreRecordedForAStoreElsewhereAreFollowed() throws SQLException {
        Map<Long, Long> stored = new ConcurrentHashMap<>();
        LoaderGuard<Long, Long> one = followBeforeLoader(stored, "recorded");
        LoaderGuard<Long, Long> two = followBeforeLoader(stored, "recorded");
        long staleness = STALENESS.toNanos();
        for (long key = 1; key <= 10; key++) {
            assertThat(one.get(key)).isNull();
            execute("INSERT INTO recorded (id) VALUES (" + key + ")");
            stored.put(key, key);
            long written = System.nanoTime();
            boolean isFound = false;
            while (!isFound) {
                long begun = System.nanoTime();
                isFound = one.containsKey(key) && two.containsKey(key);
                assertThat(isFound || begun - written < staleness)
                        .as("a \"no\" that began %d ns after the write", begun - written)
                        .isTrue();
            }
        }
        awaitAnswersOfFilter(one);
        stored.remove(1L);
        execute("DELETE FROM recorded WHERE id = 1");
        FleetPromises.await(() -> one.count() == 9 && two.count() == 9);
        LoaderGuard<Long, Long> later = followBeforeLoader(stored, "recorded");
        LongStream.range(2, 11).forEach(key -> assertThat(later.get(key)).isEqualTo(key));
    }

    @Test
    void changesThroughAGuardOfAStoreElsewhereAreFollowedByTheOthers() throws SQLException {
        Map<Long, Long> stored = new ConcurrentHashMap<>();
        LoaderGuard<Long, Long> one = followBeforeLoader(stored, "through");
        LoaderGuard<Long, Long> two = followBeforeLoader(stored, "through");
        assertThat(one.put(1L, () -> stored.put(1L, 1L))).isTrue();
        assertThat(one.get(1L)).isEqualTo(1);
        FleetPromises.await(() -> two.containsKey(1L));
        assertThat(two.put(1L, () -> stored.put(1L, 2L))).isFalse();
        assertThat(two.putIfAbsent(1L, () -> stored.put(1L, 3L))).isFalse();
        assertThat(two.putIfAbsent(2L, () -> stored.put(2L, 2L))).isTrue();
        assertThat(two.get(2L)).isEqualTo(2);
        assertThat(one.remove(2L, () -> stored.remove(2L)))
                .as("whether or not the feed has told of it")
                .isTrue();
        FleetPromises.await(() -> one.count() == 1 && two.count() == 1);
        // Recorded by others, written by others, removed through a guard.
        execute("INSERT INTO through (id) VALUES (3)");
        stored.put(3L, 3L);
        assertThat(one.remove(3L, () -> stored.remove(3L))).isTrue();
        FleetPromises.await(() -> one.count() == 1 && two.count() == 1);
        assertThat(one.add(4L)).isTrue();
        stored.put(4L, 4L);
        assertThat(one.get(4L)).isEqualTo(4);
        // A write that fails may arrive later: the key stays recorded, whoever removes it.
        assertThatThrownBy(() -> one.put(5L, () -> {
                    throw new IllegalStateException("in the midst of the write");
                }))
                .isInstanceOf(IllegalStateException.class);
        stored.put(5L, 5L);
        assertThat(two.remove(5L, () -> stored.remove(5L))).isTrue();
        stored.put(5L, 5L);
        catchUpWith(one);
        assertThat(one.get(5L)).isEqualTo(5);
    }

    private static void catchUpWith(LoaderGuard<Long, Long> guard) {
        guard.add(0L);
    }

    @Test
    void soleGuardOfSharedKeysIsRefused() {
        JdbcKeys<Long> keys = JdbcKeys.open(source(), "shared_keys", ID, KeyHasher.longs());
        assertThatThrownBy(() -> Guard.builder((Long key) -> key, keys)
                        .contract(Contract.sole())
                        .open())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("feed");
    }

    /** Two columns of one table, each with a guard and a column of hashes of its own. */
    @Test
    void twoColumnsOfATableAreFollowedEachByItsOwnGuard() throws SQLException {
        execute("CREATE TABLE accounts (email BIGINT PRIMARY KEY, phone BIGINT UNIQUE)");
        JdbcColumns<Long> emails = JdbcColumns.of("email", JdbcType.longs());
        JdbcColumns<Long> phones = JdbcColumns.of("phone", JdbcType.longs());
        JdbcStore<Long, Long> byEmail = JdbcStore.adopt(source(), JdbcTable.of("accounts", emails, phones));
        JdbcStore<Long, Long> byPhone = JdbcStore.adopt(
                source(), JdbcTable.of("accounts", phones, emails).withHashColumn("phone_hash"));
        byEmail.createFeed();
        byPhone.createFeed();
        StoreGuard<Long, Long> first = opened(Guard.builder(byEmail, KeyHasher.longs())
                .contract(Contract.feed(STALENESS))
                .open());
        StoreGuard<Long, Long> second = opened(Guard.builder(byPhone, KeyHasher.longs())
                .contract(Contract.feed(STALENESS))
                .open());
        for (long key = 1; key <= 5; key++) {
            execute("INSERT INTO accounts (email, phone) VALUES (" + key + ", " + (key + 100) + ")");
        }
        catchUp(first);
        catchUp(second);
        LongStream.range(1, 6).forEach(key -> {
            assertThat(first.get(key)).isEqualTo(key + 100);
            assertThat(second.get(key + 100)).isEqualTo(key);
        });
        execute("UPDATE accounts SET phone = 300 WHERE email = 1");
        catchUp(second);
        assertThat(second.get(300L)).isEqualTo(1);
        FleetPromises.await(() -> first.count() == 5 && second.count() == 5);
        assertThat(second.containsKey(1L)).isFalse();
        assertThatThrownBy(() -> JdbcStore.adopt(source(), JdbcTable.of("accounts", phones, emails)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has the hashes of email");
        assertThatThrownBy(() -> JdbcStore.adopt(
                        source(), JdbcTable.of("accounts", emails, phones).withHashColumn("other_hash")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the hashes of email of accounts are in accounts");
    }
}
