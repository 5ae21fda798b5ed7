package dev.besom.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.Guard;
import dev.besom.guard.StoreGuard;
import dev.besom.guard.store.RejectedException;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.HasherStamp;
import dev.besom.hash.KeyHasher;
import dev.besom.testkit.Duel;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksObject;

class RocksStoreTest {

    @TempDir
    Path folder;

    private RocksStore<String, Long> open() {
        return RocksStore.open(folder.resolve("db"), ByteForm.utf8(), ByteForm.longs());
    }

    @Test
    void openingThatFailsLeavesNothingOpen() throws RocksDBException {
        List<AbstractNativeReference> natives = new ArrayList<>();
        try (RocksStore<String, Long> store = open(natives)) {
            assertThat(store.hashes().count()).isZero();
            // Another one cannot have the folder meanwhile.
            List<AbstractNativeReference> second = new ArrayList<>();
            assertThatThrownBy(() -> open(second)).isInstanceOf(StoreException.class);
            assertThat(second).hasSizeGreaterThan(3).noneMatch(RocksStoreTest::isOpen);
            RocksDB db = (RocksDB) natives.stream()
                    .filter(RocksDB.class::isInstance)
                    .findFirst()
                    .orElseThrow();
            db.put("count".getBytes(StandardCharsets.US_ASCII), new byte[3]);
        }
        assertThat(natives).noneMatch(RocksStoreTest::isOpen);
        for (int attempt = 0; attempt < 2; attempt++) {
            List<AbstractNativeReference> third = new ArrayList<>();
            assertThatThrownBy(() -> open(third)).isInstanceOf(BufferUnderflowException.class);
            assertThat(third).hasSizeGreaterThan(4).noneMatch(RocksStoreTest::isOpen);
        }
    }

    private RocksStore<String, Long> open(List<AbstractNativeReference> natives) {
        return RocksStore.open(folder.resolve("db"), ByteForm.utf8(), ByteForm.longs(), false, natives);
    }

    private static boolean isOpen(AbstractNativeReference each) {
        return ((RocksObject) each).isOwningHandle();
    }

    @Test
    void behavesLikeAMapAndKeepsItsHashesInStep() {
        Map<String, Long> model = new HashMap<>();
        SplittableRandom random = new SplittableRandom(3);
        try (RocksStore<String, Long> store = open()) {
            for (int step = 0; step < 5_000; step++) {
                String key = "key " + random.nextInt(500);
                // Few enough hashes that keys share them, with the highest bit set in some.
                long hash = (key.hashCode() % 200) * 0x9E3779B97F4A7C15L;
                long value = step;
                switch (random.nextInt(4)) {
                    case 0, 1 -> assertThat(store.put(key, hash, value)).isEqualTo(model.put(key, value) == null);
                    case 2 -> assertThat(store.remove(key, hash)).isEqualTo(model.remove(key) != null);
                    default -> assertThat(store.replace(key, hash, value)).isEqualTo(model.replace(key, value) != null);
                }
            }
        }
        try (RocksStore<String, Long> store = open()) {
            Map<String, Long> found = new HashMap<>();
            store.forEach(found::put);
            assertThat(found).isEqualTo(model);
            long[] expected = model.keySet().stream()
                    .mapToLong(key -> (key.hashCode() % 200) * 0x9E3779B97F4A7C15L ^ Long.MIN_VALUE)
                    .sorted()
                    .map(hash -> hash ^ Long.MIN_VALUE)
                    .toArray();
            assertThat(store.hashes().between(0, -1L)).isEqualTo(expected);
            assertThat(store.hashes().count()).isEqualTo(model.size());
            assertThat(store.getAll(List.of("key 1", "no such key"))).containsExactly(model.get("key 1"), null);
        }
    }

    @Test
    void keysThatWerePutInBulkAfterASnapshotAreFound() throws IOException {
        Path snapshot = folder.resolve("guard.besom");
        KeyHasher<CharSequence> hasher = KeyHasher.utf8(7);
        try (StoreGuard<String, Long> guard = Guard.over(open(), hasher)) {
            for (long i = 0; i < 100; i++) {
                guard.put("key " + i, i);
            }
            assertThat(guard.snapshot(snapshot)).isTrue();
        }
        List<String> bulk = new ArrayList<>();
        try (RocksStore<String, Long> store = open()) {
            for (int i = 0; i < 100; i++) {
                store.remove("key " + i, hasher.hash("key " + i));
                bulk.add("bulk " + i);
            }
            store.putAllNew(bulk, bulk.stream().mapToLong(hasher::hash).toArray(), Collections.nCopies(100, 1L));
        }
        try (StoreGuard<String, Long> guard =
                Guard.builder(open(), hasher).snapshot(snapshot).open()) {
            assertThat(guard.getAll(bulk)).hasSize(100);
        }
    }

