package dev.besom.cuckoo;

import dev.besom.bits.PackedArray;
import dev.besom.bits.PackedFields;
import dev.besom.bits.Words;

/**
 * Buckets of four slots, one after the other and without gaps, which are compared a word at a time.
 *
 * <pre>
 *   slots of up to 16 bits     | 0 | 1 | 2 | 3 |            one read: 64 bits from the bucket's first on
 *   wider ones                 |   0   |   1   |   2   |   3   |         two reads, of two slots each
 * </pre>
 *
 * A value of 0 is a free slot.
 */
final class Buckets {

    static final int SLOTS = 4;
    static final int SLOT_SHIFT = 2;

    /** The widest slots of which four fit into a word. */
    static final int NARROW = Long.SIZE / SLOTS;

    private static final int HALF = SLOTS / 2;
    private static final int RECIPROCAL_BITS = 16;

    final PackedArray slots;
    private final int width;
    private final int reciprocal;
    private final boolean isNarrow;
    private final boolean isAligned;
    private final long lows;
    private final long highs;

    Buckets(PackedArray slots) {
        this.slots = slots;
        this.width = slots.widthInBits();
        this.reciprocal = (1 << RECIPROCAL_BITS) / width + 1;
        this.isNarrow = width <= NARROW;
        this.isAligned = isNarrow && Long.SIZE % (SLOTS * width) == 0;
        int fields = isNarrow ? SLOTS : HALF;
        long used = -1L >>> (Long.SIZE - fields * width);
        this.lows = PackedFields.lows(width) & used;
        this.highs = PackedFields.highs(width) & used;
    }

    /** Whether a value is in a bucket: not 0 if it is. */
    long matches(long bucket, long value) {
        long first = bucket << SLOT_SHIFT;
        long found = zeros(bitsFrom(first) ^ value * lows);
        return isNarrow ? found : found | zeros(slots.bitsFrom(first + HALF) ^ value * lows);
    }

    /** The bits of a bucket from its first slot on, as far as they fit into a word. */
    private long bitsFrom(long first) {
        return isAligned ? slots.alignedBitsFrom(first) : slots.bitsFrom(first);
    }

    /** Whether one of four values is in its slot of a bucket, of narrow slots: not 0 if it is. */
    long matchesEach(long bucket, long values) {
        return zeros(slots.bitsFrom(bucket << SLOT_SHIFT) ^ values);
    }

    /** 1 if a number is not 0, without a branch. */
    static long bit(long number) {
        return (number | -number) >>> 63;
    }

    private long zeros(long word) {
        return PackedFields.roughZeros(word, lows, highs);
    }

    /** The first slot of a bucket that holds a value, or that is free; -1 if there is none. */
    long find(long bucket, long value) {
        long first = bucket << SLOT_SHIFT;
        long found = zeros(bitsFrom(first) ^ value * lows);
        if (found != 0) {
            return first + slotOf(found);
        }
        if (isNarrow) {
            return -1;
        }
        found = zeros(slots.bitsFrom(first + HALF) ^ value * lows);
        return found == 0 ? -1 : first + HALF + slotOf(found);
    }

    /** The slot of the lowest bit that is set: its number divided by the width, exact for numbers below 64. */
    private int slotOf(long found) {
        return (Long.numberOfTrailingZeros(found) * reciprocal) >>> RECIPROCAL_BITS;
    }

    /** How many slots of a bucket are free. */
    int freeCount(long bucket) {
        long first = bucket << SLOT_SHIFT;
        int free = Long.bitCount(PackedFields.zeros(bitsFrom(first), lows, highs));
        return isNarrow ? free : free + Long.bitCount(PackedFields.zeros(slots.bitsFrom(first + HALF), lows, highs));
    }

    /**
     * Counts the slots of an array that are not free.
     *
     * @throws IllegalStateException if bits behind the last slot are set
     */
    static long used(PackedArray slots) {
        long used = 0;
        for (long slot = 0; slot < slots.length(); slot++) {
            used += slots.get(slot) == 0 ? 0 : 1;
        }
        long bits = slots.length() * slots.widthInBits();
        long[] words = slots.words();
        int end = (int) (bits >>> 6) + Words.LEAD;
        if (words[end] >>> bits != 0 || words[words.length - 1] != 0) {
            throw new IllegalStateException("bits behind the last slot are set");
        }
        return used;
    }
}
