package dev.besom.quotient.slots;

import static dev.besom.quotient.slots.SlotLayout.BLOCK_SHIFT;
import static dev.besom.quotient.slots.SlotLayout.OCCUPIED;
import static dev.besom.quotient.slots.SlotLayout.RUN_ENDS;
import static dev.besom.quotient.slots.SlotLayout.SLOT_MASK;

import dev.besom.bits.PackedFields;
import dev.besom.bits.Select;
import dev.besom.bits.Words;

/**
 * The way most queries take: finds a run and compares all its remainders at once, with no branch but the one that sends
 * the other queries to {@link Runs}. A branch that depends on what memory answers is guessed wrong now and then, and
 * then the queries behind it, which were in flight already, have to start again.
 *
 * <p>A run is short if it ends in the block of its quotient, the block's offset is below 64, and its remainders fit into
 * one word. At load 0.9 nine in ten are, at 0.95 five in six, where remainders have up to 16 bits; the others mostly
 * cross a border of blocks.
 *
 * <pre>
 *   place of a short run    | first slot in its block | length 6 |     length 0: the quotient has no run
 *
 *   remainders from the first slot on     | ... | r2 | r1 | r0 |
 *   the query's in every field            | ... | q  | q  | q  |
 *   their difference: 0 in a field        | ... | .. | 0  | .. |       found if the field is below the length
 * </pre>
 */
public final class ShortRuns {

    /** A run that is not short. */
    static final int NONE = -1;

    private static final int LENGTH_BITS = 6;
    private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;

    private final Runs runs;
    private final long[] words;
    private final int stride;
    private final int metadataWords;
    private final int remainderBits;
    private final int mostLength;

    /** The lowest bit of each remainder in a word. */
    private final long lows;

    /** The highest bit of each. */
    private final long highs;

    public ShortRuns(Runs runs) {
        Slots slots = runs.slots;
        this.runs = runs;
        this.words = slots.words;
        this.stride = slots.stride;
        this.metadataWords = slots.metadataWords;
        this.remainderBits = slots.remainderBits;
        this.mostLength = Math.min(PackedFields.perWord(remainderBits), LENGTH_MASK);
        this.lows = PackedFields.lows(remainderBits);
        this.highs = PackedFields.highs(remainderBits);
    }

    /** The table. */
    Slots slots() {
        return runs.slots;
    }

    /** The place of a quotient's run; {@link #NONE} if it has one that is not short. */
    public int find(long quotient) {
        int block = (int) (quotient >>> BLOCK_SHIFT);
        int base = Words.LEAD + block * stride;
        long occupied = words[base + OCCUPIED];
        int offset = runs.storedOffset(block);
        long ends = words[base + RUN_ENDS] & -1L << offset;
        int ifOccupied = -(int) (occupied >>> quotient & 1);
        // Without a run any rank will do; that of the first run end is always to be had in a crowded block.
        int rank = (Long.bitCount(occupied << ~quotient) - 1) & ifOccupied;
        int end = Select.select(ends, rank);
        int afterLast = Long.SIZE - Long.numberOfLeadingZeros(ends & ~(-1L << end));
        int start = Math.max(Math.max(SlotLayout.inBlock(quotient), offset & SLOT_MASK), afterLast);
        int length = end - start + 1;
        // Negative if one of the three is: the offset or the end is above 63, or the run longer than a word.
        int isShort = (SLOT_MASK - offset) | (SLOT_MASK - end) | (mostLength - length);
        return (start << LENGTH_BITS) | (length & ifOccupied) | ((isShort & ifOccupied) >> 31);
    }

    /** The first slot of a quotient's run at a place. */
    public static long start(long quotient, int place) {
        return (quotient & ~(long) SLOT_MASK) + (place >>> LENGTH_BITS);
    }

    /** How many slots a run at a place has; 0 if there is none. */
    public static int length(int place) {
        return place & LENGTH_MASK;
    }

    /** Whether the run of a quotient, at the place that {@link #find(long)} gave, holds a remainder. */
    public boolean holds(long quotient, int place, long remainder) {
        int bit = (place >>> LENGTH_BITS) * remainderBits;
        int at = Words.LEAD + (int) (quotient >>> BLOCK_SHIFT) * stride + metadataWords + (bit >>> 6);
        long stored = words[at] >>> bit | words[at + 1] << 1 << ~bit;
        long found = PackedFields.roughZeros(stored ^ remainder * lows, lows, highs);
        return Long.numberOfTrailingZeros(found) < length(place) * remainderBits;
    }

    /** Whether the marks of a block tell that no slot of the run of a quotient, at its place, has a tag. */
    public boolean isUntagged(long quotient, int place, TagMarks marks) {
        if (marks.word() < 0) {
            return true;
        }
        long word = words[Words.LEAD + (int) (quotient >>> BLOCK_SHIFT) * stride + marks.word()];
        return marks.isBitmap() ? bits(quotient, place, marks.word()) == 0 : word == 0;
    }

    /** The bits of a word of the quotient's block that stand for the slots of its run, the first slot lowest. */
    public long bits(long quotient, int place, int word) {
        long bits = words[Words.LEAD + (int) (quotient >>> BLOCK_SHIFT) * stride + word];
        return bits >>> (place >>> LENGTH_BITS) & ~(-1L << length(place));
    }
}
