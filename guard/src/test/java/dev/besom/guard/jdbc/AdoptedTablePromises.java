package dev.besom.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.besom.guard.Guard;
import dev.besom.guard.StoreGuard;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store promises over a table that others made or fill. */
interface AdoptedTablePromises extends JdbcDatabase {

    @Test
    default void guardOverAnAdoptedTableFindsItsRowsOnceTheyHaveHashes() {
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
            assertThat(guard.statistics().lookups().falsePositives()).isBetween(1L, 60L);
            assertThat(guard.put(-7L, "new")).isTrue();
            assertThat(guard.put(7L, "changed")).isFalse();
            assertThat(guard.remove(8L)).isTrue();
            assertThat(guard.getAll(List.of(-7L, 7L, 8L, -9L)))
                    .containsExactly(Map.entry(-7L, "new"), Map.entry(7L, "changed"));
        }
    }

    @Test
    default void rowsThatChangeDuringABackFillAreFoundAfterIt() {
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
    default void backFillEndsWhereRowsAreNotFoundByTheirKeys() {
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
    default void aTableThatTakesDifferentKeysForTheSameIsRefused() {
        String loose = looseText();
        execute("CREATE TABLE members (email " + loose + " NOT NULL PRIMARY KEY, name VARCHAR(50))");
        execute("INSERT INTO members VALUES ('ada@example.org', 'Ada')");
        execute("CREATE TABLE rooms (floor BIGINT NOT NULL, label " + loose
                + " NOT NULL, name VARCHAR(50), PRIMARY KEY (floor, label))");
        JdbcColumns<String> names = JdbcColumns.of("name", JdbcType.text());
        JdbcTable<String, String> members = JdbcTable.of("members", JdbcColumns.of("email", JdbcType.text()), names);
        JdbcTable<Room, String> rooms =
                JdbcTable.of("rooms", JdbcColumns.ofRecord(Room.class, MethodHandles.lookup()), names);

        assertThatThrownBy(() -> JdbcStore.adopt(source(), members))
                .isInstanceOf(EquatedKeysException.class)
                .hasMessageContainingAll("members", "'a' and 'A'");
        assertThatThrownBy(() -> JdbcStore.adopt(source(), rooms))
                .isInstanceOf(EquatedKeysException.class)
                .hasMessageContainingAll("rooms", "label=A");

        // Keys that the type brings to one form are the same in Java too.
        JdbcType<String> lowerCase = new JdbcType<>(
                "VARCHAR",
                PreparedStatement::setString,
                (row, column) -> row.getString(column).strip().toLowerCase(Locale.ROOT));
        for (JdbcTable<String, String> table : List.of(
                members.withKeysInOneForm(), JdbcTable.of("members", JdbcColumns.of("email", lowerCase), names))) {
            if (table.isInOneForm() || !equatesMoreThanCase()) {
                JdbcStore<String, String> store = JdbcStore.adopt(source(), table);
                store.backFill(KeyHasher.utf8(), (done, total) -> {});
                try (StoreGuard<String, String> guard = Guard.over(store, KeyHasher.utf8())) {
                    assertThat(guard.get("ada@example.org")).isEqualTo("Ada");
                }
            }
        }
    }

    /** A key of two columns, one of them a text. */
    record Room(long floor, String label) {}

    @Test
    default void putOfAKeyWhoseRowHasNoHashGivesItOne() {
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

    /** Rows of another table, as a dump brings them with its hashes, and a key that was changed while no guard was there. */
    @Test
    default void rowsWithHashesThatAreNotTheirKeysAreRefusedUntilTheyAreFilledAnew() {
        for (String table : List.of("origin", "restored")) {
            long first = table.equals("origin") ? 0 : 1_000;
            try (StoreGuard<Long, Long> guard = Guard.over(
                    JdbcStore.create(source(), JdbcTable.of(table, JdbcType.longs(), JdbcType.longs())),
                    KeyHasher.longs())) {
                LongStream.range(first, first + 100).forEach(key -> guard.put(key, key));
            }
        }
        JdbcStore<Long, Long> store =
                JdbcStore.create(source(), JdbcTable.of("restored", JdbcType.longs(), JdbcType.longs()));
        String copied = "INSERT INTO restored (besom_key, besom_value, besom_hash)"
                + " SELECT besom_key, besom_value, besom_hash FROM origin WHERE besom_key < 50";
        for (String change : List.of(copied, "UPDATE restored SET besom_key = 2000 WHERE besom_key = 1007")) {
            execute(change);
            assertThatThrownBy(() -> Guard.over(store, KeyHasher.longs()))
                    .as(change)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("restored", "besom_hash", "backFill");
            execute("UPDATE restored SET besom_hash = NULL WHERE besom_key < 50 OR besom_key = 2000");
            store.backFill(KeyHasher.longs(), (done, total) -> {});
            try (StoreGuard<Long, Long> guard = Guard.over(store, KeyHasher.longs())) {
                List<Long> keys = new ArrayList<>();
                store.forEach((key, value) -> keys.add(key));
                assertThat(keys).hasSize(150);
                keys.forEach(key -> assertThat(guard.containsKey(key)).isTrue());
            }
        }
    }

    /** Nobody looks for such a row; its hash is left over from the key that it had. */
    @Test
    default void rowWhoseKeyWasTakenAwayRefusesNoGuard() {
        execute("CREATE TABLE phones (id BIGINT PRIMARY KEY, phone BIGINT UNIQUE)");
        execute("INSERT INTO phones VALUES (1, 10), (2, 20)");
        JdbcStore<Long, Long> store = JdbcStore.adopt(
                source(),
                JdbcTable.of(
                        "phones", JdbcColumns.of("phone", JdbcType.longs()), JdbcColumns.of("id", JdbcType.longs())));
        store.backFill(KeyHasher.longs(), (done, total) -> {});
        execute("UPDATE phones SET phone = NULL WHERE id = 1");
        try (StoreGuard<Long, Long> guard = Guard.over(store, KeyHasher.longs())) {
            assertThat(guard.get(20L)).isEqualTo(2);
            assertThat(guard.get(10L)).isNull();
        }
    }

    @Test
    default void preparedTableIsOpenedWithoutAChangeOfTheSchema() {
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
    default void rowWithoutAValueIsFoundWhenItHasOne() {
        execute("CREATE TABLE people (name " + exactText() + " PRIMARY KEY, email VARCHAR(20))");
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
        execute("CREATE TABLE ages (name " + exactText() + " PRIMARY KEY, age BIGINT)");
        execute("INSERT INTO ages VALUES ('ada', NULL)");
        assertThat(JdbcStore.adopt(
                                source(),
                                new JdbcTable<>("ages", "name", JdbcType.text(), "age", JdbcType.longs(), "besom_hash"))
                        .get("ada"))
                .isNull();
    }

    @Test
    default void rowsThatWereBackFilledAfterASnapshotAreFound(@TempDir Path folder) throws IOException {
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
    default void oneTableUnderTwoNamesHasTheSameNotes(@TempDir Path folder) throws IOException {
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
}
