package dev.besom.guard.shard;

import dev.besom.AdaptiveFilter;
import dev.besom.adaptive.OrderedGrowth;

/**
 * Growth of a filter that cannot take its repairs along: a larger one is filled beside it from the stored hashes, in their
 * order, a piece at a time. A part has about one key.
 *
 * <p>A hash next to the last part that has moved is not repaired: the store has hashes there that the filter has not yet.
 */
final class RefilledGrowth extends OrderedGrowth<AdaptiveFilter> {

    private final ShardHashes hashes;

    /**
     * @param next empty
     * @param capacity of the old filter
     */
    RefilledGrowth(ShardHashes hashes, AdaptiveFilter next, long capacity) {
        super(next, capacity);
        this.hashes = hashes;
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
        return isComplete() || isMoved(part(hash) + 1);
    }

    @Override
    protected void deletedEarly(long hash) {
        // Nothing is known of it.
    }
}
