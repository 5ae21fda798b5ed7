package dev.besom.guard.shard;

import dev.besom.AdaptiveFilter;
import dev.besom.IncrementalGrowth;

/**
 * Growth of a filter that cannot take its repairs along: a larger one is filled beside it from the stored hashes, in their
 * order, a piece at a time.
 *
 * <pre>
 *   hashes       | parts that have moved | the others        |    a part has about one key
 *   new filter   | their keys                                |
 * </pre>
 *
 * The new filter's quotients are no wider than a part, so the quotient of a hash in the last part that has moved may reach
 * into the next one, where the store has hashes that the filter has not yet. An {@link AdaptiveFilter} does not bear slots
 * of keys that are not stored beside these. So nothing but stored hashes is inserted at this <i>frontier</i>, and nothing is
 * repaired there; uncertain puts follow one part later than stored hashes.
 */
final class RefilledGrowth implements IncrementalGrowth {

    private final ShardHashes hashes;
    private final AdaptiveFilter next;
    private final int partBits;

    /** Parts below this one have moved. */
    private long moved;

    /**
     * @param next empty
     * @param capacity of the old filter, at least 2
     */
    RefilledGrowth(ShardHashes hashes, AdaptiveFilter next, long capacity) {
        this.hashes = hashes;
        this.next = next;
        this.partBits = Long.SIZE - 1 - Long.numberOfLeadingZeros(capacity);
    }

    private long part(long hash) {
        return hash >>> (Long.SIZE - partBits);
    }

    /** The first hash of a part; 0 for the one behind the last. */
    private long first(long part) {
        return part << (Long.SIZE - partBits);
    }

    private boolean hasMoved(long hash) {
        return part(hash) < moved;
    }

    @Override
    public boolean isComplete() {
        return moved == 1L << partBits;
    }

    @Override
    public AdaptiveFilter next() {
        return next;
    }

    /** Whether a hash is in the last part that has moved, while there are others. */
    boolean isAtFrontier(long hash) {
        return !isComplete() && moved > 0 && part(hash) == moved - 1;
    }

    /** One part later than stored hashes, and all that are left with the last piece. */
    @Override
    public boolean isAmongNext(long hash, long partCount) {
        long end = endOfNext(partCount);
        long part = part(hash);
        return !isComplete() && part >= moved - 1 && part < (end == 1L << partBits ? end : end - 1);
    }

    private long endOfNext(long partCount) {
        return Math.min(1L << partBits, moved + partCount);
    }

    @Override
    public void move(long partCount) {
        if (isComplete()) {
            return;
        }
        long end = endOfNext(partCount);
        // With the parts beside it, as an insert may look at the stored hashes around it.
        long low = first(Math.max(1, moved) - 1);
        long high = first(Math.min(1L << partBits, end + 1)) - 1;
        try (ShardHashes.Window window = hashes.openWindow(low, high)) {
            window.forEachBetween(first(moved), first(end) - 1, next::insertHash);
        }
        moved = end;
    }

    @Override
    public void insertHash(long hash) {
        if (hasMoved(hash)) {
            next.insertHash(hash);
        }
    }

    @Override
    public void deleteHash(long hash) {
        if (hasMoved(hash)) {
            next.deleteHash(hash);
        }
    }

    @Override
    public void repairHash(long hash) {
        if (hasMoved(hash) && !isAtFrontier(hash)) {
            next.repairHash(hash);
        }
    }
}
