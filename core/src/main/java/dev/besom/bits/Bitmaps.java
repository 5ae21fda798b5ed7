package dev.besom.bits;

import java.util.Objects;

/** Bit sets in plain {@code long[]} arrays, as bulk questions fill them: bit {@code i} is in word {@code i / 64}. */
public final class Bitmaps {

    private Bitmaps() {}

    /** An empty bitmap for that many bits. */
    public static long[] allocate(int bitCount) {
        return new long[(int) Words.forBits(bitCount)];
    }

    public static boolean get(long[] bitmap, int index) {
        return (bitmap[index >>> 6] >>> index & 1) != 0;
    }

    /** How many of the bitmap's bits are set. */
    public static long cardinality(long[] bitmap) {
        long set = 0;
        for (long word : bitmap) {
            set += Long.bitCount(word);
        }
        return set;
    }

    /** Refuses the arguments of a bulk question that do not fit together. */
    public static void checkBulk(long[] hashes, int from, int count, long[] result) {
        Objects.checkFromIndexSize(from, count, hashes.length);
        if (result.length < Words.forBits(count)) {
            throw new IllegalArgumentException(
                    "a result of " + result.length + " words is too small for " + count + " hashes");
        }
    }
}
