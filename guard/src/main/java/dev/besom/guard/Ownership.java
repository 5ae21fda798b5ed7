package dev.besom.guard;

import dev.besom.guard.notes.OwnerNote;
import dev.besom.guard.shard.Snapshots;
import dev.besom.guard.store.Lease;
import dev.besom.guard.store.Notes;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A guard's lease and its epoch. Read-only guards have neither. */
final class Ownership implements AutoCloseable, Lease.Listener {

    private final Notes notes;
    private final Gate gate;
    private long previous;
    private @Nullable Lease lease;

    private Ownership(Notes notes, Gate gate) {
        this.notes = notes;
        this.gate = gate;
    }

    static Ownership none(Notes notes) {
        return new Ownership(notes, new Gate(Gate.State.READ_ONLY));
    }

    /**
     * Takes the lease.
     *
     * @throws IllegalStateException if another guard has it
     */
    static Ownership acquire(Notes notes, Gate gate, Function<Lease.Listener, Lease> acquiring) {
        Ownership ownership = new Ownership(notes, gate);
        ownership.lease = acquiring.apply(ownership);
        ownership.previous = OwnerNote.epoch(notes);
        return ownership;
    }

    /** The guard's own epoch. */
    long epoch() {
        return previous + 1;
    }

    /** Begins the guard's epoch, before it changes anything. */
    void beginEpoch(Snapshots snapshots, boolean isSnapshotLoaded) {
        if (lease == null) {
            return;
        }
        OwnerNote.begin(notes, epoch());
        if (isSnapshotLoaded) {
            snapshots.takeOver(previous);
        }
    }

    @Override
    public void lost() {
        gate.change(Gate.State.OPEN, Gate.State.LEASE_LOST);
    }

    /** Serves on if no other guard has begun an epoch: then the store has what the filters have. */
    @Override
    public void regained() {
        if (OwnerNote.epoch(notes) == epoch()) {
            gate.change(Gate.State.LEASE_LOST, Gate.State.OPEN);
        }
    }

    @Override
    public void close() {
        if (lease != null) {
            lease.close();
        }
    }
}
