package dev.besom.quotient.tags;

import static dev.besom.quotient.slots.SlotLayout.BLOCK_SHIFT;
import static dev.besom.quotient.slots.SlotLayout.SLOT_MASK;

import dev.besom.bits.BitMoves;
import dev.besom.bits.Select;
import dev.besom.quotient.slots.SlotLayout;
import dev.besom.quotient.slots.Slots;
import dev.besom.quotient.slots.TagMarks;

/**
 * Selectors as a bitmap of those that are not 0, and their values in unary.
 *
 * <pre>
 *   word 2 of a block   bitmap   bit i: the selector of slot i is not 0
 *   word 3              values   for each set bit of the bitmap, in order: v - 1 zeros and a one
 *
 *   selectors  0 2 0 0 1 3       bitmap 010011        values, lowest bit first: 01 1 001
 * </pre>
 *
 * A slot whose bit is 0, that is nearly every slot, costs a look at one bit of a word in the cache line of its run. Any
 * other costs a rank and a select. 64 bits of values are enough for nearly every block even after hundred unique
 * queries a key, where they take 24 bits on average. A block that needs more has values 0, which no string of values
 * is, and keeps its selectors in a {@link Spill}, a byte each; it comes back as soon as they fit again.
 */
public final class BitmapSelectors extends Tags {

    public static final int METADATA_WORDS = 4;

    public static final int BITMAP = SlotLayout.TAGS;
    private static final int VALUES = SlotLayout.TAGS + 1;

    private static final int SPILLED_BITS = 8;
    private static final int MAX_SPILLED = (1 << SPILLED_BITS) - 1;
    private static final int SPILL_WORDS = SlotLayout.SLOTS_PER_BLOCK * SPILLED_BITS / Long.SIZE;

    private final Slots slots;
    private final long[] words;
    private final Spill spill;

    /** @param spillBits the most memory that spilled blocks may take */
    public BitmapSelectors(Slots slots, double spillBits) {
        this.slots = slots;
        this.words = slots.words();
        this.spill = new Spill(Spill.limitFor(spillBits, SPILL_WORDS), SPILL_WORDS);
    }

    @Override
    public void readSpill(long[] section) {
        spill.read(section, slots.layout().blockCount());
    }

    @Override
    public TagMarks marks() {
        return new TagMarks(BITMAP, true);
    }

    @Override
    public long get(long slot) {
        return selector(slot);
    }

    public int selector(long slot) {
        int base = slots.base(slot);
        long bitmap = words[base + BITMAP];
        return (bitmap >>> slot & 1) == 0 ? 0 : nonZero(slot, base, bitmap);
    }

    private int nonZero(long slot, int base, long bitmap) {
        long values = words[base + VALUES];
        if (values == 0) {
            return spilled(slot);
        }
        int rank = Long.bitCount(bitmap & ~(-1L << slot));
        if (rank > 0) {
            values = values >>> Select.select(values, rank - 1) >>> 1;
        }
        return Long.numberOfTrailingZeros(values) + 1;
    }

    private int spilled(long slot) {
        int start = spill.find(SlotLayout.block(slot));
        int bit = SlotLayout.inBlock(slot) * SPILLED_BITS;
        return start < 0 ? 0 : (int) (spill.words()[start + (bit >>> 6)] >>> bit) & MAX_SPILLED;
    }

    @Override
    public boolean fitsAlone(long slot, long tag) {
        return tag <= Long.SIZE || (tag <= MAX_SPILLED && (isSpilled(slots.base(slot)) || spill.room() > 0));
    }

    @Override
    public boolean set(long slot, long tag) {
        return tag <= MAX_SPILLED && setSelector(slot, (int) tag);
    }

    private boolean setSelector(long slot, int selector) {
        int base = slots.base(slot);
        if (isSpilled(base)) {
            return setSpilled(slot, selector);
        }
        long bitmap = words[base + BITMAP];
        long values = words[base + VALUES];
        int before = selector(slot);
        if (length(values) - before + selector > Long.SIZE) {
            return spillBlock(SlotLayout.block(slot)) && setSpilled(slot, selector);
        }
        int rank = Long.bitCount(bitmap & ~(-1L << slot));
        int at = rank == 0 ? 0 : Select.select(values, rank - 1) + 1;
        long changed = values & ~shifted(-1L, at);
        if (selector > 0) {
            changed |= 1L << (at + selector - 1);
        }
        changed |= shifted(unshifted(values, at + before), at + selector);
        words[base + VALUES] = changed;
        words[base + BITMAP] = (bitmap & ~(1L << slot)) | ((selector > 0 ? 1L : 0L) << slot);
        return true;
    }

