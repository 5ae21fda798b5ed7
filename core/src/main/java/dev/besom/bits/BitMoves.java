package dev.besom.bits;

/**
 * Moves a stretch of bits inside an array of words by less than a word. Bit {@code i} of a stretch is bit {@code i % 64}
 * of word {@code base + i / 64}; {@code base} is an index of the array, its lead-in included.
 */
public final class BitMoves {

    private BitMoves() {}

    /**
     * Moves the bits from {@code from} up to {@code to}, which is not among them, to places higher by {@code by}. The
     * {@code by} bits from {@code from} on keep what they held.
     *
     * @param by from 1 to 63
     */
    public static void up(long[] words, int base, int from, int to, int by) {
        if (from >= to) {
            return;
        }
        int first = from + by;
        int last = to + by - 1;
        int firstWord = first >>> 6;
        // Only the last word and the first keep some of their bits.
        long mask = -1L >>> ~last;
        for (int word = last >>> 6; word > firstWord; word--) {
            long moved = words[base + word] << by | words[base + word - 1] >>> (Long.SIZE - by);
            words[base + word] = (words[base + word] & ~mask) | (moved & mask);
            mask = -1L;
        }
        mask &= -1L << first;
        long moved = words[base + firstWord] << by;
        if (firstWord > 0) {
            moved |= words[base + firstWord - 1] >>> (Long.SIZE - by);
        }
        words[base + firstWord] = (words[base + firstWord] & ~mask) | (moved & mask);
    }

    /**
     * Moves the bits from {@code from} up to {@code to}, which is not among them, to places lower by {@code by}. The
     * {@code by} bits before {@code to} keep what they held.
     *
     * @param from at least {@code by}
     * @param by from 1 to 63
     */
    public static void down(long[] words, int base, int from, int to, int by) {
        if (from >= to) {
            return;
        }
        int first = from - by;
        int last = to - by - 1;
        int lastWord = last >>> 6;
        int lastSource = (to - 1) >>> 6;
        for (int word = first >>> 6; word <= lastWord; word++) {
            long moved = words[base + word] >>> by;
            if (word < lastSource) {
                moved |= words[base + word + 1] << (Long.SIZE - by);
            }
            long mask = mask(first, last, word);
            words[base + word] = (words[base + word] & ~mask) | (moved & mask);
        }
    }

    /** The bits of a word of the stretch that lie from {@code first} to {@code last}, both included. */
    private static long mask(int first, int last, int word) {
        long mask = -1L;
        if (word == first >>> 6) {
            mask <<= first;
        }
        if (word == last >>> 6) {
            mask &= -1L >>> ~last;
        }
        return mask;
    }
}
