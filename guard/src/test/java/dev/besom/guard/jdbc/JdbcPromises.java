package dev.besom.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.besom.guard.Announcement;
import dev.besom.guard.Guard;
import dev.besom.guard.StoreGuard;
import dev.besom.guard.store.RejectedException;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.KeyHasher;
import dev.besom.testkit.Duel;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store in a database promises, whichever database it is. */
abstract class JdbcPromises {

    /** The database, empty but for what this class made in it. */
    abstract DataSource source();

    /** The type of a column of texts that are told apart as in Java. */
    String exactText() {
        return "VARCHAR(50)";
    }

    /** A column of texts of at most 20 letters. */
    String shortText(String column) {
        return column + " VARCHAR(20)";
    }

    /** How many puts are refused. */
    int refusals() {
        return 300;
    }

    /** A table's name with its schema, and in another case where that makes no difference. */
    String qualified(String table) {
        return "Public." + table.toUpperCase(Locale.ROOT);
    }

    /** A table's name in another case, where that makes no difference. */
    String inCapitals(String table) {
        return table.toUpperCase(Locale.ROOT);
    }

    @Test
    void behavesLikeAMapAndKeepsItsHashesInStep() {
        JdbcStore<String, Long> store =
                JdbcStore.create(source(), JdbcTable.of("maps", JdbcType.text(), JdbcType.longs()));
        Map<String, Long> model = new HashMap<>();
        SplittableRandom random = new SplittableRandom(3);
        for (int step = 0; step < 600; step++) {
            String key = "key ' \" " + random.nextInt(200);
            long hash = (key.hashCode() % 100) * 0x9E3779B97F4A7C15L;
            long value = step;
            switch (random.nextInt(4)) {
                case 0, 1 -> assertThat(store.put(key, hash, value)).isEqualTo(model.put(key, value) == null);
                case 2 -> assertThat(store.remove(key, hash)).isEqualTo(model.remove(key) != null);
                default -> assertThat(store.replace(key, hash, value)).isEqualTo(model.replace(key, value) != null);
            }
        }
        Map<String, Long> found = new HashMap<>();
        store.forEach(found::put);
        assertThat(found).isEqualTo(model);
        long[] expected = model.keySet().stream()
                .mapToLong(key -> (key.hashCode() % 100) * 0x9E3779B97F4A7C15L ^ Long.MIN_VALUE)
                .sorted()
                .map(hash -> hash ^ Long.MIN_VALUE)
                .toArray();
        assertThat(store.hashes().between(0, -1L)).isEqualTo(expected);
        assertThat(store.hashes().count()).isEqualTo(model.size());
        List<String> asked = new ArrayList<>(model.keySet());
        asked.add("no such key");
        List<Long> values = store.getAll(asked);
        for (int i = 0; i < asked.size(); i++) {
            assertThat(values.get(i)).isEqualTo(model.get(asked.get(i)));
        }
    }

