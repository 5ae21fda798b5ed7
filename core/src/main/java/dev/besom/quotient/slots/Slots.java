package dev.besom.quotient.slots;

import static dev.besom.quotient.slots.SlotLayout.RUN_ENDS;

import dev.besom.bits.BitMoves;
import dev.besom.bits.Words;

/**
 * The words of a table of slots, as {@link SlotLayout} draws them: remainders and run ends by slot number, and moves of
 * neighbouring slots by one. What a slot or a bit means is not known here. One writer at a time.
 */
public final class Slots {

    final SlotLayout layout;
    final long[] words;
    final long[] offsets;
    final int stride;
    final int metadataWords;
    final int remainderBits;
    final long remainderMask;

    /** An empty table. */
    public Slots(SlotLayout layout) {
        this(layout, Words.allocate(layout.wordCount()), Words.allocate(layout.offsetWordCount()));
    }

    /** Takes over arrays of the sizes that the layout asks for. */
    public Slots(SlotLayout layout, long[] words, long[] offsets) {
        if (Words.count(words) != layout.wordCount() || Words.count(offsets) != layout.offsetWordCount()) {
            throw new IllegalArgumentException(Words.count(words) + " words and " + Words.count(offsets)
                    + " words of offsets do not hold " + layout.blockCount() + " blocks");
        }
        this.layout = layout;
        this.words = words;
        this.offsets = offsets;
        this.stride = layout.stride();
        this.metadataWords = layout.metadataWords();
        this.remainderBits = layout.remainderBits();
        this.remainderMask = -1L >>> (Long.SIZE - remainderBits);
    }

    /** Where everything lies. */
    public SlotLayout layout() {
        return layout;
    }

    /** The words of all blocks, lead-in included. */
    public long[] words() {
        return words;
    }

    /** The words of the offsets, lead-in included. */
    public long[] offsets() {
        return offsets;
    }

    /** The bits of a remainder, all set. */
    public long remainderMask() {
        return remainderMask;
    }

    /** The index of the first word of a slot's block. */
    public int base(long slot) {
        return Words.LEAD + (int) (slot >>> SlotLayout.BLOCK_SHIFT) * stride;
    }

    /** The remainder of a slot. */
    public long remainder(long slot) {
        return remainder(base(slot), (int) slot & SlotLayout.SLOT_MASK);
    }

    /** The remainder of a slot by its block's first word and its number in the block. */
    public long remainder(int base, int inBlock) {
        int bit = inBlock * remainderBits;
        int at = base + metadataWords + (bit >>> 6);
        long low = words[at] >>> bit;
        if ((bit & 63) + remainderBits > Long.SIZE) {
            low |= words[at + 1] << -bit;
        }
        return low & remainderMask;
    }

    /** Writes the remainder of a slot. */
    public void setRemainder(long slot, long value) {
        int bit = SlotLayout.inBlock(slot) * remainderBits;
        int at = base(slot) + metadataWords + (bit >>> 6);
        int shift = bit & 63;
        words[at] = (words[at] & ~(remainderMask << shift)) | (value << shift);
        if (shift + remainderBits > Long.SIZE) {
            int lowBits = Long.SIZE - shift;
            words[at + 1] = (words[at + 1] & ~(remainderMask >>> lowBits)) | (value >>> lowBits);
        }
    }

    boolean isRunEnd(long slot) {
        return (words[base(slot) + RUN_ENDS] >>> slot & 1) != 0;
    }

    void setRunEnd(long slot, boolean end) {
        int at = base(slot) + RUN_ENDS;
        words[at] = (words[at] & ~(1L << slot)) | ((end ? 1L : 0L) << slot);
    }

    /** Moves remainders and run ends of the slots from {@code at} to {@code free - 1} up by one. */
    void shiftUp(long at, long free) {
        int firstBlock = SlotLayout.block(at);
        int lastBlock = SlotLayout.block(free);
        for (int block = lastBlock; block >= firstBlock; block--) {
            int low = block == firstBlock ? SlotLayout.inBlock(at) : 0;
            int high = block == lastBlock ? SlotLayout.inBlock(free) : SlotLayout.SLOT_MASK;
            int base = layout.base(block);
            BitMoves.up(words, base + metadataWords, low * remainderBits, high * remainderBits, remainderBits);
            words[base + RUN_ENDS] = bitsUp(words[base + RUN_ENDS], low, high);
            if (block > firstBlock) {
                long first = (long) block << SlotLayout.BLOCK_SHIFT;
                setRemainder(first, remainder(first - 1));
                setRunEnd(first, isRunEnd(first - 1));
            }
        }
    }

    /** Moves remainders and run ends of the slots from {@code at + 1} to {@code last} down by one; {@code last} is 0 then. */
    void shiftDown(long at, long last) {
        int firstBlock = SlotLayout.block(at);
        int lastBlock = SlotLayout.block(last);
        for (int block = firstBlock; block <= lastBlock; block++) {
            int low = block == firstBlock ? SlotLayout.inBlock(at) : 0;
            int high = block == lastBlock ? SlotLayout.inBlock(last) : SlotLayout.SLOT_MASK;
            int base = layout.base(block);
            BitMoves.down(
                    words, base + metadataWords, (low + 1) * remainderBits, (high + 1) * remainderBits, remainderBits);
            words[base + RUN_ENDS] = bitsDown(words[base + RUN_ENDS], low, high);
            long end = ((long) block << SlotLayout.BLOCK_SHIFT) + high;
            if (block < lastBlock) {
                setRemainder(end, remainder(end + 1));
                setRunEnd(end, isRunEnd(end + 1));
            } else {
                setRemainder(end, 0);
                setRunEnd(end, false);
            }
        }
    }

    /** Moves the bits from {@code low} to {@code high - 1} up by one; bit {@code low} becomes 0. */
    public static long bitsUp(long word, int low, int high) {
        long moving = (-1L >>> ~high) & -1L << low;
        return (word & ~moving) | (word << 1 & moving & moving << 1);
    }

    /** Moves the bits from {@code low + 1} to {@code high} down by one; bit {@code high} becomes 0. */
    public static long bitsDown(long word, int low, int high) {
        long moving = (-1L >>> ~high) & -1L << low;
        return (word & ~moving) | (word >>> 1 & moving & moving >>> 1);
    }
}
