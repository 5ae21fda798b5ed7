package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.NumberedCalls.Manner;
import dev.besom.guard.NumberedCalls.Outage;
import dev.besom.guard.NumberedCalls.Plan;
import dev.besom.guard.store.MemoryStore;
import dev.besom.guard.store.Notes;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a snapshot whose note the store does not take, or takes late. */
class SnapshotNoteTest {

    private static final KeyHasher<Long> SEEDED = KeyHasher.longs(0x6e6f7465L);

    @TempDir
    Path folder;

    private StoreGuard<Long, Long> open(NumberedStore store) {
        return Guard.builder(store, SEEDED)
                .shards(2)
                .snapshot(folder.resolve("guard.besom"))
                .snapshotOnClose()
                .open();
    }

    /** The number of the call that writes a snapshot's note, by a guard that has put one key. */
    private long noteCall() throws IOException {
        NumberedCalls calls = new NumberedCalls(Plan.NONE);
        StoreGuard<Long, Long> guard = open(new NumberedStore(calls));
        guard.put(1L, 1L);
        assertThat(guard.snapshot(folder.resolve("guard.besom"))).isTrue();
        return calls.count() - 1;
    }

    @Test
    void noteThatArrivesAfterAChangeMakesNoSnapshotCurrent() throws IOException {
        long note = noteCall();
        NumberedCalls calls = new NumberedCalls(new Plan(Manner.LATE, note, note));
        NumberedStore store = new NumberedStore(calls);
        StoreGuard<Long, Long> guard = Guard.builder(store, SEEDED)
                .shards(2)
                .snapshot(folder.resolve("guard.besom"))
                .open();
        guard.put(1L, 1L);
        assertThatThrownBy(() -> guard.snapshot(folder.resolve("guard.besom"))).isInstanceOf(Outage.class);
        // As many keys go as come.
        guard.remove(1L);
        guard.put(2L, 2L);
        calls.deliver();
        guard.close();
        assertThat(open(store).get(2L)).isEqualTo(2);
    }

    /** Calls something before it writes the first note of a snapshot, which it writes late. */
    private static final class LateNoteStore extends ForwardingStore<Long, Long> {

        private Runnable beforeNote = () -> {};
        private @Nullable Runnable late;

        LateNoteStore() {
            super(new MemoryStore<>());
        }

        void deliver() {
            Objects.requireNonNull(late).run();
        }

        @Override
        public Notes notes() {
            Notes inner = super.notes();
            return new Notes() {
                @Override
                public byte @Nullable [] read(String name) {
                    return inner.read(name);
                }

                @Override
                public void write(String name, byte[] contents) {
                    if (!name.equals(SNAPSHOT) || late != null) {
                        inner.write(name, contents);
                        return;
                    }
                    beforeNote.run();
                    late = () -> inner.write(name, contents);
                    throw new Outage();
                }

                @Override
                public byte[] writeIfAbsent(String name, byte[] contents) {
                    return inner.writeIfAbsent(name, contents);
                }

                @Override
                public void remove(String name) {
                    inner.remove(name);
                }
            };
        }
    }

    /** Changes the store behind a snapshot whose note comes late, and opens the next guard. */
    private static void changeAndReopen(LateNoteStore store, StoreGuard<Long, Long> guard, Path file) {
        // As many keys go as come.
        guard.remove(1L);
        guard.put(2L, 2L);
        store.deliver();
        guard.close();
        try (StoreGuard<Long, Long> next =
                Guard.builder(store, SEEDED).shards(2).snapshot(file).open()) {
            assertThat(next.get(2L)).isEqualTo(2);
        }
    }

    @Test
    void noteThatArrivesAfterAChangeMakesNoFileCurrentThatCannotBeDeleted() {
        FailingDisk disk = new FailingDisk(folder, Long.MAX_VALUE, FailingDisk.End.DEAD);
        LateNoteStore store = new LateNoteStore();
        store.beforeNote = disk::end;
        StoreGuard<Long, Long> guard = Guard.builder(store, SEEDED).shards(2).open();
        guard.put(1L, 1L);
        assertThatThrownBy(() -> guard.snapshot(disk.path().resolve("guard.besom")))
                .isInstanceOf(Outage.class);
        changeAndReopen(store, guard, folder.resolve("guard.besom"));
    }

    /** A guard that is thought dead and another one, which write their snapshots to one file. */
    @Test
    void guardDoesNotNameTheFileOfAnother() throws Exception {
        Path file = folder.resolve("guard.besom");
        CountDownLatch isBegun = new CountDownLatch(1);
        CountDownLatch isToEnd = new CountDownLatch(1);
        FailingStore<Long, Long> slow = new FailingStore<>();
        LateNoteStore store = new LateNoteStore();
        StoreGuard<Long, Long> first = Guard.builder(slow, SEEDED).shards(2).open();
        StoreGuard<Long, Long> second = Guard.builder(store, SEEDED).shards(2).open();
        first.put(1L, 1L);
        second.put(1L, 1L);
        slow.beforeNote = () -> {
            isBegun.countDown();
            awaitUninterrupted(isToEnd);
        };
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            Future<Boolean> written = other.submit(() -> first.snapshot(file));
            isBegun.await();
            store.beforeNote = () -> {
                isToEnd.countDown();
                assertThatThrownBy(written::get).hasCauseInstanceOf(NoSuchFileException.class);
            };
            assertThatThrownBy(() -> second.snapshot(file)).isInstanceOf(Outage.class);
            changeAndReopen(store, second, file);
        } finally {
            isToEnd.countDown();
            other.shutdown();
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void guardIsClosedAndGivesItsLeaseBackAlsoIfItsLastSnapshotIsNotNoted() throws IOException {
        long note = noteCall();
        NumberedStore store = new NumberedStore(new NumberedCalls(new Plan(Manner.BEFORE, note, note)));
        StoreGuard<Long, Long> guard = open(store);
        guard.put(1L, 1L);
        assertThatThrownBy(guard::close).isInstanceOf(StoreException.class).hasCauseInstanceOf(Outage.class);
        assertThat(guard.state()).isEqualTo(GuardState.CLOSED);
        assertThat(open(store).get(1L)).isEqualTo(1);
    }

    @Test
    void guardThatCannotReadItsEpochLeavesNoLease() {
        NumberedStore store = new NumberedStore(new NumberedCalls(new Plan(Manner.BEFORE, 0, 0)));
        assertThatThrownBy(() -> open(store)).isInstanceOf(Outage.class);
        open(store).close();
    }
}
