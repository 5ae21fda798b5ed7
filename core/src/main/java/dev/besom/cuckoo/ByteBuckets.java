package dev.besom.cuckoo;

import dev.besom.bits.PackedArray;
import dev.besom.bits.Words;

/**
 * Buckets of four slots of eight bits, the usual ones, each in a number of its own.
 *
 * <pre>
 *   bucket     | slot 3 | slot 2 | slot 1 | slot 0 |       an int
 * </pre>
 *
 * They are the same bits as those of {@link Buckets}, but a bucket is read and compared in half the instructions. The fewer a
 * query takes, the more queries are in the processor at once, each waiting for its memory: with tables that no cache holds
 * that is what queries cost.
 *
 * <p>A value of 0 is a free slot.
 */
final class ByteBuckets {

    /** The bits of a slot. */
    static final int WIDTH = Byte.SIZE;

    /** The longest array. */
    static final int MOST = Integer.MAX_VALUE - 8;

    private static final int LOWS = 0x01010101;
    private static final int HIGHS = 0x80808080;
    private static final int VALUE_MASK = (1 << WIDTH) - 1;
    private static final int SLOT_MASK = Buckets.SLOTS - 1;
    private static final int WIDTH_SHIFT = 3;

    private final int[] buckets;

    /** Takes over what slots hold; there must be a whole number of buckets, at most {@link #MOST}. */
    ByteBuckets(PackedArray slots) {
        this.buckets = new int[Math.toIntExact(slots.length() >>> Buckets.SLOT_SHIFT)];
        long[] words = slots.words();
        for (int bucket = 0; bucket < buckets.length; bucket++) {
            buckets[bucket] = (int) (words[(bucket >>> 1) + Words.LEAD] >>> (bucket << 5));
        }
    }

    /** The slots, as files have them. */
    PackedArray packed() {
        PackedArray slots = new PackedArray((long) buckets.length << Buckets.SLOT_SHIFT, WIDTH);
        long[] words = slots.words();
        for (int bucket = 0; bucket < buckets.length; bucket++) {
            words[(bucket >>> 1) + Words.LEAD] |= Integer.toUnsignedLong(buckets[bucket]) << (bucket << 5);
        }
        return slots;
    }

    long sizeInBits() {
        return (long) buckets.length * Integer.SIZE;
    }

    /** The four slots of a bucket. */
    int bucket(int index) {
        return buckets[index];
    }

    /** Whether a value is in a bucket: not 0 if it is. */
    static int matches(int bucket, int value) {
        return roughZeros(bucket ^ value * LOWS);
    }

    /** Like {@link #free}, in fewer steps, and right only up to the lowest bit that is set. */
    static int roughZeros(int bucket) {
        return (bucket - LOWS) & ~bucket & HIGHS;
    }

    /** The highest bit of each slot of a bucket that is free. */
    static int free(int bucket) {
        return HIGHS & ~(((bucket & ~HIGHS) + ~HIGHS) | bucket);
    }

    /** The slot in a bucket that the lowest bit of {@link #free} or {@link #matches} stands for. */
    static int slotOf(int bits) {
        return Integer.numberOfTrailingZeros(bits) >>> WIDTH_SHIFT;
    }

    /** The first slot of a bucket that holds a value, or that is free; -1 if there is none. */
    long find(int bucket, int value) {
        int found = matches(buckets[bucket], value);
        return found == 0 ? -1 : ((long) bucket << Buckets.SLOT_SHIFT) + slotOf(found);
    }

    int get(long slot) {
        return buckets[(int) (slot >>> Buckets.SLOT_SHIFT)] >>> shift(slot) & VALUE_MASK;
    }

    void set(long slot, int value) {
        int bucket = (int) (slot >>> Buckets.SLOT_SHIFT);
        int shift = shift(slot);
        buckets[bucket] = (buckets[bucket] & ~(VALUE_MASK << shift)) | value << shift;
    }

    /** Writes a slot of a bucket that is free. */
    void fill(int bucket, int slotInBucket, int value) {
        buckets[bucket] |= value << (slotInBucket << WIDTH_SHIFT);
    }

    private static int shift(long slot) {
        return ((int) slot & SLOT_MASK) << WIDTH_SHIFT;
    }

    /**
     * Which slots of a full bucket hold what has a free slot in its other bucket, a bit each. All four are looked at before a
     * branch, so that their memory is read at once.
     */
    int movable(int bucket, Pairing pairing) {
        int values = buckets[bucket];
        return canMove(bucket, values & VALUE_MASK, pairing)
                | canMove(bucket, (values >>> WIDTH) & VALUE_MASK, pairing) << 1
                | canMove(bucket, (values >>> (2 * WIDTH)) & VALUE_MASK, pairing) << 2
                | canMove(bucket, values >>> (3 * WIDTH), pairing) << 3;
    }

    private int canMove(int bucket, int value, Pairing pairing) {
        int free = roughZeros(buckets[(int) pairing.other(bucket, value)]);
        return (free | -free) >>> (Integer.SIZE - 1);
    }
}
