package dev.besom.quotient.slots;

import dev.besom.bits.Words;

/**
 * Where everything lies in the words of a table of slots.
 *
 * <pre>
 *   a block: 64 slots, m + r words for m words of metadata and remainders of r bits
 *
 *   word 0          occupied   bit i: a run of quotient 64 * block + i exists, wherever it lies
 *   word 1          run ends   bit i: slot i of this block is the last of its run
 *   word 2 .. m-1   tags       what a kind keeps for each slot beside its remainder, in the kind's own form
 *   word m ..       remainders slot i has the r bits from bit i * r on
 *
 *   offsets, in an array of their own: 8 bits a block
 *
 *   offset of a block: how many slots from the block's start on belong to quotients of earlier blocks; 255 means
 *                      255 or more, to be found by walking from an earlier block
 * </pre>
 *
 * Metadata and remainders of a block are neighbours, so that a query touches one memory page and one or two cache
 * lines: with 8-bit remainders and four words of metadata a block takes one and a half lines, its metadata never
 * straddles two, and half of the slots of every other block come with the line of their metadata. The offsets lie
 * apart: they are a hundredth of the table, stay in the cache, and are read beside the block and not after it. 64 slots
 * of r bits are r whole words, so no width wastes a bit.
 *
 * <p>A quotient is the number of the slot that it would like to have. The last quotient has spare slots behind it for
 * the cluster that ends the table.
 */
public record SlotLayout(int metadataWords, int remainderBits, long slotCount, int blockCount) {

    public static final int BLOCK_SHIFT = 6;
    public static final int SLOTS_PER_BLOCK = 1 << BLOCK_SHIFT;
    public static final int SLOT_MASK = SLOTS_PER_BLOCK - 1;

    static final int OCCUPIED = 0;
    static final int RUN_ENDS = 1;

    /** The first word that belongs to a kind. */
    public static final int TAGS = 2;

    static final int OFFSET_BITS = 8;
    /** The stored offset that stands for itself and for everything above. */
    static final int OFFSET_SATURATED = (1 << OFFSET_BITS) - 1;

    static final int MAX_REMAINDER_BITS = 32;

    /**
     * @param slotCount how many quotients there are; the slots behind the last one are spare
     * @param blockCount the blocks of all slots, the spare ones included
     */
    public SlotLayout {
        if (metadataWords < TAGS) {
            throw new IllegalArgumentException("a block has at least 2 words of metadata, not " + metadataWords);
        }
        if (remainderBits < 1 || remainderBits > MAX_REMAINDER_BITS) {
            throw new IllegalArgumentException("a remainder has from 1 to 32 bits, not " + remainderBits);
        }
        if (slotCount < 1 || slotCount > (long) blockCount << BLOCK_SHIFT) {
            throw new IllegalArgumentException(blockCount + " blocks do not hold " + slotCount + " slots");
        }
        if (wordCount(metadataWords, remainderBits, blockCount) > Words.MAX_COUNT) {
            throw new IllegalArgumentException("a table of " + slotCount + " slots with remainders of " + remainderBits
                    + " bits is larger than an array; use several");
        }
    }

    /** Words from one block to the next. */
    int stride() {
        return metadataWords + remainderBits;
    }

    /** All slots, spare ones included. */
    public long totalSlots() {
        return (long) blockCount << BLOCK_SHIFT;
    }

    /** The words of all blocks and one more, so that a read of the last remainder may look at two words. */
    public long wordCount() {
        return wordCount(metadataWords, remainderBits, blockCount);
    }

    public long offsetWordCount() {
        return Words.forBits((long) blockCount * OFFSET_BITS);
    }

    /** The index, lead-in included, of a block's first word. */
    public int base(int block) {
        return Words.LEAD + block * stride();
    }

    public static int block(long slot) {
        return (int) (slot >>> BLOCK_SHIFT);
    }

    public static int inBlock(long slot) {
        return (int) slot & SLOT_MASK;
    }

    private static long wordCount(int metadataWords, int remainderBits, int blockCount) {
        return (long) blockCount * (metadataWords + remainderBits) + 1;
    }
}
