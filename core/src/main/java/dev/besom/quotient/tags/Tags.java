package dev.besom.quotient.tags;

import dev.besom.quotient.slots.TagMarks;

/**
 * A tag for each slot of a table, 0 at first: what an adaptive filter has learned about the slot, a selector or an
 * extension. The tags move with their slots. A form may run out of room; it then says so before it changes anything, and
 * never gives a slot another tag than it was given. One writer at a time.
 */
public abstract sealed class Tags permits BitmapSelectors, PlainSelectors, BlockTags, ListedTags {

    /** Which word of a block tells that slots have no tags. */
    public abstract TagMarks marks();

    /** Whether no tag may be given up for another one. */
    public boolean isMonotone() {
        return false;
    }

    /** The tag of a slot. */
    public abstract long get(long slot);

    /**
     * Whether a slot could be given a tag if no other slot of its block had one. Where it could not, there is no use in
     * giving up others.
     */
    public abstract boolean fitsAlone(long slot, long tag);

    /** Gives a slot a tag; false, and no change, if there is no room for it. */
    public abstract boolean set(long slot, long tag);

    /**
     * The first block found that would have no room for what comes into it if the slots from {@code at} to {@code free - 1}
     * moved up by one; -1 if there is none.
     */
    public abstract int blockTooFullToOpen(long at, long free);

    /**
     * Moves the tags of the slots from {@code at} to {@code free - 1} up by one; {@code at} gets 0. Only
     * just after {@link #blockTooFullToOpen} for the same slots found no block.
     */
    public abstract void open(long at, long free);

    /**
     * The first block found that would have no room for what comes into it if the slots from {@code at + 1} to {@code last}
     * moved down by one; -1 if there is none.
     */
    public abstract int blockTooFullToClose(long at, long last);

    /**
     * Drops the tag of the slot {@code at} and moves those of the slots from {@code at + 1} to {@code last} down by
     * one. Only just after {@link #blockTooFullToClose} for the same slots found no block.
     */
    public abstract void close(long at, long last);

    /** Memory beside the blocks. */
    public abstract long spillInBits();

    /** How many blocks keep tags beside the table. */
    public abstract int spilledBlocks();

    /** What an image needs beside the blocks; a section made by {@code Words}. */
    public abstract long[] spillSection();

    /**
     * Takes over what {@link #spillSection()} gave.
     *
     * @throws IllegalStateException if no tags of this form and size gave it
     */
    public abstract void readSpill(long[] section);

    /**
     * Checks the form of every block.
     *
     * @param used the slots in use, a word for each block; all others must have the tag 0
     * @throws IllegalStateException if it is damaged
     */
    public abstract void check(long[] used);
}
