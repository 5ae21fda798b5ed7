package dev.besom.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.guard.NumberedCalls.Manner;
import dev.besom.guard.NumberedCalls.Outage;
import dev.besom.guard.NumberedCalls.Plan;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
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
