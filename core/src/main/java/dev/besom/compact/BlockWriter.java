package dev.besom.compact;

import dev.besom.FilterFullException;

/**
 * The workplace of a filter's one writer: a block is copied here, changed, and copied back whole, so that a change that
 * cannot be made leaves the block as it was.
 */
sealed interface BlockWriter permits BlockEditor, CountedEditor {

    /** Copies a block here. */
    void load(long[] words, long at);

    /** Copies the block back, and leaves alone what lies before and behind it. */
    void store(long[] words, long at);

    /**
     * Makes the block here that of the words with a fingerprint put into a chain: into a free slot if it has one, and with
     * one more slot otherwise.
     *
     * @return whether no slot of the chain matched before
     * @throws FilterFullException if the block has as many slots as it can have
     */
    boolean put(long[] words, long at, int chain, int fingerprint);

    /**
     * Takes a fingerprint out of a chain of the block here.
     *
     * @return false, and no change, if no slot of the chain matches
     */
    boolean delete(int chain, int fingerprint);

    /**
     * How many slots the union of two blocks has.
     *
     * @throws FilterFullException if they are too many
     */
    int slotsOfUnion(long[] words, long[] others, long at);

    /** Makes the block here the union of two blocks, as if the slots of {@code others} had been put into the other one. */
    void unite(long[] words, long[] others, long at);

    /**
     * Checks the block here.
     *
     * @return how many keys it holds
     * @throws IllegalStateException if no changes of blocks lead to it
     */
    int checkInvariants();
}
