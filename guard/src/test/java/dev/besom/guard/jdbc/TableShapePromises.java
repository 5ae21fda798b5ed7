package dev.besom.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.Guard;
import dev.besom.guard.StoreGuard;
import dev.besom.guard.store.RejectedException;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store promises for every shape of table: columns, names, statements of the user's own. */
interface TableShapePromises extends JdbcDatabase {

    /** A value in several columns, one of which may be null. */
    record Person(String firstName, int age, @Nullable Double height, boolean isActive) {}

    /** A key in two columns. */
    record Seat(String hall, long number) {}

    @Test
    default void recordsAreKeysAndValuesInSeveralColumns() {
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
    default void namesInQuotesAreReservedWordsAndKeepTheirCase() {
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
    default void statementsOfTheUsersOwnAreUsed() {
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
    default void aStatementOfTheUsersOwnThatForgetsTheHashIsRefusedAndHidesNothing(@TempDir Path folder)
            throws IOException {
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
    default void rowThatCannotBeSetIsRefusedAndLeavesNothingBehind(@TempDir Path folder) throws IOException {
        JdbcType<String> picky = new JdbcType<>(
                "VARCHAR(50)",
                (statement, parameter, value) -> {
                    if (value.isEmpty()) {
                        throw new IllegalArgumentException("a value has letters");
                    }
                    statement.setString(parameter, value);
                },
                ResultSet::getString);
        JdbcTable<Long, String> table = JdbcTable.of("picky", JdbcType.longs(), picky);
        try (StoreGuard<Long, String> guard = Guard.over(JdbcStore.create(source(), table), KeyHasher.longs(6))) {
            assertThatThrownBy(() -> guard.put(1L, "")).isInstanceOf(RejectedException.class);
            assertThatThrownBy(() -> guard.putAll(Map.of(3L, ""))).isInstanceOf(RejectedException.class);
            assertThat(guard.put(2L, "two")).isTrue();
            assertThat(guard.count()).isEqualTo(1);
            assertThat(guard.getAll(List.of(1L, 2L, 3L))).containsOnlyKeys(2L);
            assertThat(guard.snapshot(folder.resolve("snapshot"))).isTrue();
        }
    }

    @Test
    default void whatIsNotAPlainNameNeverBecomesSql() {
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
