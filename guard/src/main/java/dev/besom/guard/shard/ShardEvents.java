package dev.besom.guard.shard;

import dev.besom.Adaptation;

/** Told by shards what they do. Any number of threads may call at once. */
public interface ShardEvents {

    /** A false positive was repaired, or turned out to be inseparable. */
    void repaired(Adaptation outcome);

    /** Repairs were left out. */
    void repairsDropped(int count);

    /** A shard has grown. */
    void grew();
}
