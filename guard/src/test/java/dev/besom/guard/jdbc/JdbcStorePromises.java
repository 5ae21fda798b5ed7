package dev.besom.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.Guard;
import dev.besom.guard.StoreGuard;
import dev.besom.guard.store.RejectedException;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.KeyHasher;
import dev.besom.testkit.Duel;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store in a database promises about keys and values, racing callers and refused changes. */
interface JdbcStorePromises extends JdbcDatabase {

    @Test
    default void behavesLikeAMapAndKeepsItsHashesInStep() {
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
    default void exactlyOneOfTwoRacingCallersSeesANewKey() throws Exception {
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
    default void ofTwoWhoWriteOneNoteAtOnceOneDoesSoAndBothGetIt() throws Exception {
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
    default void secondGuardOverOneTableIsRefusedUntilTheFirstIsClosed() {
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
    default void putsThatTheDatabaseRefusesLeaveNothingBehind(@TempDir Path folder) throws IOException {
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
    default void hashesWithoutTheSecretThatMadeThemAreRefused() {
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
    default void manyKeysAtOnceAreStoredOrReplaced() {
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
    default void databaseThatFailsIsSeenByTheCaller() {
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

    @Test
    default void keysThatDifferInCaseOrBlanksAreDifferentKeys() {
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
    default void keysThatWerePutInBulkAfterASnapshotAreFound(@TempDir Path folder) throws IOException {
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
}
