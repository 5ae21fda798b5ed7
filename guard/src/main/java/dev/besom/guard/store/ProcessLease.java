package dev.besom.guard.store;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/** A lease among the guards of one process. */
final class ProcessLease implements Lease {

    /** Leases in force. A store that nobody can reach any more has none. */
    private static final List<ProcessLease> HELD = new ArrayList<>();

    private final WeakReference<Object> store;

    private ProcessLease(Object store) {
        this.store = new WeakReference<>(store);
    }

    static Lease acquire(Object store) {
        synchronized (HELD) {
            HELD.removeIf(lease -> lease.store.get() == null);
            if (HELD.stream().anyMatch(lease -> lease.store.get() == store)) {
                throw new LeaseHeldException("another guard of this process has the store; close it first");
            }
            ProcessLease lease = new ProcessLease(store);
            HELD.add(lease);
            return lease;
        }
    }

    @Override
    public void close() {
        synchronized (HELD) {
            HELD.remove(this);
        }
    }
}