    private boolean setSpilled(long slot, int selector) {
        int block = SlotLayout.block(slot);
        int start = spill.find(block);
        setByte(start, SlotLayout.inBlock(slot), selector);
        int at = slots.base(slot) + BITMAP;
        words[at] = (words[at] & ~(1L << slot)) | ((selector > 0 ? 1L : 0L) << slot);
        unspillIfItFits(block);
        return true;
    }

    @Override
    public int blockTooFullToOpen(long at, long free) {
        int lastBlock = SlotLayout.block(free);
        int room = spill.room();
        for (int block = SlotLayout.block(at) + 1; block <= lastBlock; block++) {
            long first = (long) block << BLOCK_SHIFT;
            int leaving = block < lastBlock ? selector(first + SLOT_MASK) : 0;
            if (!fits(block, selector(first - 1), leaving) && --room < 0) {
                return block;
            }
        }
        return -1;
    }

    @Override
    public int blockTooFullToClose(long at, long last) {
        int firstBlock = SlotLayout.block(at);
        int lastBlock = SlotLayout.block(last);
        int room = spill.room();
        for (int block = firstBlock; block < lastBlock; block++) {
            long first = (long) block << BLOCK_SHIFT;
            int leaving = selector(block == firstBlock ? at : first);
            if (!fits(block, selector(first + SlotLayout.SLOTS_PER_BLOCK), leaving) && --room < 0) {
                return block;
            }
        }
        return -1;
    }

    private boolean fits(int block, int coming, int leaving) {
        int base = slots.layout().base(block);
        return coming == 0 || isSpilled(base) || length(words[base + VALUES]) - leaving + coming <= Long.SIZE;
    }

    @Override
    public void open(long at, long free) {
        int firstBlock = SlotLayout.block(at);
        int lastBlock = SlotLayout.block(free);
        for (int block = lastBlock; block >= firstBlock; block--) {
            int base = slots.layout().base(block);
            long first = (long) block << BLOCK_SHIFT;
            if (words[base + BITMAP] == 0 && (block == firstBlock || selector(first - 1) == 0)) {
                continue;
            }
            if (block < lastBlock) {
                drop(first + SLOT_MASK);
            }
            int low = block == firstBlock ? SlotLayout.inBlock(at) : 0;
            int high = block == lastBlock ? SlotLayout.inBlock(free) : SLOT_MASK;
            if (isSpilled(base)) {
                int start = spill.find(block);
                BitMoves.up(spill.words(), start, low * SPILLED_BITS, high * SPILLED_BITS, SPILLED_BITS);
                setByte(start, low, 0);
            }
            words[base + BITMAP] = Slots.bitsUp(words[base + BITMAP], low, high);
            if (block > firstBlock) {
                take(first, selector(first - 1));
            }
        }
    }

    @Override
    public void close(long at, long last) {
        int firstBlock = SlotLayout.block(at);
        int lastBlock = SlotLayout.block(last);
        for (int block = firstBlock; block <= lastBlock; block++) {
            int base = slots.layout().base(block);
            long first = (long) block << BLOCK_SHIFT;
            drop(block == firstBlock ? at : first);
            int low = block == firstBlock ? SlotLayout.inBlock(at) : 0;
            int high = block == lastBlock ? SlotLayout.inBlock(last) : SLOT_MASK;
            if (isSpilled(base)) {
                int start = spill.find(block);
                BitMoves.down(spill.words(), start, (low + 1) * SPILLED_BITS, (high + 1) * SPILLED_BITS, SPILLED_BITS);
                setByte(start, high, 0);
            }
            words[base + BITMAP] = Slots.bitsDown(words[base + BITMAP], low, high);
            if (block < lastBlock) {
                take(first + SLOT_MASK, selector(first + SlotLayout.SLOTS_PER_BLOCK));
            }
        }
    }

