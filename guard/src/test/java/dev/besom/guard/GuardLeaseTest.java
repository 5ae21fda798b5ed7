package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.notes.OwnerNote;
import dev.besom.guard.store.Lease;
import dev.besom.guard.store.LeaseHeldException;
import dev.besom.guard.store.MemoryStore;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One guard at a time, and what becomes of those that overlap all the same. */
class GuardLeaseTest {

    private static final KeyHasher<Long> SEEDED = KeyHasher.longs(0x6c65617365L);

    @TempDir
    Path folder;

    private final FailingStore<Long, Long> store = new FailingStore<>();

    private StoreGuard<Long, Long> open(List<Integer> primed) {
        return Guard.builder(store, SEEDED)
                .snapshot(folder.resolve("guard.besom"))
                .progress((done, total) -> primed.add(done))
                .open();
    }

    private static void put(StoreGuard<Long, Long> guard, long from, long to) {
        LongStream.range(from, to).forEach(key -> guard.put(key, key));
    }

    @Test
    void secondGuardOverOneStoreIsRefusedUntilTheFirstIsClosed() {
        MemoryStore<Long, Long> memory = new MemoryStore<>();
        GuardBuilder<Long, StoreGuard<Long, Long>> builder = Guard.builder(memory, SEEDED);
        StoreGuard<Long, Long> first = builder.open();
        assertThatThrownBy(builder::open)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another guard");
        first.put(1L, 1L);
        first.close();
        try (StoreGuard<Long, Long> second = builder.open()) {
            assertThat(second.get(1L)).isEqualTo(1L);
        }
    }

    @Test
    void guardThatMayWaitIsOpenedWhenTheOtherOneIsClosed() throws Exception {
        MemoryStore<Long, Long> memory = new MemoryStore<>();
        GuardBuilder<Long, StoreGuard<Long, Long>> builder = Guard.builder(memory, SEEDED);
        StoreGuard<Long, Long> older = builder.open();
        assertThatThrownBy(() -> builder.waitForLease(Duration.ofMillis(1)).open())
                .isInstanceOf(LeaseHeldException.class);
        CompletableFuture<StoreGuard<Long, Long>> newer = CompletableFuture.supplyAsync(
                () -> builder.waitForLease(Duration.ofSeconds(60)).open());
        put(older, 0, 1_000);
        assertThat(newer).isNotDone();
        older.close();
        try (StoreGuard<Long, Long> opened = newer.get(60, TimeUnit.SECONDS)) {
            LongStream.range(0, 1_000)
                    .forEach(key -> assertThat(opened.get(key)).isEqualTo(key));
        }
    }

    /** What a guard that has lost its lease does until it is told, before the next one has begun its epoch, is not missed. */
    @Test
    void snapshotThatIsOutdatedWhileTheNextGuardStartsIsNotTaken() throws IOException {
        store.lease = listener -> () -> {};
        StoreGuard<Long, Long> older = open(new ArrayList<>());
        put(older, 0, 100);
        assertThat(older.snapshot(folder.resolve("guard.besom"))).isTrue();
        // Before the newer one writes the note of its epoch: the last moment at which a store can let a change through.
        store.beforeNote = () -> {
            store.beforeNote = () -> {};
            older.remove(0L);
            older.put(1_000L, 1_000L);
        };
        try (StoreGuard<Long, Long> newer = open(new ArrayList<>())) {
            assertThat(newer.get(1_000L)).isEqualTo(1_000L);
        }
    }

    /** As a lease whose connection breaks before its guard is open; another guard has the store meanwhile. */
    @Test
    void guardThatLosesItsLeaseWhileItOpensWaitsForItAgain() {
        List<String> events = new ArrayList<>();
        AtomicBoolean isHeld = new AtomicBoolean();
        store.lease = listener -> new Lease() {
            @Override
            public void beginEpoch(long epoch, Runnable note) {
                if (isHeld.getAndSet(true)) {
                    events.add("epoch " + epoch);
                    note.run();
                    return;
                }
                OwnerNote.begin(store.notes(), epoch);
                throw new LeaseHeldException("the lease is lost");
            }

            @Override
            public void close() {
                events.add("closed");
            }
        };
        GuardBuilder<Long, StoreGuard<Long, Long>> builder = Guard.builder(store, SEEDED);
        assertThatThrownBy(builder::open).isInstanceOf(LeaseHeldException.class);
        assertThat(events).containsExactly("closed");
        isHeld.set(false);
        StoreGuard<Long, Long> guard =
                builder.waitForLease(Duration.ofSeconds(60)).open();
        assertThat(events).containsExactly("closed", "closed", "epoch 3");
        assertThat(guard.state()).isEqualTo(GuardState.SERVING);
        assertThat(guard.put(1L, 1L)).isTrue();
        guard.close();
    }

