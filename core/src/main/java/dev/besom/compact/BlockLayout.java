package dev.besom.compact;

/**
 * Where the bits of a TinySet's blocks lie, and how a block is queried. All methods take the array of words and the block's
 * first bit in it, and never look outside of the block's words and the one behind, whatever the words hold: they may be
 * changing.
 */
sealed interface BlockLayout permits ChainBlock, CountedBlock {

    int blockBits();

    int chains();

    /** More slots a block cannot have. */
    int mostSlots();

    /** The rate of a block that got so many keys and lost none, for fingerprints drawn evenly. */
    double rateOf(int keys);

    /** Whether the chain has a slot with that fingerprint, as far as the slot knows. */
    boolean mightContain(long[] words, long at, int chain, int fingerprint);

    /** The block's slots, free ones included. */
    int slots(long[] words, long at);

    /** The chance that a fresh chain and fingerprint match a slot of the block. */
    double rate(long[] words, long at);

    /** A workplace in which a writer changes such blocks. */
    BlockWriter writer();
}
