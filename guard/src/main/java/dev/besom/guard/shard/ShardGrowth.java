package dev.besom.guard.shard;

import dev.besom.AdaptiveFilter;
import dev.besom.FilterFullException;
import dev.besom.IncrementalGrowth;
import dev.besom.stored.MemoryHashes;
import java.util.function.LongFunction;

/**
 * Growth of a shard's filter, a piece with each put. It begins when the filter holds as many keys as it was planned for.
 * The table then has room for 1 to 4 % more, and all pieces together take fewer puts than that: a piece is {@value #PIECE}
 * quotients, so growth ends after one put for each {@value #PIECE} keys. No call waits for more than a piece, and lookups
 * wait for nothing.
 */
final class ShardGrowth {

    private static final int PIECE = 256;

    /** Hashes that crowd so that a table for this many times as many keys is full are not random. */
    private static final int MOST_ENLARGED = 1 << 10;

    private final LongFunction<IncrementalGrowth> beginning;
    private final IncrementalGrowth pieces;
    private final long wanted;
    private final long capacity;

    /** Hashes of uncertain puts whose piece has moved and that have no slot yet, because the store failed. */
    private final MemoryHashes withoutSlot = new MemoryHashes();

    /**
     * @param beginning begins growth to a capacity
     * @param wanted how many keys the new filter is planned for
     */
    ShardGrowth(LongFunction<IncrementalGrowth> beginning, long wanted) {
        this(beginning, wanted, wanted);
    }

    private ShardGrowth(LongFunction<IncrementalGrowth> beginning, long wanted, long capacity) {
        this.beginning = beginning;
        this.wanted = wanted;
        this.capacity = capacity;
        this.pieces = beginning.apply(capacity);
    }

    /**
     * A new beginning with a larger capacity, for when hashes crowd so that this one's filter is full.
     *
     * @throws FilterFullException if they crowd whatever the capacity
     */
    ShardGrowth larger() {
        return new ShardGrowth(beginning, wanted, larger(wanted, capacity));
    }

    /**
     * The capacity after one whose filter was full, because hashes crowd: a table of another size has other quotients.
     *
     * @param wanted the first capacity that was tried
     * @throws FilterFullException if they crowd whatever the capacity
     */
    static long larger(long wanted, long capacity) {
        if (capacity / MOST_ENLARGED >= wanted) {
            throw new FilterFullException("the hashes of " + wanted + " keys crowd in one place, and a filter for "
                    + capacity + " keys is full of them: is the key hasher one that spreads keys?");
        }
        return capacity + capacity / 4 + 64;
    }

    long capacity() {
        return capacity;
    }

    boolean isComplete() {
        return pieces.isComplete() && withoutSlot.count() == 0;
    }

    AdaptiveFilter next() {
        return pieces.next();
    }

    /** Whether the hash of an uncertain put is to be given a slot with the next piece. */
    boolean isNext(long localHash) {
        return pieces.isAmongNext(localHash, PIECE);
    }

    /**
     * Whether a hash is where nothing but stored hashes may be inserted before the next piece has moved. Stored hashes have
     * moved there, so the hash of an uncertain put needs a slot whether its key has been stored since or not.
     */
    boolean isAtFrontier(long localHash) {
        return pieces instanceof RefilledGrowth refilled && refilled.isAtFrontier(localHash);
    }

    /**
     * Moves one piece. If the store fails, the piece is as it was, or has moved and the next step inserts what is left of
     * the uncertain hashes.
     *
     * @param uncertain hashes of this piece's keys that have a slot and are not stored
     * @return false if it does not fit
     */
    boolean move(long[] uncertain) {
        try {
            insertRest();
            pieces.move(PIECE);
            for (long localHash : uncertain) {
                withoutSlot.add(localHash);
            }
            insertRest();
            return true;
        } catch (FilterFullException e) {
            return false;
        }
    }

    private void insertRest() {
        for (long localHash : withoutSlot.between(0, -1L)) {
            next().insertHash(localHash);
            withoutSlot.remove(localHash);
        }
    }

    /** Gives a hash a slot, if its piece has moved; false if it does not fit. */
    boolean insertHash(long localHash) {
        try {
            pieces.insertHash(localHash);
            return true;
        } catch (FilterFullException e) {
            return false;
        }
    }

    void deleteHash(long localHash) {
        if (!withoutSlot.remove(localHash)) {
            pieces.deleteHash(localHash);
        }
    }

    void repairHash(long localHash) {
        pieces.repairHash(localHash);
    }
}
