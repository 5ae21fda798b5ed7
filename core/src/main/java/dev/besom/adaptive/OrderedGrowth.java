package dev.besom.adaptive;

import dev.besom.AdaptiveFilter;
import dev.besom.IncrementalGrowth;
import dev.besom.bits.FastRange;

/**
 * Growth in the order of hashes: the hashes are cut into parts of the same size, and a frontier between parts separates
 * what the new filter holds from what it does not hold yet.
 *
 * <pre>
 *   hashes       | parts that have moved | the others        |
 *                                        frontier
 *   new filter   | their keys                                |
 * </pre>
 *
 * How a part moves, and which repairs the new filter can make already, is the matter of the class that extends this one.
 *
 * @param <F> the new filter
 */
public abstract class OrderedGrowth<F extends AdaptiveFilter> implements IncrementalGrowth {

    private final F next;
    private final long partCount;
    private long moved;

    /**
     * Growth of which nothing has moved yet.
     *
     * @param next the new filter, empty
     * @param partCount part number i has the hashes that fastrange maps to i
     */
    protected OrderedGrowth(F next, long partCount) {
        this.next = next;
        this.partCount = partCount;
    }

    /**
     * Moves the stored hashes of the parts from one to another, both included, into the new filter. If it fails before the
     * new filter has changed, it will be called again.
     */
    protected abstract void moveParts(long first, long last);

    /** Whether the new filter holds all stored hashes that matter for the repair of one. */
    protected abstract boolean canRepair(long hash);

    /** Is told of a hash that was deleted before its turn came. */
    protected abstract void deletedEarly(long hash);

    /** The part that a hash belongs to. */
    protected final long part(long hash) {
        return FastRange.place(hash, partCount);
    }

    /** The smallest hash of a part, in unsigned order. */
    protected final long firstHash(long part) {
        return FastRange.start(part, partCount);
    }

    /** The largest hash of a part, in unsigned order. */
    protected final long lastHash(long part) {
        return part == partCount - 1 ? -1L : FastRange.start(part + 1, partCount) - 1;
    }

    /** How many parts there are. */
    protected final long partCount() {
        return partCount;
    }

    /** Whether a part has moved. */
    protected final boolean isMoved(long part) {
        return part < moved;
    }

    /** Whether a hash belongs to a part that has moved. */
    protected final boolean hasMoved(long hash) {
        return isMoved(part(hash));
    }

    @Override
    public final boolean isComplete() {
        return moved == partCount;
    }

    @Override
    public final F next() {
        return next;
    }

    /** The first part that does not move with the next so many. */
    protected final long endOfNext(long count) {
        return Math.min(partCount, moved + count);
    }

    @Override
    public boolean isAmongNext(long hash, long count) {
        long part = part(hash);
        return !isMoved(part) && part < endOfNext(count);
    }

    @Override
    public final void move(long count) {
        if (isComplete()) {
            return;
        }
        long end = endOfNext(count);
        moveParts(moved, end - 1);
        moved = end;
    }

    @Override
    public final void insertHash(long hash) {
        if (hasMoved(hash)) {
            next.insertHash(hash);
        }
    }

    @Override
    public final void deleteHash(long hash) {
        if (hasMoved(hash)) {
            next.deleteHash(hash);
        } else {
            deletedEarly(hash);
        }
    }

    @Override
    public final void repairHash(long hash) {
        if (canRepair(hash)) {
            next.repairHash(hash);
        }
    }
}
