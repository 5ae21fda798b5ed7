package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.FailingStore.Failure;
import dev.besom.guard.FailingStore.Outage;
import dev.besom.guard.store.MemoryStore;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes that callers make themselves. */
class AnnouncementTest {

    private static final KeyHasher<Integer> SEEDED = KeyHasher.ints(0x616E6E);

    /** A change that a caller has announced; it reaches the store at some moment, or never. */
    private record Pending(
            int key, Announcement announcement, @Nullable Integer value) {}

    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "telescoping-compact", "extension", "broom"})
    void noOrderOfChangesHidesAStoredKey(String kind) {
        attack(kind, SEEDED, 1, 6_000);
        attack(kind, new WeakHasher(150), 2, 3_000);
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "telescoping-compact", "telescoping-plain", "extension", "broom"})
    void noOrderOfManyChangesHidesAStoredKey(String kind) {
        for (long seed = 10; seed < 20; seed++) {
            attack(kind, SEEDED, seed, 20_000);
            attack(kind, new WeakHasher(150), seed, 10_000);
        }
    }

    /** Callers' changes reach the store late, are settled or not, beside puts, removals, repairs and growth. */
    private static void attack(String kind, KeyHasher<Integer> hasher, long seed, int steps) {
        SplittableRandom random = new SplittableRandom(seed);
        FailingStore<Integer, Integer> store = new FailingStore<>();
        StoreGuard<Integer, Integer> guard =
                Guard.builder(store, hasher).kind(kind).shards(2).capacity(64).open();
        List<Pending> pending = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            int key = random.nextInt(300 + step / 10);
            switch (random.nextInt(9)) {
                case 0 -> guard.put(key, step);
                case 1 -> guard.remove(key);
                case 2 -> guard.putIfAbsent(key, step);
                case 3 ->
                    pending.add(new Pending(
                            key, guard.announce(key), random.nextInt(3) == 0 ? null : Integer.valueOf(step)));
                case 4 -> {
                    store.writes = random.nextBoolean() ? Failure.BEFORE : Failure.AFTER;
                    assertFails(() -> guard.put(key, 1));
                    store.writes = Failure.NEVER;
                }
                case 5 -> {
                    if (!pending.isEmpty()) {
                        // The change arrives in a later turn, perhaps.
                        pending.get(random.nextInt(pending.size()))
                                .announcement()
                                .close();
                    }
                }
                case 6, 7 -> {
                    if (!pending.isEmpty()) {
                        finish(pending.remove(random.nextInt(pending.size())), store, hasher, random.nextInt(4));
                    }
                }
                default -> guard.get(-1 - random.nextInt(5_000));
            }
            if (step % 50 == 0) {
                assertFound(guard, store, kind, seed, step);
            }
        }
        assertFound(guard, store, kind, seed, steps);
    }

    private static void assertFails(Runnable change) {
        try {
            change.run();
        } catch (Outage e) {
            assertThat(e).isNotNull();
        }
    }

    private static void finish(
            Pending change, FailingStore<Integer, Integer> store, KeyHasher<Integer> hasher, int how) {
        int key = change.key();
        if (how == 0) {
            // Rolled back.
            change.announcement().settle();
        } else {
            boolean isLate = how == 1;
            if (isLate) {
                change.announcement().close();
            }
            if (change.value() == null) {
                store.inner().remove(key, hasher.hash(key));
            } else {
                store.inner().put(key, change.announcement().hash(), change.value());
            }
            if (!isLate) {
                change.announcement().settle();
            }
        }
        change.announcement().close();
    }

    private static void assertFound(
            StoreGuard<Integer, Integer> guard,
            FailingStore<Integer, Integer> store,
            String kind,
            long seed,
            int step) {
        Map<Integer, Integer> stored = new HashMap<>();
        store.inner().forEach(stored::put);
        stored.forEach((key, value) -> {
            if (!value.equals(guard.get(key))) {
                throw new AssertionError(kind + ", seed " + seed + ", step " + step + ": " + key + " is hidden");
            }
        });
        assertThat(guard.getAll(stored.keySet())).isEqualTo(stored);
    }

    @Test
    void aKeyIsInDoubtUntilItsChangeIsSettled(@TempDir Path folder) throws IOException {
        MemoryStore<Integer, String> store = new MemoryStore<>();
        try (StoreGuard<Integer, String> guard = Guard.over(store, SEEDED)) {
            try (Announcement announced = guard.announce(1)) {
                assertThat(announced.hash()).isEqualTo(SEEDED.hash(1));
                assertThat(guard.get(1)).isNull();
                assertThatIllegalStateException().isThrownBy(() -> guard.snapshot(folder.resolve("snapshot")));
                store.put(1, announced.hash(), "committed");
                assertThat(guard.get(1)).isEqualTo("committed");
                announced.settle();
            }
            assertThat(guard.snapshot(folder.resolve("snapshot"))).isTrue();
            assertThat(guard.count()).isEqualTo(1);

            try (Announcement rolledBack = guard.announce(2)) {
                rolledBack.settle();
            }
            assertThat(guard.count()).as("slots").isEqualTo(1);
            assertThat(guard.snapshot(folder.resolve("snapshot"))).isTrue();

            try (Announcement deleted = guard.announce(1)) {
                store.remove(1, deleted.hash());
                deleted.settle();
            }
            assertThat(guard.count()).as("slots").isEqualTo(0);

            guard.announce(3).close();
            assertThatIllegalStateException().isThrownBy(() -> guard.snapshot(folder.resolve("snapshot")));
            store.put(3, SEEDED.hash(3), "late");
            assertThat(guard.get(3)).isEqualTo("late");
            assertThat(guard.put(3, "again")).isFalse();
            assertThat(guard.snapshot(folder.resolve("snapshot"))).isTrue();
        }
    }

    @Test
    void announcingMakesTheSnapshotOutdatedBeforeTheChange(@TempDir Path folder) throws IOException {
        MemoryStore<Integer, String> store = new MemoryStore<>();
        Path snapshot = folder.resolve("snapshot");
        try (StoreGuard<Integer, String> guard = Guard.over(store, SEEDED)) {
            guard.put(1, "one");
            assertThat(guard.snapshot(snapshot)).isTrue();
            Announcement announced = guard.announce(2);
            store.put(2, announced.hash(), "two");
            store.remove(1, SEEDED.hash(1));
            announced.close();
        }
        assertThat(Files.exists(snapshot)).isTrue();
        try (StoreGuard<Integer, String> guard =
                Guard.builder(store, SEEDED).snapshot(snapshot).open()) {
            assertThat(guard.get(2)).isEqualTo("two");
        }
    }

    /** The process ends after each step in turn; the next one starts from a snapshot, if it is current. */
    @Test
    void aProcessThatEndsBetweenTwoStepsHidesNothing(@TempDir Path folder) throws IOException {
        for (int steps = 0; steps <= 4; steps++) {
            FailingStore<Integer, Integer> store = new FailingStore<>();
            // The lease of a process that has ended is free.
            store.lease = listener -> () -> {};
            Path snapshot = folder.resolve("snapshot " + steps);
            StoreGuard<Integer, Integer> killed = Guard.over(store, SEEDED);
            for (int key = 0; key < 50; key++) {
                killed.put(key, key);
            }
            assertThat(killed.snapshot(snapshot)).isTrue();
            Announcement announced = steps > 0 ? killed.announce(100) : null;
            if (announced != null && steps > 1) {
                store.inner().put(100, announced.hash(), 100);
                store.inner().remove(0, SEEDED.hash(0));
            }
            if (announced != null && steps > 2) {
                announced.settle();
            }
            if (steps > 3) {
                assertThat(killed.snapshot(snapshot)).isTrue();
            }
            StoreGuard<Integer, Integer> next =
                    Guard.builder(store, SEEDED).snapshot(snapshot).open();
            Map<Integer, Integer> stored = new HashMap<>();
            store.inner().forEach(stored::put);
            assertThat(next.getAll(stored.keySet())).as("after %d steps", steps).isEqualTo(stored);
        }
    }

    @Test
    void aRowWithoutItsHashIsReportedAndNotHidden() {
        FailingStore<Integer, Integer> store = new FailingStore<>();
        StoreGuard<Integer, Integer> guard =
                Guard.builder(store, SEEDED).shards(2).capacity(64).open();
        Announcement announced = guard.announce(7);
        // Another hash: the caller has forgotten to store the right one.
        store.inner().put(7, ~announced.hash(), 70);
        assertThatIllegalStateException().isThrownBy(announced::settle).withMessageContaining("without its hash");
        for (int key = 1_000; key < 2_000; key++) {
            guard.put(key, key);
        }
        assertThat(guard.statistics().growths()).isPositive();
        assertThat(guard.get(7)).isEqualTo(70);
    }

    @Test
    void closingWaitsForWhatIsAnnounced() throws Exception {
        FailingStore<Integer, Integer> store = new FailingStore<>();
        StoreGuard<Integer, Integer> guard = Guard.over(store, SEEDED);
        CompletableFuture<Void> isStoreClosed = new CompletableFuture<>();
        store.onClose = () -> isStoreClosed.complete(null);
        Announcement announced = guard.announce(1);
        assertThatIllegalStateException().isThrownBy(guard::close).withMessageContaining("announced");
        assertThat(guard.get(2)).isNull();

        CompletableFuture<Void> closing = CompletableFuture.runAsync(guard::close);
        while (isOpen(guard)) {
            Thread.onSpinWait();
        }
        assertThat(isStoreClosed).isNotDone();
        announced.settle();
        announced.close();
        closing.get();
        assertThat(isStoreClosed).isDone();
        assertThatIllegalStateException().isThrownBy(() -> guard.announce(2));
    }

    private static boolean isOpen(Guard<Integer, ?> guard) {
        try {
            guard.get(2);
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    @Test
    void moreAnnouncementsThanAreKnownOneByOneHideNothing() {
        FailingStore<Integer, Integer> store = new FailingStore<>();
        StoreGuard<Integer, Integer> guard =
                Guard.builder(store, SEEDED).shards(2).capacity(64).open();
        List<Announcement> all = new ArrayList<>();
        for (int key = 0; key < 5_000; key++) {
            all.add(guard.announce(key));
        }
        for (int key = 0; key < 5_000; key++) {
            guard.put(key, 1);
            guard.remove(key);
        }
        for (int key = 0; key < 5_000; key++) {
            store.inner().put(key, SEEDED.hash(key), key);
        }
        for (int key = 0; key < 5_000; key++) {
            assertThat(guard.get(key)).isEqualTo(key);
        }
        all.forEach(Announcement::settle);
        for (int key = 10_000; key < 12_000; key++) {
            guard.put(key, key);
        }
        for (int key = 0; key < 5_000; key++) {
            assertThat(guard.get(key)).isEqualTo(key);
        }
    }

    /** The key is stored when it is announced, so that its removal does not tell whether the announced change has arrived. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void changeThatArrivesAfterTheRemovalOfItsKeyIsFound(boolean isSettled) {
        FailingStore<Integer, Integer> store = new FailingStore<>();
        try (StoreGuard<Integer, Integer> guard = Guard.over(store, SEEDED)) {
            if (isSettled) {
                // The announced change stores the key, and the put that has failed arrives later.
                store.puts = Failure.BEFORE;
                assertThatThrownBy(() -> guard.put(1, 1)).isInstanceOf(Outage.class);
                store.puts = Failure.NEVER;
                try (Announcement announced = guard.announce(1)) {
                    store.inner().put(1, announced.hash(), 2);
                    announced.settle();
                }
            } else {
                guard.put(1, 1);
                guard.announce(1).close();
            }
            assertThat(guard.remove(1)).isTrue();
            store.inner().put(1, SEEDED.hash(1), 3);
            assertThat(guard.get(1)).isEqualTo(3);
        }
    }

    /** One caller deletes the key, another one stores it again, and in between the shard reads the stored hashes for its growth. */
    @ParameterizedTest
    @ValueSource(strings = {"telescoping", "telescoping-compact", "extension", "broom"})
    void keyThatIsStoredAgainAfterItsShardHasGrownIsFound(String kind) {
        for (int read = 1; read <= 12; read++) {
            FailingStore<Integer, Integer> store = new FailingStore<>();
            StoreGuard<Integer, Integer> guard = Guard.builder(store, SEEDED)
                    .kind(kind)
                    .shards(2)
                    .capacity(300)
                    .open();
            guard.put(0, 0);
            try (Announcement deletion = guard.announce(0);
                    Announcement insertion = guard.announce(0)) {
                int[] left = {read};
                store.beforeRange = () -> {
                    if (--left[0] == 0) {
                        store.inner().remove(0, deletion.hash());
                    }
                };
                for (int key = 1; guard.statistics().growths() == 0; key++) {
                    // One shard is enough.
                    if (SEEDED.hash(key) < 0 == deletion.hash() < 0) {
                        guard.put(key, key);
                    }
                }
                store.beforeRange = () -> {};
                store.inner().put(0, insertion.hash(), 1);
                deletion.settle();
                insertion.settle();
            }
            assertThat(guard.containsKey(0)).as("deleted at read %s", read).isTrue();
        }
    }

    @Test
    void anAnnouncementThatFailsLeavesNothingBehind(@TempDir Path folder) throws IOException {
        FailingStore<Integer, Integer> store = new FailingStore<>();
        StoreGuard<Integer, Integer> guard = Guard.over(store, SEEDED);
        guard.put(1, 1);
        store.reads = Failure.BEFORE;
        assertThatThrownBy(() -> guard.announce(1)).isInstanceOf(Outage.class);
        store.reads = Failure.NEVER;
        assertThat(guard.snapshot(folder.resolve("snapshot"))).isTrue();
        guard.close();
    }
}