    @Test
    void guardThatCouldNotBeOpenedLeavesNoLease() {
        store.ranges = FailingStore.Failure.BEFORE;
        assertThatThrownBy(() -> Guard.over(store, SEEDED)).isInstanceOf(FailingStore.Outage.class);
        store.ranges = FailingStore.Failure.NEVER;
        Guard.over(store, SEEDED).close();
    }

    @Test
    void snapshotOfAGuardThatAnotherOneHasFollowedIsNotTaken() throws IOException {
        store.lease = listener -> () -> {};
        List<Integer> primed = new ArrayList<>();
        StoreGuard<Long, Long> older = open(primed);
        put(older, 0, 100);
        StoreGuard<Long, Long> newer = open(primed);
        assertThat(older.snapshot(folder.resolve("guard.besom"))).isTrue();
        older.close();
        // As many keys as before, so that no count tells.
        LongStream.range(0, 100).forEach(newer::remove);
        put(newer, 1_000, 1_100);
        newer.close();
        try (StoreGuard<Long, Long> next = open(primed)) {
            LongStream.range(1_000, 1_100)
                    .forEach(key -> assertThat(next.get(key)).isEqualTo(key));
        }
    }

    @Test
    void snapshotServesAnyNumberOfStartsWithoutAChange() throws IOException {
        try (StoreGuard<Long, Long> guard = open(new ArrayList<>())) {
            put(guard, 0, 1_000);
            assertThat(guard.snapshot(folder.resolve("guard.besom"))).isTrue();
        }
        for (int start = 0; start < 3; start++) {
            List<Integer> primed = new ArrayList<>();
            try (StoreGuard<Long, Long> guard = open(primed)) {
                assertThat(primed).as("start %s from the snapshot", start).hasSize(1);
                assertThat(guard.get(7L)).isEqualTo(7L);
            }
        }
    }

    @Test
    void guardThatHasLostItsLeaseReadsTheStoreAndChangesNothing() throws IOException {
        List<Lease.Listener> listeners = new ArrayList<>();
        store.lease = listener -> {
            listeners.add(listener);
            return () -> {};
        };
        StoreGuard<Long, Long> guard = open(new ArrayList<>());
        put(guard, 0, 100);
        listeners.get(0).lost();
        // What another guard does.
        store.inner().put(1_000L, SEEDED.hash(1_000L), 1_000L);
        assertThat(guard.get(1_000L)).isEqualTo(1_000L);
        assertThat(guard.containsKey(1_000L)).isTrue();
        assertThat(guard.getAll(List.of(1_000L, 1L, -1L))).containsOnlyKeys(1_000L, 1L);
        assertThatThrownBy(() -> guard.put(1L, 2L)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> guard.remove(1L)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> guard.snapshot(folder.resolve("guard.besom")))
                .isInstanceOf(IllegalStateException.class);
        store.inner().remove(1_000L, SEEDED.hash(1_000L));
        listeners.get(0).regained();
        put(guard, 100, 200);
        guard.resetStatistics();
        assertThat(guard.get(-1L)).isNull();
        assertThat(guard.statistics().lookups().answeredByFilter()).isEqualTo(1);

        listeners.get(0).lost();
        try (StoreGuard<Long, Long> other = open(new ArrayList<>())) {
            put(other, 1_000, 1_010);
        }
        listeners.get(0).regained();
        assertThat(guard.get(1_005L)).as("put by another guard").isEqualTo(1_005L);
        assertThatThrownBy(() -> guard.put(1L, 2L)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void readOnlyGuardsNeedNoLeaseAndChangeNothing() {
        try (StoreGuard<Long, Long> writer = Guard.over(store, SEEDED)) {
            put(writer, 0, 10);
            StoreGuard<Long, Long> reader =
                    Guard.builder(store, SEEDED).readOnly().open();
            assertThat(reader.get(5L)).isEqualTo(5L);
            assertThatThrownBy(() -> reader.put(5L, 6L)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> reader.remove(5L)).isInstanceOf(IllegalStateException.class);
            assertThat(store.inner().get(5L)).isEqualTo(5L);
        }
    }
}
