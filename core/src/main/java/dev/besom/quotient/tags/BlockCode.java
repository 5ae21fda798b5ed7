package dev.besom.quotient.tags;

import dev.besom.adaptive.Extensions;
import dev.besom.quotient.slots.SlotLayout;

/**
 * Packs the tags of neighbouring slots, one block or half of one, into a single number. A tag is what an adaptive filter
 * has learned about a slot: a selector, or an extension as {@link Extensions} draws it. 0 means nothing.
 *
 * <p>Every code keeps three promises: the number 0 stands for tags that are all 0; tags that cannot be packed are refused
 * by {@link #DOES_NOT_FIT}, never packed wrongly; what was packed comes out again, one by one or all at once.
 */
public abstract sealed class BlockCode
        permits EnumerativeSelectorCode,
                GeneralSelectorCode,
                ShiftSelectorCode,
                EnumerativeExtensionCode,
                ShiftExtensionCode {

    /** Slots of a block. */
    static final int SLOTS = SlotLayout.SLOTS_PER_BLOCK;

    /** The most bits that a code may have: its halves and sums must not reach the sign of a word. */
    static final int MOST_BITS = 62;

    /** What {@link #encode(long[], int)} answers where the bits are not enough; no code is negative. */
    static final long DOES_NOT_FIT = -1;

    /** How many tags a code holds. */
    final int slots;

    /** Codes are below 2 to the power of this. */
    final int bits;

    BlockCode(int slots, int bits) {
        if (slots != SLOTS && slots != SLOTS / 2) {
            throw new IllegalArgumentException("a code holds the tags of 32 or of 64 slots, not " + slots);
        }
        if (bits < 32 || bits > MOST_BITS) {
            throw new IllegalArgumentException("a code has from 32 to " + MOST_BITS + " bits, not " + bits);
        }
        this.slots = slots;
        this.bits = bits;
    }

    /** The code of the tags from an index on, or {@link #DOES_NOT_FIT}. */
    abstract long encode(long[] tags, int from);

    /** Writes all tags of a code, from an index on. */
    abstract void decode(long code, long[] tags, int from);

    /** The tag of one slot; at once where the code is 0. */
    abstract long tagAt(long code, int slot);

    /** Whether the number is one that {@link #encode(long[], int)} gives. */
    final boolean isCode(long number) {
        if (number < 0 || number >>> bits != 0) {
            return false;
        }
        long[] tags = new long[slots];
        decode(number, tags, 0);
        return encode(tags, 0) == number;
    }
}
