package dev.besom;

import java.util.function.LongConsumer;

/**
 * The hashes of the keys that the dictionary really holds, in unsigned order: the remote side of an adaptive filter.
 *
 * <p>It is a multiset: two stored keys with the same 64-bit hash count twice. A quotient is the most significant part
 * of a hash, so the stored keys that can collide with a query are one contiguous range here.
 */
public interface StoredHashes {

    /** Gives every stored hash {@code h} with {@code lo <= h <= hi}, both as unsigned numbers, in ascending order. */
    void forEachBetween(long lo, long hi, LongConsumer action);

    /** The stored hashes from {@code lo} to {@code hi}, both included, as unsigned numbers in ascending order. */
    default long[] between(long lo, long hi) {
        LongCollector collector = new LongCollector();
        forEachBetween(lo, hi, collector);
        return collector.toArray();
    }

    /** How many stored keys there are. */
    long count();

    /**
     * How many stored keys there are, where that is known without reading them; -1 where it is not. An adaptive filter before a store
     * that does not know it remembers only the newest inserts, and no copies of them: then only what was in the store just before may be
     * deleted. A delete of anything else could take the slot of a key that is not in the store yet.
     */
    default long countIfKnown() {
        return count();
    }

    /**
     * No stored hashes at all: for kinds that need none, and for an adaptive filter that is only to be asked. Without
     * its stored hashes such a filter can repair and delete nothing.
     */
    static StoredHashes none() {
        return NoStoredHashes.INSTANCE;
    }
}
