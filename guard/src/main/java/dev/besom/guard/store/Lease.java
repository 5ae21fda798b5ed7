package dev.besom.guard.store;

/**
 * The right of one guard to be the only one that changes a store. Held from {@link Store#acquireLease} until it is closed,
 * and at the latest until the process ends.
 */
public interface Lease extends AutoCloseable {

    /** Told when a lease comes to an end by itself, such as by a broken connection. */
    interface Listener {

        /** The lease is lost: another guard may have it from now on. */
        void lost();

        /** The lease is held again; another guard may have had it meanwhile. */
        void regained();
    }

    /**
     * A lease among the guards of this process, for stores that no other process can open.
     *
     * @param store compared by identity
     * @throws LeaseHeldException if another guard of this process has it
     */
    static Lease ofProcess(Object store) {
        return ProcessLease.acquire(store);
    }

    /**
     * Begins an epoch of the guard that has the lease. A store that can do so refuses changes of earlier epochs from now on,
     * by a {@link RejectedException}, and waits for those that are in flight: by then another guard has lost the lease, and may not
     * know it.
     *
     * @param epoch its number
     * @param note writes the note of the epoch
     * @throws LeaseHeldException if the lease was lost since it was acquired, even if it is held again: another guard may have
     *     begun an epoch with this number
     */
    default void beginEpoch(long epoch, Runnable note) {
        note.run();
    }

    /** Gives the lease back; nothing if that has happened. */
    @Override
    void close();
}
