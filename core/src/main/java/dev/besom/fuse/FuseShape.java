package dev.besom.fuse;

import dev.besom.bits.FastRange;
import dev.besom.hash.Mix;

/**
 * Which slots of a shard a hash has.
 *
 * <pre>
 *   slots   | segment 0 | segment 1 | segment 2 | segment 3 | ...                    segments of a power of two
 *                 ^           ^           ^
 *               first       second       third      of a hash: one slot in each of three (or four) segments in a row
 *
 *   fraction of a hash  (64 bits: where in its shard it lies)
 *     first     fastrange of the fraction: keeps order, so neighbours share segments
 *     others    the slot as far into the next segments, its position in them xored with bits of scatter(fraction)
 * </pre>
 *
 * That the slots of a key lie in neighbouring segments, and that the first and the last segments have fewer keys, is what
 * lets the array be within an eighth of the number of keys (spatial coupling).
 *
 * @param arity slots a key has, 3 or 4
 * @param segmentBits log2 of a segment's length
 * @param segmentCount how many segments first slots are in; {@code arity - 1} more follow
 */
record FuseShape(int arity, int segmentBits, int segmentCount) {

    /** The shape of no slots at all. */
    static final FuseShape EMPTY = new FuseShape(3, 0, 0);

    static final int MOST_SEGMENT_BITS = 18;

    /** Shorter segments leave so little choice that equal sets of slots are frequent. */
    static final int LEAST_SEGMENT_BITS = 3;

    /**
     * With fewer segments the ends, which have more slots for a key, leave the middle too few: with 11,500 keys in 14
     * segments no attempt succeeded. Where segments are as short as {@code 2^FEW_SEGMENT_BITS} chance matters more.
     */
    private static final int LEAST_SEGMENTS = 18;

    private static final int FEW_SEGMENT_BITS = 7;

    /** Bits of the scattered fraction from which the positions of the second, third and fourth slot are taken. */
    private static final int SECOND_SHIFT = 0;

    private static final int THIRD_SHIFT = 21;
    private static final int FOURTH_SHIFT = 42;

    private static final long FINGERPRINT_FACTOR = 0x9E6C63D0876A9A47L;

    /**
     * The smallest shape that is filled at the first or second try with near certainty. The formulas are those of T. M.
     * Graf and D. Lemire: Binary fuse filters: fast and smaller than xor filters. JEA 2022, with segments of half their
     * length for few keys, where theirs fail too often.
     */
    static FuseShape of(long keys, int arity) {
        if (keys == 0) {
            return EMPTY;
        }
        double logKeys = Math.log((double) Math.max(2, keys));
        double idealBits = arity == 3 ? logKeys / Math.log(3.33) + 2.25 : logKeys / Math.log(2.91) - 0.5;
        double factor = arity == 3
                ? Math.max(1.125, 0.875 + 0.25 * Math.log(1e6) / logKeys)
                : Math.max(1.075, 0.77 + 0.305 * Math.log(6e5) / logKeys);
        long slots = (long) Math.ceil(keys * factor);
        int bits = (int) Math.max(LEAST_SEGMENT_BITS, Math.min(MOST_SEGMENT_BITS, Math.floor(idealBits)));
        while (bits > FEW_SEGMENT_BITS && slots >>> bits < LEAST_SEGMENTS) {
            bits--;
        }
        long segments = (slots + (1L << bits) - 1) >>> bits;
        return new FuseShape(arity, bits, (int) Math.max(1, segments - (arity - 1)));
    }

    /** How many slots a shard has. */
    long slotCount() {
        return segmentCount == 0 ? 0 : (long) (segmentCount + arity - 1) << segmentBits;
    }

    /** How many slots first slots are chosen from. */
    long firstSlots() {
        return (long) segmentCount << segmentBits;
    }

    static long scatter(long fraction, long factor) {
        long product = fraction * factor;
        return product ^ (product >>> 32);
    }

    /** What odd number belongs to a try. */
    static long factor(long seed, long attempt) {
        return Mix.expand(seed, 0, attempt) | 1;
    }

    static long fingerprint(long scattered, int width) {
        return (scattered * FINGERPRINT_FACTOR) >>> (Long.SIZE - width);
    }

    static long first(long fraction, long firstSlots) {
        return FastRange.placeOfHalf(fraction >>> Integer.SIZE, firstSlots);
    }

    static long second(long first, long scattered, int segmentBits) {
        return (first + (1L << segmentBits)) ^ (scattered >>> SECOND_SHIFT & (1L << segmentBits) - 1);
    }

    static long third(long first, long scattered, int segmentBits) {
        return (first + (2L << segmentBits)) ^ (scattered >>> THIRD_SHIFT & (1L << segmentBits) - 1);
    }

    static long fourth(long first, long scattered, int segmentBits) {
        return (first + (3L << segmentBits)) ^ (scattered >>> FOURTH_SHIFT & (1L << segmentBits) - 1);
    }

    /** {@link #second(long, long, int)} where slots fit into an int, from the length of a segment. */
    static int secondIndex(int first, long scattered, int segment) {
        return (first + segment) ^ ((int) (scattered >>> SECOND_SHIFT) & segment - 1);
    }

    /** {@link #third(long, long, int)} where slots fit into an int, from the length of a segment. */
    static int thirdIndex(int first, long scattered, int segment) {
        return (first + 2 * segment) ^ ((int) (scattered >>> THIRD_SHIFT) & segment - 1);
    }

    /** Slot {@code index} of a hash, of {@code arity}. */
    long slot(long fraction, long scattered, int index) {
        long first = first(fraction, firstSlots());
        return switch (index) {
            case 0 -> first;
            case 1 -> second(first, scattered, segmentBits);
            case 2 -> third(first, scattered, segmentBits);
            default -> fourth(first, scattered, segmentBits);
        };
    }
}
