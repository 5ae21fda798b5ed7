package dev.besom.stored;

import dev.besom.hash.Permutation;

/**
 * How far a set of hashes has come on its way from one hash function to the next.
 *
 * <pre>
 *   position of a hash   under function 0 the hash itself; under function g a permutation of all hashes that belongs to
 *                        the seed and g, and keeps the highest six bits. So no key is needed to go from one to the other.
 *
 *   position, old        | part, 6 bits | block, blockBits | step, stepBits | the rest
 *   cells                part after part; in a part step 0 of all blocks, then step 1 of all blocks, ...; blocks in the
 *                        order of their reversed bits
 *   frontier             hashes in cells before it are under function g + 1 already, all others under function g
 * </pre>
 *
 * A cell is a contiguous range of old positions. Within a part they are not taken in the order of positions but scattered,
 * so that at any time every bin of a table has lost as many keys as it has got. While a part changes, what is left of it
 * in its old places meets what has come to new places between them, and has up to a quarter more false positives;
 * that is why there are parts, of which one changes at a time.
 *
 * @param seed what the functions are drawn from
 * @param generation the number of the old function
 * @param blockBits from 1 on; 0 where no change is in flight
 * @param stepBits from 1 on; 0 where no change is in flight
 * @param frontier how many cells are done
 */
public record Rehash(long seed, long generation, int blockBits, int stepBits, long frontier) {

    /** All hashes under function 0. */
    public static final Rehash NONE = new Rehash(0, 0, 0, 0, 0);

    /** The bits that say which part of all hashes one is in: the same under every function. */
    public static final int PART_BITS = Permutation.KEPT_BITS;

    private static final int MOST_BITS = 48;

    /** Refuses numbers that no change of hash functions has. */
    public Rehash {
        boolean isIdle = blockBits == 0 && stepBits == 0 && frontier == 0;
        boolean isInFlight = blockBits > 0
                && stepBits > 0
                && blockBits <= MOST_BITS
                && stepBits <= MOST_BITS - blockBits
                && frontier >= 0
                && frontier < 1L << (PART_BITS + blockBits + stepBits);
        if (generation < 0 || !(isIdle || isInFlight)) {
            throw new IllegalArgumentException("no change of hash functions has generation " + generation + ", "
                    + blockBits + " and " + stepBits + " bits of a cell, and frontier " + frontier);
        }
    }

    /** Whether no hash has two functions to choose from. */
    public boolean isIdle() {
        return blockBits == 0;
    }

    /** The start of a change to the next function. */
    public Rehash begun(long newSeed, int newBlockBits, int newStepBits) {
        if (!isIdle() || (generation > 0 && newSeed != seed)) {
            throw new IllegalStateException("a change is in flight, or the seed another one");
        }
        return new Rehash(newSeed, generation, newBlockBits, newStepBits, 0);
    }

    /** After the cell at the frontier is done. */
    public Rehash advanced() {
        return frontier + 1 == 1L << (PART_BITS + blockBits + stepBits)
                ? new Rehash(seed, generation + 1, 0, 0, 0)
                : new Rehash(seed, generation, blockBits, stepBits, frontier + 1);
    }

    /** Where a hash is now. */
    public long position(long hash) {
        return positions().of(hash);
    }

    /** The same for many hashes. */
    public Positions positions() {
        return new Positions(this);
    }

    /** The part that the frontier is in; -1, which none is, where no change is in flight. */
    long partOfFrontier() {
        return isIdle() ? -1 : frontier >>> (blockBits + stepBits);
    }

    long oldKey() {
        return Permutation.key(seed, generation);
    }

    long newKey() {
        return Permutation.key(seed, generation + 1);
    }

    /** Where a hash is, or was, under the old function. */
    public long oldPosition(long hash) {
        return generation == 0 ? hash : Permutation.apply(hash, oldKey());
    }

    /** Where a hash is, or will be, under the new function. */
    public long newPosition(long hash) {
        return Permutation.apply(hash, newKey());
    }

    /** The hash of an old position. */
    public long hashOfOld(long position) {
        return generation == 0 ? position : Permutation.invert(position, oldKey());
    }

    /** The hash of a new position. */
    public long hashOfNew(long position) {
        return Permutation.invert(position, newKey());
    }

    /** Whether the cell of an old position is done. */
    public boolean isMoved(long oldPosition) {
        return blockBits != 0 && cell(oldPosition) < frontier;
    }

    private long cell(long oldPosition) {
        long part = oldPosition >>> (Long.SIZE - PART_BITS);
        long block = Long.reverse(oldPosition << PART_BITS) & (1L << blockBits) - 1;
        long step = oldPosition >>> cellShift() & (1L << stepBits) - 1;
        return (part << stepBits | step) << blockBits | block;
    }

    /** The bits of a position below those that name its cell. */
    private int cellShift() {
        return Long.SIZE - PART_BITS - blockBits - stepBits;
    }

    /** The smallest old position of the cell at the frontier, in unsigned order. */
    public long firstOfCell() {
        long part = frontier >>> (blockBits + stepBits);
        long step = frontier >>> blockBits & (1L << stepBits) - 1;
        long block = Long.reverse(frontier & (1L << blockBits) - 1);
        return part << (Long.SIZE - PART_BITS) | block >>> PART_BITS | step << cellShift();
    }

    /** The largest old position of the cell at the frontier, in unsigned order. */
    public long lastOfCell() {
        return firstOfCell() + (1L << cellShift()) - 1;
    }
}
