package dev.besom.guard;

/** What a guard can do at the moment; for health checks. */
public enum GuardState {

    /** Some shards have no filter yet: their lookups are sent on to the store. */
    PRIMING,

    /** The filters answer. */
    SERVING,

    /**
     * The guard cannot prove that its filters have every stored key: its lease has run out, or it has not been able to
     * follow the others. All lookups are sent on to the store until it has caught up.
     */
    LEASE_LOST,

    /** The guard is closed. */
    CLOSED
}
