package dev.besom.quotient;

/**
 * A small number for each slot of a table, 0 at first: which remainder of its key the slot holds. The numbers move with
 * their slots. A form may run out of room; it then says so before it changes anything, and never gives a slot another
 * number than it was given.
 */
abstract class Selectors {

    /** The number of a slot. */
    abstract int get(long slot);

    /** Gives a slot a number; false, and no change, if there is no room for it. */
    abstract boolean set(long slot, int selector);

    /**
     * The first block that would have no room for what comes into it if the slots from {@code at} to {@code free - 1}
     * moved up by one; -1 if there is none.
     */
    abstract int blockTooFullToOpen(long at, long free);

    /**
     * Moves the numbers of the slots from {@code at} to {@code free - 1} up by one; {@code at} gets 0. Only after
     * {@link #blockTooFullToOpen} found none.
     */
    abstract void open(long at, long free);

    /**
     * The first block that would have no room for what comes into it if the slots from {@code at + 1} to {@code last}
     * moved down by one; -1 if there is none.
     */
    abstract int blockTooFullToClose(long at, long last);

    /**
     * Drops the number of the slot {@code at} and moves those of the slots from {@code at + 1} to {@code last} down by
     * one. Only after {@link #blockTooFullToClose} found none.
     */
    abstract void close(long at, long last);

    /** Memory beside the blocks. */
    abstract long spillInBits();

    /** How many blocks keep their numbers beside the table. */
    abstract int spilledBlocks();

    /** What an image needs beside the blocks; a section made by {@code Words}. */
    abstract long[] spillSection();

    /**
     * Checks the form of every block.
     *
     * @param used the slots in use, a word for each block; all others must have the number 0
     * @throws IllegalStateException if it is damaged
     */
    abstract void check(long[] used);
}
