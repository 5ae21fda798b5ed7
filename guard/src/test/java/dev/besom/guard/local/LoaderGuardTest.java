package dev.besom.guard.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.MalformedFilterException;
import dev.besom.guard.FailingDisk;
import dev.besom.guard.Guard;
import dev.besom.guard.LoaderGuard;
import dev.besom.guard.WeakHasher;
import dev.besom.guard.store.Loader;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoaderGuardTest {

    @TempDir
    Path folder;

    /** A store somewhere else, of which only this is known; counts how often it is read. */
    private static final class Remote implements Loader<String, Integer> {
        final Map<String, Integer> values = new HashMap<>();
        int reads;

        @Override
        public @Nullable Integer get(String key) {
            reads++;
            return values.get(key);
        }
    }

    private LocalKeys<String> keys() throws IOException {
        return LocalKeys.open(folder, KeyHasher.utf8(), LocalHashes.Settings.of(false, 100));
    }

    @Test
    void removingAKeyThatIsNotStoredKeepsTheOneWithTheSameHash() throws IOException {
        Map<Integer, String> remote = new HashMap<>();
        try (LoaderGuard<Integer, String> guard = Guard.over(remote::get, LocalKeys.open(folder, new WeakHasher(1)))) {
            guard.put(1, () -> remote.put(1, "stored"));
            assertThat(guard.remove(2, () -> remote.remove(2))).isFalse();
            assertThat(guard.get(1)).isEqualTo("stored");
            guard.put(2, () -> remote.put(2, "stored too"));
            assertThat(guard.remove(2, () -> remote.remove(2))).isTrue();
            assertThat(guard.remove(2, () -> remote.remove(2))).isFalse();
            assertThat(guard.get(1)).isEqualTo("stored");
            assertThat(guard.get(2)).isNull();
        }
    }

    private static void failToWrite(LoaderGuard<String, Integer> guard, String key) {
        assertThatThrownBy(() -> guard.put(key, () -> {
                    throw new IllegalArgumentException("no answer");
                }))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void writeThatGaveAKeyAnotherValueAndArrivesAfterItsRemovalIsFound() throws IOException {
        Remote remote = new Remote();
        try (LoaderGuard<String, Integer> guard = Guard.over(remote, keys())) {
            guard.put("ada", () -> remote.values.put("ada", 1));
            failToWrite(guard, "ada");
            assertThat(guard.remove("ada", () -> remote.values.remove("ada"))).isTrue();
            remote.values.put("ada", 2);
            assertThat(guard.get("ada")).isEqualTo(2);
        }
        try (LoaderGuard<String, Integer> guard = Guard.over(remote, keys())) {
            assertThat(guard.get("ada")).as("after a restart").isEqualTo(2);
        }
    }

    @Test
    void secondOfTwoWritesThatArrivesAfterManyOthersHaveFailedIsFoundAfterARestart() throws IOException {
        Remote remote = new Remote();
        try (LoaderGuard<String, Integer> guard =
                Guard.builder(remote, keys()).shards(2).open()) {
            failToWrite(guard, "ada");
            failToWrite(guard, "ada");
            // More than a shard knows one by one.
            for (int i = 0; i < 3_000; i++) {
                failToWrite(guard, "other " + i);
            }
            remote.values.put("ada", 1);
            assertThat(guard.remove("ada", () -> remote.values.remove("ada"))).isTrue();
            remote.values.put("ada", 2);
            assertThat(guard.get("ada")).isEqualTo(2);
        }
        try (LoaderGuard<String, Integer> guard = Guard.over(remote, keys())) {
            assertThat(guard.get("ada")).as("after a restart").isEqualTo(2);
        }
    }

    @Test
    void announcingAKeyDoesNotEndTheDoubtOfAWriteThatFailed() throws IOException {
        Remote remote = new Remote();
        try (LoaderGuard<String, Integer> guard = Guard.over(remote, keys())) {
            failToWrite(guard, "ada");
            guard.add("ada");
            remote.values.put("ada", 1);
            assertThat(guard.remove("ada", () -> remote.values.remove("ada"))).isTrue();
            remote.values.put("ada", 2);
            assertThat(guard.get("ada")).isEqualTo(2);
        }
    }

    @Test
    void putOfAKeyThatSomebodyElseHasStoredGivesItAHash() throws IOException {
        Map<Long, Long> remote = new HashMap<>();
        try (LoaderGuard<Long, Long> guard = Guard.builder(
                        (Loader<Long, Long>) remote::get, LocalKeys.<Long>open(folder, KeyHasher.longs(3), false))
                .shards(2)
                .fpp(0.5)
                .capacity(64)
                .open()) {
            LongStream.range(0, 60).forEach(key -> guard.put(key, () -> remote.put(key, key)));
            LongStream.range(100, 200).forEach(key -> remote.put(key, 0L));
            LongStream.range(100, 200).forEach(key -> guard.put(key, () -> remote.put(key, key)));
            for (long key = 100; key < 200; key++) {
                LongStream.range(-1_000, 0).forEach(guard::get);
                assertThat(guard.get(key)).isEqualTo(key);
            }
        }
    }

    @Test
    void keysThatWereAddedInBulkAfterASnapshotAreFound() throws IOException {
        Remote remote = new Remote();
        Path snapshot = folder.resolve("guard.besom");
        try (LoaderGuard<String, Integer> guard = Guard.over(remote, keys())) {
            for (int i = 0; i < 100; i++) {
                int value = i;
                guard.put("key " + i, () -> remote.values.put("key " + value, value));
            }
            assertThat(guard.snapshot(snapshot)).isTrue();
        }
        LocalKeys<String> keys = keys();
        List<String> imported = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            imported.add("imported " + i);
            remote.values.put("imported " + i, i);
            keys.removeHash(keys.hasher().hash("key " + i));
        }
        keys.addAll(imported);
        try (LoaderGuard<String, Integer> guard =
                Guard.builder(remote, keys).snapshot(snapshot).open()) {
            assertThat(guard.getAll(imported)).hasSize(100);
        }
    }

    @Test
    void oneLineMakesAGuardThatFindsWhatIsStoredAndKeepsTheRestAway() throws IOException {
        Remote remote = new Remote();
        try (LoaderGuard<String, Integer> guard = Guard.over(remote, keys())) {
            for (int i = 0; i < 2_000; i++) {
                String key = "key " + i;
                int value = i;
                assertThat(guard.put(key, () -> remote.values.put(key, value))).isTrue();
            }
            assertThat(guard.put("key 7", () -> remote.values.put("key 7", 77))).isFalse();
            assertThat(guard.get("key 7")).isEqualTo(77);
            assertThat(guard.getAll(List.of("key 1", "no key", "key 2")))
                    .containsExactly(Map.entry("key 1", 1), Map.entry("key 2", 2));
            remote.reads = 0;
            guard.resetStatistics();
            for (int i = 0; i < 20_000; i++) {
                assertThat(guard.containsKey("missing " + i)).isFalse();
            }
            assertThat(remote.reads).isBetween(20, 200);
            int once = remote.reads;
            for (int i = 0; i < 20_000; i++) {
                assertThat(guard.get("missing " + i)).isNull();
            }
            assertThat(remote.reads - once).isLessThan(once / 5);
            assertThat(guard.statistics().lookups().falsePositives()).isEqualTo(remote.reads);
            assertThat(guard.remove("key 7", () -> remote.values.remove("key 7")))
                    .isTrue();
            assertThat(guard.remove("key 7", () -> remote.values.remove("key 7")))
                    .isFalse();
            assertThat(guard.get("key 7")).isNull();
            assertThat(guard.count()).isEqualTo(1_999);
        }
    }

    @Test
    void keysAreKnownAfterARestartAndUnderTheSameSecret() throws IOException {
        Remote remote = new Remote();
        SplittableRandom random = new SplittableRandom(0x72657374);
        for (int start = 0; start < 10; start++) {
            try (LoaderGuard<String, Integer> guard = Guard.over(remote, keys())) {
                assertThat(guard.hasher().stamp().isSecret()).isTrue();
                remote.values.forEach((key, value) -> assertThat(guard.get(key)).isEqualTo(value));
                assertThat(guard.count()).isEqualTo(remote.values.size());
                for (int i = 0; i < 200; i++) {
                    String key = "key " + random.nextInt(1_000);
                    if (random.nextInt(3) > 0) {
                        boolean isNew = !remote.values.containsKey(key);
                        assertThat(guard.put(key, () -> remote.values.put(key, 1)))
                                .isEqualTo(isNew);
                    } else {
                        boolean isThere = remote.values.containsKey(key);
                        assertThat(guard.remove(key, () -> remote.values.remove(key)))
                                .isEqualTo(isThere);
                    }
                }
            }
        }
    }

    @Test
    void snapshotOfTheSameKeysIsTakenAndAnOutdatedOneIsNot() throws IOException {
        Remote remote = new Remote();
        Path file = folder.resolve("guard.besom");
        try (LoaderGuard<String, Integer> guard = Guard.over(remote, keys())) {
            for (int i = 0; i < 500; i++) {
                String key = "key " + i;
                guard.put(key, () -> remote.values.put(key, 1));
            }
            guard.snapshot(file);
        }
        try (LoaderGuard<String, Integer> guard =
                Guard.builder(remote, keys()).snapshot(file).open()) {
            remote.values.keySet().forEach(key -> assertThat(guard.get(key)).isEqualTo(1));
            guard.put("one more", () -> remote.values.put("one more", 1));
        }
        try (LoaderGuard<String, Integer> guard =
                Guard.builder(remote, keys()).snapshot(file).open()) {
            remote.values.keySet().forEach(key -> assertThat(guard.get(key)).isEqualTo(1));
        }
    }

    @Test
    void keysThatWereThereBeforeTheGuardAreFound() throws IOException {
        Remote remote = new Remote();
        LocalKeys<String> keys = keys();
        List<String> there =
                LongStream.range(0, 10_000).mapToObj(i -> "key " + i).toList();
        there.forEach(key -> remote.values.put(key, 1));
        keys.addAll(there);
        try (LoaderGuard<String, Integer> guard = Guard.over(remote, keys)) {
            there.forEach(key -> assertThat(guard.get(key)).isEqualTo(1));
            assertThat(guard.count()).isEqualTo(10_000);
        }
    }

    @Test
    void writeThatFailsIsSeenByTheCallerAndHidesNothing() throws IOException {
        Remote remote = new Remote();
        try (LoaderGuard<String, Integer> guard = Guard.over(remote, keys())) {
            for (int i = 0; i < 50; i++) {
                assertThatThrownBy(() -> guard.put("doubtful", () -> {
                            throw new IllegalStateException("lost connection");
                        }))
                        .hasMessage("lost connection");
                assertThat(guard.get("doubtful")).isNull();
            }
            // It had reached the store after all.
            remote.values.put("doubtful", 3);
            assertThat(guard.get("doubtful")).isEqualTo(3);
            assertThat(guard.put("doubtful", () -> remote.values.put("doubtful", 4)))
                    .isFalse();
            assertThat(guard.count()).isEqualTo(1);
            assertThatThrownBy(() -> guard.remove("doubtful", () -> {
                        throw new IllegalStateException("lost connection");
                    }))
                    .hasMessage("lost connection");
            assertThat(guard.get("doubtful")).isEqualTo(4);
            assertThat(guard.remove("doubtful", () -> {}))
                    .as("it is still there")
                    .isFalse();
            assertThat(guard.get("doubtful")).isEqualTo(4);
        }
        try (LocalKeys<String> keys = keys()) {
            assertThat(keys.count()).as("recorded once in fifty tries").isEqualTo(1);
        }
    }

    @Test
    void announcedKeyIsFoundOnceSomebodyElseHasStoredItHoweverOftenItWasAskedFor() throws IOException {
        Remote remote = new Remote();
        try (LoaderGuard<String, Integer> guard = Guard.over(remote, keys())) {
            for (String key : List.of("soon", "later")) {
                assertThat(guard.add(key)).isTrue();
                for (int i = 0; i < 3; i++) {
                    assertThat(guard.get(key)).isNull();
                    assertThat(guard.getAll(List.of(key))).isEmpty();
                }
            }
            remote.values.put("soon", 5);
            assertThat(guard.get("soon")).isEqualTo(5);
        }
        try (LoaderGuard<String, Integer> guard = Guard.over(remote, keys())) {
            for (int i = 0; i < 3; i++) {
                assertThat(guard.get("later")).isNull();
            }
            remote.values.put("later", 6);
            assertThat(guard.get("later")).isEqualTo(6);
        }
    }

    @Test
    void folderInUseAndAnotherHasherAndAMissingSecretAreRefused() throws IOException {
        try (LocalKeys<String> keys = keys()) {
            keys.addAll(List.of("key"));
            assertThatThrownBy(this::keys).isInstanceOf(IOException.class).hasMessageContaining("in use");
        }
        assertThatThrownBy(() -> LocalKeys.open(folder, KeyHasher.utf8(4)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another hasher");
        Path note = folder.resolve("note-besom.secret");
        byte[] secret = Files.readAllBytes(note);
        secret[3] ^= 1;
        Files.write(note, secret);
        assertThatThrownBy(this::keys).isInstanceOf(MalformedFilterException.class);
        Files.delete(note);
        Files.delete(folder.resolve("note-besom.hasher"));
        assertThatThrownBy(this::keys)
                .isInstanceOf(MalformedFilterException.class)
                .hasMessageContaining("hasher is missing");
    }

    @Test
    void fullDiskMakesAPutFailBeforeAnythingIsStored() throws IOException {
        Remote remote = new Remote();
        FailingDisk disk = new FailingDisk(folder, 3_000, FailingDisk.End.FULL);
        Map<String, Integer> stored = remote.values;
        try (LoaderGuard<String, Integer> guard =
                Guard.over(remote, LocalKeys.open(disk.path(), KeyHasher.utf8(), LocalHashes.Settings.of(true, 100)))) {
            int failed = 0;
            for (int i = 0; i < 400; i++) {
                String key = "key " + i;
                try {
                    guard.put(key, () -> stored.put(key, 1));
                } catch (StoreException e) {
                    failed++;
                    assertThat(stored).doesNotContainKey(key);
                }
            }
            assertThat(failed).isPositive();
            stored.keySet().forEach(key -> assertThat(guard.get(key)).isEqualTo(1));
        }
        try (LoaderGuard<String, Integer> guard = Guard.over(remote, keys())) {
            stored.keySet().forEach(key -> assertThat(guard.get(key)).isEqualTo(1));
            assertThat(stored).isNotEmpty();
        }
    }

    @Test
    void keyThatIsPutAgainAfterARemovalFailedOnTheDiskIsFoundAfterARestart() throws IOException {
        Remote remote = new Remote();
        FailingDisk disk = new FailingDisk(folder, Long.MAX_VALUE, FailingDisk.End.FULL);
        try (LoaderGuard<String, Integer> guard =
                Guard.over(remote, LocalKeys.open(disk.path(), KeyHasher.utf8(), LocalHashes.Settings.of(true, 100)))) {
            assertThatThrownBy(() -> guard.put("ada", () -> {
                        remote.values.put("ada", 1);
                        throw new IllegalStateException("the acknowledgement is lost");
                    }))
                    .isInstanceOf(IllegalStateException.class);
            // The record of the removal gets to the disk all the same, and is not cut off again.
            AtomicInteger calls = new AtomicInteger();
            disk.changes = call -> {
                if (calls.getAndIncrement() == 0) {
                    call.make();
                }
                throw new IOException("the disk fails");
            };
            assertThatThrownBy(() -> guard.remove("ada", () -> remote.values.remove("ada")))
                    .isInstanceOf(StoreException.class);
            assertThat(calls).hasValue(2);
            disk.changes = FailingDisk.FileCall::make;
            guard.put("ada", () -> remote.values.put("ada", 2));
            assertThat(guard.get("ada")).isEqualTo(2);
        }
        try (LoaderGuard<String, Integer> guard = Guard.over(remote, keys())) {
            assertThat(guard.get("ada")).as("after a restart").isEqualTo(2);
        }
    }
}
