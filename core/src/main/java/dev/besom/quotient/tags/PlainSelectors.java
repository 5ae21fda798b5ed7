package dev.besom.quotient.tags;

import static dev.besom.quotient.slots.SlotLayout.BLOCK_SHIFT;
import static dev.besom.quotient.slots.SlotLayout.SLOT_MASK;

import dev.besom.bits.BitMoves;
import dev.besom.bits.Words;
import dev.besom.quotient.slots.SlotLayout;
import dev.besom.quotient.slots.Slots;
import dev.besom.quotient.slots.TagMarks;

/**
 * Selectors with no code at all: words 2 to 9 of a block hold a byte for each slot. They always have room to move; a
 * selector above 255 is refused.
 */
public final class PlainSelectors extends Tags {

    private static final int BITS = 8;
    private static final int MAX = (1 << BITS) - 1;

    public static final int METADATA_WORDS = SlotLayout.TAGS + SlotLayout.SLOTS_PER_BLOCK * BITS / Long.SIZE;

    private final Slots slots;
    private final long[] words;

    public PlainSelectors(Slots slots) {
        this.slots = slots;
        this.words = slots.words();
    }

    @Override
    public TagMarks marks() {
        return TagMarks.UNKNOWN;
    }

    @Override
    public long get(long slot) {
        int bit = SlotLayout.inBlock(slot) * BITS;
        return words[slots.base(slot) + SlotLayout.TAGS + (bit >>> 6)] >>> bit & MAX;
    }

    @Override
    public boolean fitsAlone(long slot, long selector) {
        return selector <= MAX;
    }

    @Override
    public boolean set(long slot, long selector) {
        if (selector > MAX) {
            return false;
        }
        int bit = SlotLayout.inBlock(slot) * BITS;
        int at = slots.base(slot) + SlotLayout.TAGS + (bit >>> 6);
        words[at] = (words[at] & ~((long) MAX << bit)) | (selector << bit);
        return true;
    }

    @Override
    public int blockTooFullToOpen(long at, long free) {
        return -1;
    }

    @Override
    public void open(long at, long free) {
        int firstBlock = SlotLayout.block(at);
        int lastBlock = SlotLayout.block(free);
        for (int block = lastBlock; block >= firstBlock; block--) {
            int low = block == firstBlock ? SlotLayout.inBlock(at) : 0;
            int high = block == lastBlock ? SlotLayout.inBlock(free) : SLOT_MASK;
            BitMoves.up(words, slots.layout().base(block) + SlotLayout.TAGS, low * BITS, high * BITS, BITS);
            long first = ((long) block << BLOCK_SHIFT) + low;
            set(first, block > firstBlock ? get(first - 1) : 0);
        }
    }

    @Override
    public int blockTooFullToClose(long at, long last) {
        return -1;
    }

    @Override
    public void close(long at, long last) {
        int firstBlock = SlotLayout.block(at);
        int lastBlock = SlotLayout.block(last);
        for (int block = firstBlock; block <= lastBlock; block++) {
            int low = block == firstBlock ? SlotLayout.inBlock(at) : 0;
            int high = block == lastBlock ? SlotLayout.inBlock(last) : SLOT_MASK;
            int base = slots.layout().base(block) + SlotLayout.TAGS;
            BitMoves.down(words, base, (low + 1) * BITS, (high + 1) * BITS, BITS);
            long end = ((long) block << BLOCK_SHIFT) + high;
            set(end, block < lastBlock ? get(end + 1) : 0);
        }
    }

    @Override
    public long spillInBits() {
        return 0;
    }

    @Override
    public int spilledBlocks() {
        return 0;
    }

    @Override
    public long[] spillSection() {
        return Words.allocate(0);
    }

    @Override
    public void readSpill(long[] section) {
        if (Words.count(section) != 0) {
            throw new IllegalStateException("plain selectors do not spill");
        }
    }

    @Override
    public void check(long[] used) {
        for (int block = 0; block < used.length; block++) {
            for (long open = ~used[block]; open != 0; open &= open - 1) {
                long slot = ((long) block << BLOCK_SHIFT) + Long.numberOfTrailingZeros(open);
                if (get(slot) != 0) {
                    throw new IllegalStateException("free slot " + slot + " has a selector");
                }
            }
        }
    }
}