    @Test
    void textWithoutAFormInUtf8IsRefusedAndLeavesNothingBehind() throws IOException {
        try (StoreGuard<String, Long> guard = Guard.over(open(), KeyHasher.chars(5))) {
            guard.put("?x", 1L);
            assertThatThrownBy(() -> guard.put("\uD800x", 2L)).isInstanceOf(RejectedException.class);
            assertThatThrownBy(() -> guard.putAll(Map.of("\uD800x", 2L))).isInstanceOf(RejectedException.class);
            assertThat(guard.count()).isEqualTo(1);
            assertThat(guard.snapshot(folder.resolve("guard.besom"))).isTrue();
            assertThat(guard.get("?x")).isEqualTo(1L);
            assertThat(guard.put("\uD83E\uDDF9", 3L)).isTrue();
            assertThat(guard.get("\uD83E\uDDF9")).isEqualTo(3L);
        }
    }

    @Test
    void lookupsAfterCloseAndPrimingBesideItAreRefusedAndHarmless() throws Exception {
        KeyHasher<CharSequence> hasher = KeyHasher.utf8(7);
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            keys.add("key " + i);
        }
        try (RocksStore<String, Long> store = open()) {
            store.putAllNew(keys, keys.stream().mapToLong(hasher::hash).toArray(), Collections.nCopies(100_000, 1L));
        }
        for (int round = 0; round < 5; round++) {
            CompletableFuture<Void> begun = new CompletableFuture<>();
            StoreGuard<String, Long> guard = Guard.builder(open(), hasher)
                    .shards(256)
                    .primeOn(ForkJoinPool.commonPool())
                    .progress((done, total) -> begun.complete(null))
                    .open();
            begun.get();
            guard.close();
            assertThatThrownBy(() -> guard.get("key 1")).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void guardFindsEverythingAfterReopening() throws IOException {
        Path snapshot = folder.resolve("guard.besom");
        HasherStamp stamp;
        int n = 5_000;
        long wasted;
        try (StoreGuard<String, Long> guard = Guard.over(open(), KeyHasher.utf8())) {
            for (long i = 0; i < n; i++) {
                assertThat(guard.put("stored " + i, i)).isTrue();
            }
            for (int i = 0; i < 50_000; i++) {
                assertThat(guard.get("missing " + i) == null).isTrue();
            }
            wasted = guard.statistics().lookups().falsePositives();
            guard.snapshot(snapshot);
            stamp = guard.hasher().stamp();
        }
        assertThat(wasted).isGreaterThan(50);
        try (StoreGuard<String, Long> guard =
                Guard.builder(open(), KeyHasher.utf8()).snapshot(snapshot).open()) {
            assertThat(guard.hasher().stamp()).isEqualTo(stamp);
            for (int i = 0; i < 50_000; i++) {
                guard.get("missing " + i);
            }
            assertThat(guard.statistics().lookups().falsePositives()).isLessThan(wasted / 4);
            assertFound(guard, n);
            guard.put("stored " + n, (long) n);
        }
        try (StoreGuard<String, Long> guard =
                Guard.builder(open(), KeyHasher.utf8()).snapshot(snapshot).open()) {
            assertFound(guard, n + 1);
            for (int i = 0; i < 50_000; i++) {
                guard.get("missing " + i);
            }
            assertThat(guard.statistics().lookups().falsePositives()).isGreaterThan(wasted / 2);
        }
    }

    @Test
    void exactlyOneOfTwoRacingCallersSeesANewKey() throws Exception {
        KeyHasher<CharSequence> hasher = KeyHasher.utf8(6);
        try (RocksStore<String, Long> store = open()) {
            assertThat(Duel.roundsWithOneWinner(2_000, n -> store.put("key " + n, hasher.hash("key " + n), n)))
                    .isEqualTo(2_000);
            StoreGuard<String, Long> guard = Guard.over(store, hasher);
            assertThat(Duel.roundsWithOneWinner(2_000, n -> guard.put("guarded " + n, n)))
                    .isEqualTo(2_000);
            assertThat(store.hashes().count()).isEqualTo(4_000);
            assertThat(guard.count()).isEqualTo(4_000);
        }
    }

    @Test
    void manyNewKeysAtOnceAreAsThoughPutOneByOne() {
        KeyHasher<CharSequence> hasher = KeyHasher.utf8(5);
        List<String> keys = new ArrayList<>();
        List<Long> values = new ArrayList<>();
        for (long i = 0; i < 10_000; i++) {
            keys.add("stored " + i);
            values.add(i);
        }
        try (RocksStore<String, Long> store = open()) {
            store.putAllNew(keys, keys.stream().mapToLong(hasher::hash).toArray(), values);
            assertThat(store.hashes().count()).isEqualTo(10_000);
            StoreGuard<String, Long> guard = Guard.over(store, hasher);
            assertThat(guard.count()).isEqualTo(10_000);
            assertFound(guard, 10_000);
            assertThat(guard.put("stored 1", 7L)).isFalse();
            assertThat(guard.remove("stored 2")).isTrue();
            assertThat(guard.containsKey("stored 2")).isFalse();
            assertThat(store.hashes().count()).isEqualTo(9_999);
        }
    }

    private static void assertFound(StoreGuard<String, Long> guard, long n) {
        for (long i = 0; i < n; i++) {
            Long value = guard.get("stored " + i);
            if (value == null || value != i) {
                throw new AssertionError("key " + i + " was lost");
            }
        }
    }
}
