package dev.besom.fuse;

import dev.besom.bits.FastRange;
import dev.besom.bits.Words;

/**
 * One layer of a ribbon filter: a solved system of linear equations over bits, in which each key is one equation that
 * touches 64 slots in a row.
 *
 * <pre>
 *   slots       . . . . s . . . . . . . . . s+63 . . .        s = fastrange of the hash: keeps order
 *   equation            1 c c 0 c 0 0 c ... c                 the slots with a 1, xored, are the key's fingerprint
 *
 *   words       | bit 0 of 64 slots | bit 1 of 64 slots | ... | bit r-1 |   and so on: a block for each 64 slots
 *
 *   buckets     128 starts each, with two bits that say which of its keys are in the next layer instead: those with the
 *               first 0, SOME, MANY or all 128 starts
 * </pre>
 *
 * A query that does not match is mostly found out by the first few bits, so the bits of one number lie in words of their own.
 */
final class RibbonLayer {

    static final int BAND = Long.SIZE;
    static final int BUCKET_BITS = 7;
    static final int BUCKET = 1 << BUCKET_BITS;

    /** The first SOME starts of a bucket, and the first MANY: with a million keys these leave the fewest slots empty. */
    private static final int SOME = 16;

    private static final int MANY = 40;

    /** How many of a bucket's first starts belong to the next layer, a byte for each value of its two bits. */
    private static final long BUMPED_STARTS = (long) BUCKET << 24 | MANY << 16 | SOME << 8;

    /**
     * Bits that are compared before a branch. After one bit it would be taken every other time, and no processor can tell when;
     * after four it is taken fifteen times of sixteen.
     */
    private static final int COMPARED_BITS = 4;

    private static final long COEFFICIENT_FACTOR = 0x9E3779B97F4A7C15L;
    private static final long SECOND_FACTOR = 0xC2B2AE3D27D4EB4FL;
    private static final long FINGERPRINT_FACTOR = 0x9E6C63D0876A9A47L;

    private final int width;
    private final long slots;
    private final long[] bumped;
    private final long[] words;

    /**
     * @param width bits of a fingerprint; r in the picture
     * @param slots a multiple of 64, at least 128
     * @param bumped the two bits of each bucket
     * @param words made by {@link Words}: {@code width * (slots / 64 + 1)}; the last block is 0
     */
    RibbonLayer(int width, long slots, long[] bumped, long[] words) {
        this.width = width;
        this.slots = slots;
        this.bumped = bumped;
        this.words = words;
    }

    long slots() {
        return slots;
    }

    long[] bumped() {
        return bumped;
    }

    long[] words() {
        return words;
    }

    static int bumpedStarts(long code) {
        return (int) (BUMPED_STARTS >>> (code << 3) & 0xFF);
    }

    static long starts(long slots) {
        return slots - BAND + 1;
    }

    static long start(long hash, long slots) {
        return FastRange.place(hash, starts(slots));
    }

    static long bucketCount(long slots) {
        return (starts(slots) + BUCKET - 1) >>> BUCKET_BITS;
    }

    static long scattered(long hash) {
        long product = hash * COEFFICIENT_FACTOR;
        return product ^ (product >>> 32);
    }

    /** The equation of a key, from its first slot on, which it always touches. */
    static long coefficients(long scattered) {
        long product = scattered * SECOND_FACTOR;
        return (product ^ (product >>> 29)) | 1;
    }

    static long fingerprint(long scattered, int width) {
        return (scattered * FINGERPRINT_FACTOR) >>> (Long.SIZE - width);
    }

    /** Whether a hash that starts at a slot belongs to the next layer. */
    boolean isBumped(long start) {
        long bucket = start >>> BUCKET_BITS;
        long code = bumped[(int) (bucket >>> 5)] >>> (bucket << 1) & 3;
        return (start & BUCKET - 1) < bumpedStarts(code);
    }

    /** Whether the slots of a hash that is not bumped give its fingerprint. */
    boolean matches(long hash, long start) {
        long scattered = scattered(hash);
        return gives(scattered, start, fingerprint(scattered, width));
    }

    /** Whether the slots of a hash that is not bumped give a payload. */
    boolean maps(long hash, long start, long payload) {
        return gives(scattered(hash), start, payload);
    }

    private boolean gives(long scattered, long start, long payload) {
        long coefficients = coefficients(scattered);
        int shift = (int) start & 63;
        long low = coefficients << shift;
        long high = coefficients >>> 1 >>> (63 - shift);
        int at = (int) ((start >>> 6) * width) + Words.LEAD;
        int bit = 0;
        // No loop, which would check its bounds for longer than it runs.
        if (width >= COMPARED_BITS) {
            if (isDifferent(at, low, high, payload)) {
                return false;
            }
            bit = COMPARED_BITS;
        }
        if (width >= 2 * COMPARED_BITS) {
            if (isDifferent(at + COMPARED_BITS, low, high, payload >>> COMPARED_BITS)) {
                return false;
            }
            bit = 2 * COMPARED_BITS;
        }
        return bit == width || isRestGiven(at, bit, low, high, payload);
    }

    /** Whether the bits from one on are those of a payload. Apart, for the usual widths have none left. */
    private boolean isRestGiven(int at, int from, long low, long high, long payload) {
        long differences = 0;
        for (int bit = from; bit < width; bit++) {
            differences |= ones(at + bit, low, high) ^ payload >>> bit;
        }
        return (differences & 1) == 0;
    }

    /** Whether the first four bits of what the slots give are not those of a payload. */
    private boolean isDifferent(int at, long low, long high, long payload) {
        long differences = (ones(at, low, high) ^ payload)
                | (ones(at + 1, low, high) ^ payload >>> 1)
                | (ones(at + 2, low, high) ^ payload >>> 2)
                | (ones(at + 3, low, high) ^ payload >>> 3);
        return (differences & 1) != 0;
    }

    /** How many of the slots that an equation touches are 1, in one bit of their numbers. */
    private int ones(int at, long low, long high) {
        return Long.bitCount((words[at] & low) ^ (words[at + width] & high));
    }

    long sizeInBits() {
        return (long) (Words.count(words) + bumped.length) << 6;
    }
}
