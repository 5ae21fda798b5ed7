package dev.besom.guard.shard;

import dev.besom.Adaptation;

/** Told by shards what they do. Any number of threads may call at once. */
public interface ShardEvents {

    /** A false positive was repaired, or turned out to be inseparable. */
    void repaired(Adaptation outcome, long hash);

    /**
     * A repair has ended, with an outcome or a failure.
     *
     * @param reads how often it has read the store
     * @param nanos how long it took
     */
    void paidForRepair(long reads, long nanos);

    /** Repairs were left out. */
    void repairsDropped(int count);

    /** A shard has grown. */
    void grew();
}
