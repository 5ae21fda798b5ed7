package dev.besom.quotient.tags;

import dev.besom.adaptive.Extensions;
import dev.besom.bits.Select;
import dev.besom.quotient.slots.SlotLayout;
import dev.besom.quotient.slots.Slots;
import dev.besom.quotient.slots.TagMarks;

/**
 * Extensions as a bitmap of the slots that have one, and their bits joined, with a mark at the last bit of each.
 *
 * <pre>
 *   word 2 of a block   bitmap   bit i: slot i has an extension
 *   word 3              control  | 0 | . | marks 31 | bits 31 |
 *                                | 1 | . | place 6 | marks 28 | bits 28 |    word in the spill: | marks 32 | bits 32 |
 *
 *   extensions of slots 1, 4 and 5: 01, 1 and 110     bitmap 010011    bits 01 1 110    marks 01 1 001
 * </pre>
 *
 * A slot without an extension, that is nearly every slot, costs a look at one bit of a word in the cache line of its run;
 * any other a rank and two selects. 31 bits are what 15 repairs take on average, 60 are what 30 take.
 */
public final class BitmapExtensions extends BlockTags {

    static final int METADATA_WORDS = SlotLayout.TAGS + 2;

    /** The word of a block whose bit i tells whether slot i has an extension. */
    public static final int BITMAP = SlotLayout.TAGS;

    private static final int CONTROL = SlotLayout.TAGS + 1;

    private static final int OWN_BITS = 31;
    private static final int LOW_BITS = BITS_BELOW_PLACE / 2;
    private static final int HIGH_BITS = Long.SIZE / 2;
    private static final long OWN_MASK = (1L << OWN_BITS) - 1;
    private static final long LOW_MASK = (1L << LOW_BITS) - 1;
    private static final long HIGH_MASK = (1L << HIGH_BITS) - 1;

    BitmapExtensions(Slots slots, double spillBits) {
        super(slots, CONTROL, BITMAP, spillBits);
    }

    @Override
    public TagMarks marks() {
        return new TagMarks(BITMAP, true);
    }

    @Override
    public long get(long slot) {
        int base = slots.base(slot);
        long bitmap = words[base + BITMAP];
        return (bitmap >>> slot & 1) == 0 ? 0 : nonEmpty(slot, base, bitmap);
    }

    private long nonEmpty(long slot, int base, long bitmap) {
        long word = words[base + CONTROL];
        int block = SlotLayout.block(slot);
        return extension(bits(block, word), marks(block, word), Select.rank(bitmap, SlotLayout.inBlock(slot)));
    }

    private long bits(int block, long word) {
        return word >= 0 ? word & OWN_MASK : (word & LOW_MASK) | ((spilled(block, word) & HIGH_MASK) << LOW_BITS);
    }

    private long marks(int block, long word) {
        return word >= 0
                ? word >>> OWN_BITS & OWN_MASK
                : (word >>> LOW_BITS & LOW_MASK) | (spilled(block, word) >>> HIGH_BITS << LOW_BITS);
    }

    private static long extension(long bits, long marks, int rank) {
        int start = rank == 0 ? 0 : Select.select(marks, rank - 1) + 1;
        int end = Select.select(marks, rank) + 1;
        // Only a table that is damaged has fewer marks than extensions.
        return end > Extensions.MOST_LENGTH ? 0 : Extensions.ofBits(bits >>> start, end - start);
    }

    @Override
    void read(int block, long[] into) {
        int base = slots.layout().base(block);
        long bitmap = words[base + BITMAP];
        long word = words[base + CONTROL];
        long bits = bits(block, word);
        long marks = marks(block, word);
        int rank = 0;
        for (int slot = 0; slot < into.length; slot++) {
            boolean has = (bitmap >>> slot & 1) != 0;
            into[slot] = has ? extension(bits, marks, rank) : 0;
            rank += has ? 1 : 0;
        }
    }

    @Override
    boolean pack(long[] blockTags) {
        long bitmap = 0;
        long bits = 0;
        long marks = 0;
        int together = 0;
        for (int slot = 0; slot < blockTags.length; slot++) {
            long extension = blockTags[slot];
            if (extension == 0) {
                continue;
            }
            int length = Extensions.length(extension);
            if (together + length > LOW_BITS + HIGH_BITS) {
                return false;
            }
            bitmap |= 1L << slot;
            bits |= Extensions.bits(extension) << together;
            together += length;
            marks |= 1L << (together - 1);
        }
        packedSecond = bitmap;
        packedSpill = 0;
        if (together <= OWN_BITS) {
            packedControl = bits | (marks << OWN_BITS);
        } else {
            packedControl = SPILLED | (bits & LOW_MASK) | ((marks & LOW_MASK) << LOW_BITS);
            packedSpill = (bits >>> LOW_BITS) | (marks >>> LOW_BITS << HIGH_BITS);
        }
        return true;
    }
}