    /** Makes a selector 0; that needs no room. */
    private void drop(long slot) {
        if (selector(slot) != 0) {
            set(slot, 0);
        }
    }

    /** Sets a selector for which room was found before. */
    private void take(long slot, int selector) {
        if (selector != 0 && !set(slot, selector)) {
            throw new IllegalStateException("no room for the selector of slot " + slot);
        }
    }

    private boolean isSpilled(int base) {
        return words[base + VALUES] == 0 && words[base + BITMAP] != 0;
    }

    /** Moves a block's selectors to the spill; false if that is full. */
    private boolean spillBlock(int block) {
        int base = slots.layout().base(block);
        int start = spill.add(block);
        if (start < 0) {
            return false;
        }
        for (long open = words[base + BITMAP]; open != 0; open &= open - 1) {
            int inBlock = Long.numberOfTrailingZeros(open);
            setByte(start, inBlock, selector(((long) block << BLOCK_SHIFT) + inBlock));
        }
        words[base + VALUES] = 0;
        return true;
    }

    private void unspillIfItFits(int block) {
        int base = slots.layout().base(block);
        long first = (long) block << BLOCK_SHIFT;
        int sum = 0;
        for (long open = words[base + BITMAP]; open != 0; open &= open - 1) {
            sum += spilled(first + Long.numberOfTrailingZeros(open));
        }
        if (sum > Long.SIZE) {
            return;
        }
        long values = 0;
        int at = 0;
        for (long open = words[base + BITMAP]; open != 0; open &= open - 1) {
            at += spilled(first + Long.numberOfTrailingZeros(open));
            values |= 1L << (at - 1);
        }
        words[base + VALUES] = values;
        spill.remove(block);
    }

    private void setByte(int start, int inBlock, long value) {
        int bit = inBlock * SPILLED_BITS;
        long[] bytes = spill.words();
        int at = start + (bit >>> 6);
        bytes[at] = (bytes[at] & ~((long) MAX_SPILLED << bit)) | (value << bit);
    }

    @Override
    public long spillInBits() {
        return spill.sizeInBits();
    }

    @Override
    public int spilledBlocks() {
        return spill.size();
    }

    @Override
    public long[] spillSection() {
        return spill.section();
    }

    @Override
    public void check(long[] used) {
        int spilled = 0;
        for (int block = 0; block < used.length; block++) {
            int base = slots.layout().base(block);
            long bitmap = words[base + BITMAP];
            if ((bitmap & ~used[block]) != 0) {
                throw new IllegalStateException("block " + block + ": a free slot has a selector");
            }
            if (!isSpilled(base)) {
                if (Long.bitCount(bitmap) != Long.bitCount(words[base + VALUES])) {
                    throw new IllegalStateException("block " + block + ": " + Long.bitCount(words[base + VALUES])
                            + " values for " + Long.bitCount(bitmap) + " selectors");
                }
                continue;
            }
            spilled++;
            if (spill.find(block) < 0) {
                throw new IllegalStateException("block " + block + " has neither values nor a spill");
            }
            checkSpilled(block, bitmap);
        }
        if (spilled != spill.size()) {
            throw new IllegalStateException(spill.size() + " blocks in the spill where " + spilled + " are spilled");
        }
    }

    private void checkSpilled(int block, long bitmap) {
        int sum = 0;
        for (int inBlock = 0; inBlock < SlotLayout.SLOTS_PER_BLOCK; inBlock++) {
            int selector = spilled(((long) block << BLOCK_SHIFT) + inBlock);
            if ((selector != 0) != ((bitmap >>> inBlock & 1) != 0)) {
                throw new IllegalStateException("block " + block + ": bitmap and spill differ at slot " + inBlock);
            }
            sum += selector;
        }
        if (sum <= Long.SIZE) {
            throw new IllegalStateException("block " + block + " is spilled though its values take " + sum + " bits");
        }
    }

    /** Bits from the first value to the end of the last. */
    private static int length(long values) {
        return Long.SIZE - Long.numberOfLeadingZeros(values);
    }

    /** A shift by up to 64. */
    private static long shifted(long word, int by) {
        return by < Long.SIZE ? word << by : 0;
    }

    private static long unshifted(long word, int by) {
        return by < Long.SIZE ? word >>> by : 0;
    }
}
