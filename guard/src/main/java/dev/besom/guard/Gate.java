package dev.besom.guard;

import dev.besom.guard.fleet.Proof;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls of the store in while the guard is open, and has closing wait for those in flight. Lookups that the filter
 * answers only look at the state.
 */
final class Gate {

    /** What a guard may do. */
    enum State {
        /** Everything. */
        OPEN,
        /** Nothing that changes the store. */
        READ_ONLY,
        /** Read the store and nothing else: another guard may have changed it, so the filters may lack keys. */
        LEASE_LOST,
        /** Nothing. */
        CLOSED
    }

    private static final String CLOSED = "the guard is closed";

    private final ReentrantReadWriteLock calls = new ReentrantReadWriteLock();
    /** Calls in flight that any thread may end; guarded by this. */
    private int detachedCalls;

    /** The threads that have announced changes, once for each; guarded by this. */
    private final List<Thread> announcers = new ArrayList<>();

    private volatile State state;

    /** That the filters have every stored key; null if that is not certain, or lookups are not allowed. */
    private volatile @Nullable Proof proof;

    Gate(State state) {
        this.state = state;
        this.proof = Proof.ALWAYS;
    }

    /** A gate whose filters prove nothing yet. */
    static Gate unproven() {
        Gate gate = new Gate(State.OPEN);
        gate.proof = null;
        return gate;
    }

    /** What the filters prove, to be read before a filter is; null if they prove nothing. */
    @Nullable
    Proof proof() {
        return proof;
    }

    /** Says what the filters prove from now on. */
    synchronized void prove(@Nullable Proof next) {
        if (state != State.CLOSED) {
            proof = next;
        }
    }

    /** Whether the filters have every stored key at the moment, and lookups are allowed. */
    boolean isServing() {
        Proof now = proof;
        return now != null && now.holds();
    }

    boolean isClosed() {
        return state == State.CLOSED;
    }

    /** Begins a call that reads the store; {@link #leave()} ends it. Calls may be within others of the same thread. */
    void enter() {
        boolean isInside = calls.getReadHoldCount() > 0;
        // Tried only, as the lock itself would wait behind the one who closes, and so for all calls in flight.
        if (!calls.readLock().tryLock()) {
            throw new IllegalStateException(CLOSED);
        }
        if (isClosed() && !isInside) {
            calls.readLock().unlock();
            throw new IllegalStateException(CLOSED);
        }
    }

    /** Begins a call that changes the store; {@link #leave()} ends it. */
    void enterToChange() {
        enter();
        if (state != State.OPEN) {
            String reason = state == State.READ_ONLY ? "the guard is read-only" : "the guard has lost its lease";
            calls.readLock().unlock();
            throw new IllegalStateException(reason);
        }
    }

    void leave() {
        calls.readLock().unlock();
    }

    /** Begins a call that any thread may end by {@link #leaveDetached()}. */
    synchronized void enterDetached() {
        if (isClosed()) {
            throw new IllegalStateException(CLOSED);
        }
        detachedCalls++;
    }

    synchronized void leaveDetached() {
        detachedCalls--;
        notifyAll();
    }

    /** Begins an announcement of a thread, which {@link #settled} ends. */
    synchronized void announced(Thread owner) {
        enterDetached();
        announcers.add(owner);
    }

    synchronized void settled(Thread owner) {
        announcers.remove(owner);
        leaveDetached();
    }

    /** Changes the state, unless it is another one than the one expected. */
    synchronized void change(State from, State to) {
        if (state == from) {
            state = to;
            proof = to == State.OPEN ? Proof.ALWAYS : null;
        }
    }

    /**
     * Closes the gate and waits until nobody is inside.
     *
     * @return false if it was closed already
     * @throws IllegalStateException if the caller is inside
     */
    boolean close() {
        if (calls.getReadHoldCount() > 0) {
            throw new IllegalStateException("a guard cannot be closed within a write that it makes");
        }
        synchronized (this) {
            if (announcers.contains(Thread.currentThread())) {
                throw new IllegalStateException("a guard cannot be closed before what the caller has announced to it");
            }
            if (state == State.CLOSED) {
                return false;
            }
            state = State.CLOSED;
            proof = null;
        }
        awaitDetached();
        calls.writeLock().lock();
        try {
            return true;
        } finally {
            calls.writeLock().unlock();
        }
    }

    private synchronized void awaitDetached() {
        boolean isInterrupted = false;
        while (detachedCalls > 0) {
            try {
                wait();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
