package dev.besom.bits;

/**
 * Numbers of any width at any bit of an array made by {@link Words}. Bit {@code i} is bit {@code i % 64} of word
 * {@code i / 64}, and a number has its lowest bit first.
 *
 * <p>A read looks at two words: one word must follow the last that holds anything. Up to {@code 64 * Words.LEAD} bits before
 * bit 0 may be read; they are 0.
 */
public final class BitStrings {

    private BitStrings() {}

    /** The 64 bits from a place on. */
    public static long get(long[] words, long bit) {
        int at = (int) (bit >> 6) + Words.LEAD;
        int shift = (int) bit & 63;
        return words[at] >>> shift | words[at + 1] << 1 << (63 - shift);
    }

    /**
     * The number at a place.
     *
     * @param width from 1 to 64
     */
    public static long get(long[] words, long bit, int width) {
        return get(words, bit) & -1L >>> (Long.SIZE - width);
    }

    /**
     * Writes a number where all bits are 0.
     *
     * @param value below {@code 2^width}
     * @param width from 0 to 64
     */
    public static void put(long[] words, long bit, long value, int width) {
        int at = (int) (bit >> 6) + Words.LEAD;
        int shift = (int) bit & 63;
        words[at] |= value << shift;
        if (shift + width > Long.SIZE) {
            words[at + 1] |= value >>> (Long.SIZE - shift);
        }
    }
}