    @Test
    void poolWhoseConnectionsDoNotCommitByThemselvesKeepsEveryChange() {
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
    void guardLeavesTheTransactionOfItsCallerAlone() throws SQLException {
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

    /** Whether a transaction that has written lets others write before it ends. */
    boolean hasSeveralWriters() {
        return true;
    }

    private long count(String table) {
        try (Connection connection = source().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void guardOverAnAdoptedTableFindsItsRowsOnceTheyHaveHashes() {
        execute("CREATE TABLE people (id BIGINT PRIMARY KEY, name VARCHAR(50) NOT NULL, age INT)");
        insertRows("people", 0, 1_200);
        JdbcTable<Long, String> table =
                new JdbcTable<>("people", "id", JdbcType.longs(), "name", JdbcType.text(), "besom_hash");
        JdbcStore<Long, String> store = JdbcStore.adopt(source(), table);
        assertThatThrownBy(() -> Guard.over(store, KeyHasher.longs()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1200 rows");

        // A back-fill that is interrupted goes on where it was.
        assertThatThrownBy(() -> store.backFill(KeyHasher.longs(), (done, total) -> {
                    throw new IllegalStateException("interrupted after " + done + " of " + total);
                }))
                .hasMessage("interrupted after 500 of 1200");
        List<Long> steps = new ArrayList<>();
        store.backFill(KeyHasher.longs(), (done, total) -> steps.add(done * 10_000 + total));
        assertThat(steps).containsExactly(500L * 10_000 + 700, 700L * 10_000 + 700);

        try (StoreGuard<Long, String> guard = Guard.over(JdbcStore.adopt(source(), table), KeyHasher.longs())) {
            for (long id = 0; id < 1_200; id++) {
                assertThat(guard.get(id)).isEqualTo("name " + id);
            }
            for (int round = 0; round < 2; round++) {
                for (long id = -1; id > -5_000; id--) {
                    assertThat(guard.get(id) == null).isTrue();
                }
            }
            assertThat(guard.statistics().falsePositives()).isBetween(1L, 60L);
            assertThat(guard.put(-7L, "new")).isTrue();
            assertThat(guard.put(7L, "changed")).isFalse();
            assertThat(guard.remove(8L)).isTrue();
            assertThat(guard.getAll(List.of(-7L, 7L, 8L, -9L)))
                    .containsExactly(Map.entry(-7L, "new"), Map.entry(7L, "changed"));
        }
    }

    @Test
    void rowsThatChangeDuringABackFillAreFoundAfterIt() {
        execute("CREATE TABLE moving (id BIGINT PRIMARY KEY, name VARCHAR(50) NOT NULL)");
        insertRows("moving", 0, 1_500);
        JdbcTable<Long, String> table =
                new JdbcTable<>("moving", "id", JdbcType.longs(), "name", JdbcType.text(), "besom_hash");
        JdbcStore<Long, String> store = JdbcStore.adopt(source(), table);
        List<Long> steps = new ArrayList<>();
        store.backFill(KeyHasher.longs(), (done, total) -> {
            steps.add(done);
            assertThat(total).isGreaterThanOrEqualTo(done);
            if (steps.size() == 1) {
                insertRows("moving", 10_000, 10_700);
                execute("DELETE FROM moving WHERE besom_hash IS NULL AND id < 600");
                execute("DELETE FROM moving WHERE besom_hash IS NOT NULL AND id < 100");
                execute("UPDATE moving SET id = id + 20000 WHERE besom_hash IS NULL AND id >= 1000 AND id < 1500");
            }
        });
        try (StoreGuard<Long, String> guard = Guard.over(JdbcStore.adopt(source(), table), KeyHasher.longs())) {
            Map<Long, String> rows = new HashMap<>();
            guard.store().forEach(rows::put);
            assertThat(rows.keySet()).contains(10_699L, 20_000L + 1_499);
            rows.forEach((id, name) -> assertThat(guard.get(id)).isEqualTo(name));
            assertThat(guard.count()).isEqualTo(rows.size());
        }
    }

    @Test
    void backFillEndsWhereRowsAreNotFoundByTheirKeys() {
        execute("CREATE TABLE shouting (id " + exactText() + " PRIMARY KEY, name VARCHAR(50) NOT NULL)");
        execute("INSERT INTO shouting VALUES ('besom', 'broom'), ('MOP', 'mop')");
        JdbcType<String> upperCase = new JdbcType<>(
                "VARCHAR",
                PreparedStatement::setString,
                (row, column) -> row.getString(column).toUpperCase(Locale.ROOT));
        JdbcStore<String, String> store = JdbcStore.adopt(
                source(), new JdbcTable<>("shouting", "id", upperCase, "name", JdbcType.text(), "besom_hash"));
        assertTimeoutPreemptively(
                Duration.ofSeconds(60),
                () -> assertThatThrownBy(() -> store.backFill(KeyHasher.utf8(), (done, total) -> {}))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("'BESOM'"));
    }

    @Test
    void hashesWithoutTheSecretThatMadeThemAreRefused() {
        JdbcTable<String, Long> table = JdbcTable.of("named", JdbcType.text(), JdbcType.longs());
        JdbcStore<String, Long> store = JdbcStore.create(source(), table);
        try (StoreGuard<String, Long> guard = Guard.over(store, KeyHasher.utf8())) {
            guard.put("besom", 1L);
        }
        JdbcTable<String, Long> inCapitals = JdbcTable.of(inCapitals("named"), JdbcType.text(), JdbcType.longs());
        try (StoreGuard<String, Long> guard = Guard.over(JdbcStore.create(source(), inCapitals), KeyHasher.utf8())) {
            assertThat(guard.get("besom")).isEqualTo(1);
        }
        execute("DELETE FROM besom_notes");
        assertThatThrownBy(() -> Guard.over(store, KeyHasher.utf8()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("secret");
        execute("INSERT INTO named (besom_key, besom_value) VALUES ('broom', 2)");
        assertThatThrownBy(() -> store.backFill(KeyHasher.utf8(), (done, total) -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("secret");
    }

    @Test
    void exactlyOneOfTwoRacingCallersSeesANewKey() throws Exception {
        JdbcStore<Long, Long> store =
                JdbcStore.create(source(), JdbcTable.of("races", JdbcType.longs(), JdbcType.longs()));
        KeyHasher<Long> hasher = KeyHasher.longs(9);
        assertThat(Duel.roundsWithOneWinner(100, key -> store.put(key, hasher.hash(key), key)))
                .isEqualTo(100);
        StoreGuard<Long, Long> guard = Guard.over(store, hasher);
        assertThat(Duel.roundsWithOneWinner(100, key -> guard.put(-1 - key, key)))
                .isEqualTo(100);
        assertThat(store.hashes().count()).isEqualTo(200);
        assertThat(guard.count()).isEqualTo(200);
    }

    @Test
    void ofTwoWhoWriteOneNoteAtOnceOneDoesSoAndBothGetIt() throws Exception {
        JdbcStore<Long, Long> store =
                JdbcStore.create(source(), JdbcTable.of("noted", JdbcType.longs(), JdbcType.longs()));
        assertThat(Duel.roundsWithOneWinner(100, round -> {
                    byte[] own = {(byte) round, (byte) Thread.currentThread().getId()};
                    byte[] there = store.notes().writeIfAbsent("note " + round, own);
                    assertThat(store.notes().read("note " + round)).isEqualTo(there);
                    return Arrays.equals(there, own);
                }))
                .isEqualTo(100);
    }

    @Test
    void putOfAKeyWhoseRowHasNoHashGivesItOne() {
        JdbcStore<Long, Long> store =
                JdbcStore.create(source(), JdbcTable.of("healed", JdbcType.longs(), JdbcType.longs()));
        // With this rate about half of the rows that the guard does not know look like known ones.
        StoreGuard<Long, Long> guard = Guard.builder(store, KeyHasher.longs(9))
                .shards(2)
                .fpp(0.5)
                .capacity(64)
                .open();
        for (long key = 0; key < 60; key++) {
            guard.put(key, key);
        }
        for (long key = 100; key < 200; key++) {
            execute("INSERT INTO healed (besom_key, besom_value) VALUES (" + key + ", 0)");
            guard.put(key, key);
        }
        for (long key = 1_000; key < 1_400; key++) {
            guard.put(key, key);
            guard.get(-key);
        }
        assertThat(guard.statistics().growths()).isPositive();
        for (long key = 100; key < 200; key++) {
            assertThat(guard.get(key)).isEqualTo(key);
        }
        assertThat(store.hashes().count()).isEqualTo(560);
    }

    @Test
    void secondGuardOverOneTableIsRefusedUntilTheFirstIsClosed() {
        JdbcTable<Long, Long> table = JdbcTable.of("leased", JdbcType.longs(), JdbcType.longs());
        JdbcTable<Long, Long> other = JdbcTable.of("leased_too", JdbcType.longs(), JdbcType.longs());
        try (StoreGuard<Long, Long> first = Guard.over(JdbcStore.create(source(), table), KeyHasher.longs())) {
            first.put(1L, 1L);
            assertThatThrownBy(() -> Guard.over(JdbcStore.adopt(source(), table), KeyHasher.longs()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("another guard");
            Guard.over(JdbcStore.create(source(), other), KeyHasher.longs()).close();
            first.put(2L, 2L);
        }
        try (StoreGuard<Long, Long> second = Guard.over(JdbcStore.adopt(source(), table), KeyHasher.longs())) {
            assertThat(second.getAll(List.of(1L, 2L))).hasSize(2);
        }
    }

    @Test
    void putsThatTheDatabaseRefusesLeaveNothingBehind(@TempDir Path folder) throws IOException {
        execute("CREATE TABLE short (" + shortText("name") + " PRIMARY KEY, " + shortText("email") + ")");
        JdbcStore<String, String> store = JdbcStore.adopt(
                source(), new JdbcTable<>("short", "name", JdbcType.text(), "email", JdbcType.text(), "besom_hash"));
        try (StoreGuard<String, String> guard = Guard.over(store, KeyHasher.utf8())) {
            for (int i = 0; i < 200; i++) {
                guard.put("name " + i, "email");
            }
            long bits = guard.sizeInBits();
            for (int i = 0; i < refusals(); i++) {
                String name = "a name that is longer than twenty letters " + i;
                assertThatThrownBy(() -> guard.put(name, "email")).isInstanceOf(RejectedException.class);
            }
            assertThatThrownBy(() -> guard.put("name 1", "a value that is longer than twenty letters"))
                    .isInstanceOf(RejectedException.class);
            assertThat(guard.count()).isEqualTo(200);
            assertThat(guard.sizeInBits()).isEqualTo(bits);
            assertThat(guard.snapshot(folder.resolve("guard.besom"))).isTrue();
            for (int i = 0; i < 200; i++) {
                assertThat(guard.get("name " + i)).isEqualTo("email");
            }
        }
    }

    @Test
    void preparedTableIsOpenedWithoutAChangeOfTheSchema() {
        JdbcTable<Long, Long> table = JdbcTable.of("prepared", JdbcType.longs(), JdbcType.longs());
        Guard.over(JdbcStore.create(source(), table), KeyHasher.longs()).close();
        DataSource withoutDdl = SourceWithoutDdl.of(source());
        assertThatThrownBy(() -> JdbcStore.create(withoutDdl, JdbcTable.of("none", JdbcType.longs(), JdbcType.longs())))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("permission");
        try (StoreGuard<Long, Long> guard = Guard.over(JdbcStore.create(withoutDdl, table), KeyHasher.longs())) {
            assertThat(guard.put(1L, 1L)).isTrue();
        }
    }

    @Test
    void oneTableUnderTwoNamesHasTheSameNotes(@TempDir Path folder) throws IOException {
        Path snapshot = folder.resolve("guard.besom");
        KeyHasher<Long> hasher = KeyHasher.longs(99);
        JdbcTable<Long, Long> plain = JdbcTable.of("items", JdbcType.longs(), JdbcType.longs());
        JdbcTable<Long, Long> qualified = JdbcTable.of(qualified("items"), JdbcType.longs(), JdbcType.longs());
        try (StoreGuard<Long, Long> guard = Guard.over(JdbcStore.create(source(), plain), hasher)) {
            LongStream.range(0, 100).forEach(key -> guard.put(key, key));
            assertThat(guard.snapshot(snapshot)).isTrue();
        }
        try (StoreGuard<Long, Long> guard = Guard.over(JdbcStore.adopt(source(), qualified), hasher)) {
            LongStream.range(100, 200).forEach(key -> guard.put(key, key));
            LongStream.range(0, 100).forEach(guard::remove);
        }
        try (StoreGuard<Long, Long> guard = Guard.builder(JdbcStore.adopt(source(), plain), hasher)
                .snapshot(snapshot)
                .open()) {
            assertThat(guard.getAll(LongStream.range(100, 200).boxed().toList()))
                    .hasSize(100);
        }
    }

    @Test
    void rowWithoutAValueIsFoundWhenItHasOne() {
        execute("CREATE TABLE people (name VARCHAR(20) PRIMARY KEY, email VARCHAR(20))");
        execute("INSERT INTO people VALUES ('ada', NULL), ('bob', 'b@x')");
        JdbcStore<String, String> store = JdbcStore.adopt(
                source(), new JdbcTable<>("people", "name", JdbcType.text(), "email", JdbcType.text(), "besom_hash"));
        store.backFill(KeyHasher.utf8(), (done, total) -> {});
        StoreGuard<String, String> guard = Guard.over(store, KeyHasher.utf8());
        assertThat(guard.containsKey("ada")).isTrue();
        assertThat(guard.get("ada")).isNull();
        assertThat(guard.getAll(List.of("ada", "bob"))).containsExactly(Map.entry("bob", "b@x"));
        execute("UPDATE people SET email = 'a@x' WHERE name = 'ada'");
        assertThat(guard.get("ada")).isEqualTo("a@x");
        execute("CREATE TABLE ages (name VARCHAR(20) PRIMARY KEY, age BIGINT)");
        execute("INSERT INTO ages VALUES ('ada', NULL)");
        assertThat(JdbcStore.adopt(
                                source(),
                                new JdbcTable<>("ages", "name", JdbcType.text(), "age", JdbcType.longs(), "besom_hash"))
                        .get("ada"))
                .isNull();
    }

    private void insertRows(String table, long from, long to) {
        try (Connection connection = source().getConnection();
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO " + table + " (id, name) VALUES (?, ?)")) {
            for (long id = from; id < to; id++) {
                insert.setLong(1, id);
                insert.setString(2, "name " + id);
                insert.addBatch();
            }
            insert.executeBatch();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private void execute(String sql) {
        try (Connection connection = source().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void rowsThatWereBackFilledAfterASnapshotAreFound(@TempDir Path folder) throws IOException {
        Path snapshot = folder.resolve("guard.besom");
        JdbcTable<Long, String> table = JdbcTable.of("filled", JdbcType.longs(), JdbcType.text());
        JdbcStore<Long, String> store = JdbcStore.create(source(), table);
        try (StoreGuard<Long, String> guard = Guard.over(store, KeyHasher.longs())) {
            for (long key = 0; key < 100; key++) {
                guard.put(key, "put");
            }
            assertThat(guard.snapshot(snapshot)).isTrue();
        }
        // Nobody guards the table while somebody else changes it: as many rows go as come.
        for (long key = 100; key < 200; key++) {
            execute("INSERT INTO filled (besom_key, besom_value) VALUES (" + key + ", 'foreign')");
        }
        execute("DELETE FROM filled WHERE besom_key < 100");
        store.backFill(KeyHasher.longs(), (done, total) -> {});
        try (StoreGuard<Long, String> guard =
                Guard.builder(store, KeyHasher.longs()).snapshot(snapshot).open()) {
            for (long key = 100; key < 200; key++) {
                assertThat(guard.get(key)).isEqualTo("foreign");
            }
        }
    }

    @Test
    void keysThatWerePutInBulkAfterASnapshotAreFound(@TempDir Path folder) throws IOException {
        Path snapshot = folder.resolve("guard.besom");
        KeyHasher<Long> hasher = KeyHasher.longs(5);
        JdbcStore<Long, String> store =
                JdbcStore.create(source(), JdbcTable.of("bulk", JdbcType.longs(), JdbcType.text()));
        List<Long> keys = LongStream.range(0, 100).boxed().toList();
        try (StoreGuard<Long, String> guard = Guard.over(store, hasher)) {
            for (long key = 100; key < 200; key++) {
                guard.put(key, "put");
            }
            assertThat(guard.snapshot(snapshot)).isTrue();
        }
        execute("DELETE FROM bulk");
        store.putAll(keys, keys.stream().mapToLong(hasher::hash).toArray(), Collections.nCopies(100, "bulk"));
        try (StoreGuard<Long, String> guard =
                Guard.builder(store, hasher).snapshot(snapshot).open()) {
            assertThat(guard.getAll(keys)).hasSize(100);
        }
    }

    @Test
    void manyKeysAtOnceAreStoredOrReplaced() {
        JdbcStore<byte[], byte[]> store =
                JdbcStore.create(source(), JdbcTable.of("blobs", JdbcType.bytes(), JdbcType.bytes()));
        List<byte[]> keys = new ArrayList<>();
        for (int i = 0; i < 1_100; i++) {
            keys.add(new byte[] {(byte) i, (byte) (i >> 8), 0});
        }
        KeyHasher<byte[]> hasher = KeyHasher.bytes(3);
        long[] hashes = keys.stream().mapToLong(hasher::hash).toArray();
        store.put(keys.get(5), hashes[5], new byte[] {1});
        store.putAll(keys, hashes, keys);
        store.putAll(keys, hashes, keys);
        StoreGuard<byte[], byte[]> guard = Guard.over(store, hasher);
        assertThat(guard.count()).isEqualTo(1_100);
        Map<byte[], byte[]> values = guard.getAll(keys);
        for (byte[] key : keys) {
            assertThat(values.get(key)).isEqualTo(key);
        }
    }

    @Test
    void databaseThatFailsIsSeenByTheCaller() {
        JdbcStore<Long, Long> store =
                JdbcStore.create(source(), JdbcTable.of("gone", JdbcType.longs(), JdbcType.longs()));
        StoreGuard<Long, Long> guard = Guard.over(store, KeyHasher.longs());
        guard.put(1L, 1L);
        execute("DROP TABLE gone");
        assertThatThrownBy(() -> guard.get(1L))
                .isInstanceOf(StoreException.class)
                .hasCauseInstanceOf(SQLException.class);
        assertThatThrownBy(() -> guard.put(2L, 2L))
                .isInstanceOf(StoreException.class)
                .hasCauseInstanceOf(SQLException.class);
    }

    /** A value in several columns, one of which may be null. */
    record Person(String firstName, int age, @Nullable Double height, boolean isActive) {}

    /** A key in two columns. */
    record Seat(String hall, long number) {}

    @Test
    void recordsAreKeysAndValuesInSeveralColumns() {
        JdbcColumns<Seat> key = JdbcColumns.ofRecord(Seat.class, MethodHandles.lookup());
        JdbcColumns<Person> value = JdbcColumns.ofRecord(Person.class, MethodHandles.lookup());
        JdbcTable<Seat, Person> table = JdbcTable.of("seats", key, value);
        KeyHasher<Seat> hasher =
                KeyHasher.of("seat", (seat, sink) -> sink.putText(seat.hall()).putLong(seat.number()));
        Map<Seat, Person> model = new HashMap<>();
        for (int i = 0; i < 700; i++) {
            Double height = i % 3 == 0 ? null : Double.valueOf(i / 2.0);
            model.put(new Seat("hall ' " + i % 7, i), new Person("name " + i, i, height, i % 2 == 0));
        }
        try (StoreGuard<Seat, Person> guard = Guard.over(JdbcStore.create(source(), table), hasher)) {
            guard.putAll(model);
            assertThat(guard.put(new Seat("hall ' 1", 1), new Person("other", 1, null, true)))
                    .isFalse();
            model.put(new Seat("hall ' 1", 1), new Person("other", 1, null, true));
            assertThat(guard.remove(new Seat("hall ' 2", 2))).isTrue();
            model.remove(new Seat("hall ' 2", 2));
            assertThat(guard.get(new Seat("hall ' 2", 1))).isNull();
            assertThat(guard.get(new Seat("hall ' 3", 3))).isEqualTo(model.get(new Seat("hall ' 3", 3)));
        }
        try (StoreGuard<Seat, Person> guard = Guard.over(JdbcStore.adopt(source(), table), hasher)) {
            assertThat(guard.getAll(model.keySet())).isEqualTo(model);
            assertThat(guard.containsAll(List.of(new Seat("hall ' 0", 7), new Seat("hall ' 1", 7))))
                    .containsValues(true, false);
            Map<Seat, Person> rows = new HashMap<>();
            guard.store().forEach(rows::put);
            assertThat(rows).isEqualTo(model);
        }
    }

    @Test
    void namesInQuotesAreReservedWordsAndKeepTheirCase() {
        String table = "\"Select \"\" from\"";
        JdbcTable<Long, String> odd = JdbcTable.of(
                        table,
                        JdbcColumns.of("\"key\"", JdbcType.longs()),
                        JdbcColumns.of("\"order\"", JdbcType.text()))
                .withHashColumn("\"Hash column\"");
        try (StoreGuard<Long, String> guard = Guard.over(JdbcStore.create(source(), odd), KeyHasher.longs())) {
            assertThat(guard.put(1L, "one")).isTrue();
            guard.putAll(Map.of(1L, "two", 2L, "three"));
            assertThat(guard.getAll(List.of(1L, 2L))).hasSize(2);
        }
        // Opened again without a change of the schema.
        try (StoreGuard<Long, String> guard =
                Guard.over(JdbcStore.create(SourceWithoutDdl.of(source()), odd), KeyHasher.longs())) {
            assertThat(guard.get(1L)).isEqualTo("two");
            assertThat(guard.remove(2L)).isTrue();
        }
    }

    @Test
    void keysThatDifferInCaseOrBlanksAreDifferentKeys() {
        JdbcTable<String, String> table = JdbcTable.of("exact", JdbcType.text(), JdbcType.text());
        List<String> keys = List.of("besom", "Besom", "besom ", " besom", "b\u00e9som", "be\u0301som", "");
        try (StoreGuard<String, String> guard = Guard.over(JdbcStore.create(source(), table), KeyHasher.utf8())) {
            for (String key : keys) {
                assertThat(guard.put(key, "<" + key + ">")).as("'%s'", key).isTrue();
            }
            for (String key : keys) {
                assertThat(guard.get(key)).isEqualTo("<" + key + ">");
            }
            assertThat(guard.store().hashes().count()).isEqualTo(keys.size());
        }
    }

    @Test
    void statementsOfTheUsersOwnAreUsed() {
        execute("CREATE TABLE marked (id BIGINT PRIMARY KEY, name VARCHAR(50), gone INT NOT NULL, besom_hash BIGINT)");
        JdbcStatements own = JdbcStatements.none()
                .withSelect("SELECT name FROM marked WHERE id = ? AND gone = 0")
                .withInsert("INSERT INTO marked (gone, name, besom_hash, id) VALUES (0, ?, ?, ?)")
                .withUpdate("UPDATE marked SET gone = 0, name = ?, besom_hash = ? WHERE id = ?")
                .withDelete("UPDATE marked SET gone = 1 WHERE id = ? AND gone = 0");
        JdbcTable<Long, String> table = JdbcTable.of(
                        "marked", JdbcColumns.of("id", JdbcType.longs()), JdbcColumns.of("name", JdbcType.text()))
                .withStatements(own);
        Map<Long, String> model = new HashMap<>();
        SplittableRandom random = new SplittableRandom(8);
        JdbcStore<Long, String> store = JdbcStore.adopt(source(), table);
        try (StoreGuard<Long, String> guard =
                Guard.builder(store, KeyHasher.longs(4)).shards(2).capacity(64).open()) {
            for (int step = 0; step < 600; step++) {
                long key = random.nextInt(150);
                String value = "step " + step;
                switch (random.nextInt(4)) {
                    case 0 -> assertThat(guard.put(key, value)).isEqualTo(model.put(key, value) == null);
                    case 1 -> assertThat(guard.remove(key)).isEqualTo(model.remove(key) != null);
                    case 2 -> assertThat(guard.putIfAbsent(key, value)).isEqualTo(model.putIfAbsent(key, value));
                    default -> assertThat(guard.get(key)).isEqualTo(model.get(key));
                }
            }
            guard.putAll(Map.of(1L, "bulk", 500L, "bulk"));
            model.putAll(Map.of(1L, "bulk", 500L, "bulk"));
            assertThat(guard.getAll(model.keySet())).isEqualTo(model);
        }
        try (StoreGuard<Long, String> guard = Guard.over(store, KeyHasher.longs(4))) {
            assertThat(guard.getAll(model.keySet())).isEqualTo(model);
            Map<Long, String> rows = new HashMap<>();
            store.forEach(rows::put);
            assertThat(rows).isEqualTo(model);
        }
    }

    @Test
    void aStatementOfTheUsersOwnThatForgetsTheHashIsRefusedAndHidesNothing(@TempDir Path folder) throws IOException {
        execute("CREATE TABLE forgetful (id BIGINT PRIMARY KEY, name VARCHAR(50))");
        JdbcTable<Long, String> table = JdbcTable.of(
                "forgetful", JdbcColumns.of("id", JdbcType.longs()), JdbcColumns.of("name", JdbcType.text()));
        JdbcStatements own =
                JdbcStatements.none().withInsert("INSERT INTO forgetful (name, besom_hash, id) VALUES (?, ? - 1, ?)");
        try (StoreGuard<Long, String> guard =
                Guard.over(JdbcStore.adopt(source(), table.withStatements(own)), KeyHasher.longs(4))) {
            assertThatThrownBy(() -> guard.put(1L, "one"))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("forgetful");
            assertThat(guard.containsKey(1L)).isFalse();
            assertThat(guard.store().hashes().count()).isEqualTo(0);
            assertThat(guard.snapshot(folder.resolve("snapshot"))).isTrue();
        }
        JdbcStatements deaf = JdbcStatements.none().withDelete("UPDATE forgetful SET name = 'kept' WHERE id = ?");
        try (StoreGuard<Long, String> guard =
                Guard.over(JdbcStore.adopt(source(), table.withStatements(deaf)), KeyHasher.longs(4))) {
            assertThat(guard.put(1L, "one")).isTrue();
            assertThat(guard.remove(1L)).isFalse();
            assertThat(guard.get(1L)).isEqualTo("kept");
        }
    }

    @Test
    void aTransactionOfTheCallersIsAnnouncedAndSettled(@TempDir Path folder) throws Exception {
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
    void callersTransactionsBesideEachOtherHideNothing() throws Exception {
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

    @Test
    void whatIsNotAPlainNameNeverBecomesSql() {
        for (String name : List.of(
                "t; DROP TABLE t",
                "",
                ".",
                "a.",
                ".a",
                "a.b.c",
                "\"",
                "\"\"",
                "\"a\"b\"",
                "\"a",
                "a b",
                "\"a\0\"",
                "1")) {
            assertThatThrownBy(() -> JdbcTable.of(name, JdbcType.longs(), JdbcType.longs()))
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> JdbcColumns.of("a.b", JdbcType.longs())).isInstanceOf(IllegalArgumentException.class);
    }
}
