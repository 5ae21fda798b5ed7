package dev.besom.guard.shard;

import dev.besom.AdaptiveFilter;
import dev.besom.adaptive.OrderedGrowth;

/**
 * Growth of a filter that cannot take its repairs along: a larger one is filled beside it from the stored hashes, in their
 * order, a piece at a time. A part has one or two keys.
 *
 * <p>The new filter's quotients are no wider than a part, so the quotient of a hash in the last part that has moved may reach
 * into the next one, where the store has hashes that the filter has not yet. An {@link AdaptiveFilter} does not bear slots
 * of keys that are not stored beside these. So nothing but stored hashes is inserted at this <i>frontier</i>, and nothing is
 * repaired there; uncertain puts follow one part later than stored hashes.
 */
final class RefilledGrowth extends OrderedGrowth<AdaptiveFilter> {

    private final ShardHashes hashes;

    /**
     * @param next empty
     * @param capacity of the old filter, at least 2
     */
    RefilledGrowth(ShardHashes hashes, AdaptiveFilter next, long capacity) {
        super(next, Long.highestOneBit(capacity));
        this.hashes = hashes;
    }

    /** Whether a hash is in the last part that has moved, while there are others. */
    boolean isAtFrontier(long hash) {
        long part = part(hash);
        return !isComplete() && isMoved(part) && !isMoved(part + 1);
    }

    /** One part later than stored hashes, and all that are left with the last piece. */
    @Override
    public boolean isAmongNext(long hash, long count) {
        long part = part(hash);
        long end = endOfNext(count);
        return !isComplete() && !isMoved(part + 1) && part < (end == partCount() ? end : end - 1);
    }

    @Override
    protected void moveParts(long first, long last) {
        // With the parts beside it, as an insert may look at the stored hashes around it.
        long low = firstHash(Math.max(0, first - 1));
        long high = lastHash(Math.min(partCount() - 1, last + 1));
        try (ShardHashes.Window window = hashes.openWindow(low, high)) {
            window.forEachBetween(firstHash(first), lastHash(last), next()::insertHash);
        }
    }

    @Override
    protected boolean canRepair(long hash) {
        return hasMoved(hash) && !isAtFrontier(hash);
    }

    @Override
    protected void deletedEarly(long hash) {
        // Nothing is known of it.
    }
}
