package dev.besom.guard;

import dev.besom.guard.notes.OwnerNote;
import dev.besom.guard.shard.Snapshots;
import dev.besom.guard.store.Lease;
import dev.besom.guard.store.LeaseHeldException;
import dev.besom.guard.store.Notes;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A guard's lease and its epoch. Read-only guards have neither. */
final class Ownership implements AutoCloseable, Lease.Listener {

    /** How often a lease is tried that another guard has. */
    private static final long TRY_EVERY_MILLIS = 50;

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
     * @throws LeaseHeldException if another guard has it
     */
    static Ownership take(Notes notes, Gate gate, Function<Lease.Listener, Lease> taking) {
        Ownership ownership = new Ownership(notes, gate);
        ownership.lease = taking.apply(ownership);
        try {
            ownership.previous = OwnerNote.epoch(notes);
            return ownership;
        } catch (RuntimeException | Error e) {
            ownership.close();
            throw e;
        }
    }

    /** Tries to get what another guard has, for a while. */
    static <T> T acquire(Supplier<T> acquiring, Duration wait) {
        long start = System.nanoTime();
        while (true) {
            try {
                return acquiring.get();
            } catch (LeaseHeldException e) {
                if (System.nanoTime() - start >= wait.toNanos()) {
                    throw e;
                }
            }
            try {
                Thread.sleep(TRY_EVERY_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while another guard had the lease", e);
            }
        }
    }

    /** The guard's own epoch. */
    long epoch() {
        return previous + 1;
    }

    /**
     * Begins the guard's epoch, before it reads the hashes or changes anything.
     *
     * @throws LeaseHeldException if the lease was lost since it was taken
     */
    void beginEpoch(Snapshots snapshots) {
        if (lease != null) {
            lease.beginEpoch(epoch(), () -> OwnerNote.begin(notes, epoch()));
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
