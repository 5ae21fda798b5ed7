package dev.besom.bits;

import java.util.Objects;

/** Bit sets in plain {@code long[]} arrays, as bulk queries fill them: bit {@code i} is in word {@code i / 64}. */
public final class Bitmaps {

    /** Two megabytes, about as much as a second level cache has: in less memory reads wait for so little that noting places takes longer. */
    private static final long NEAR_BITS = 1L << 24;

    private Bitmaps() {}

    /** Whether reads from so much memory wait so long that it pays a bulk query to read first and answer afterwards. */
    public static boolean isFar(long sizeInBits) {
        return sizeInBits > NEAR_BITS;
    }

    /** Fills one word of a bitmap with the answers for up to 64 hashes. */
    @FunctionalInterface
    public interface Batch {

        /**
         * Answers for the hashes from {@code from} on: bit {@code i} of {@code result[word]} is that of
         * {@code hashes[from + i]}, and the bits from {@code count} on become 0.
         *
         * @param count from 1 to 64
         */
        void fill(long[] hashes, int from, int count, long[] result, int word);
    }

    /** An empty bitmap for that many bits. */
    public static long[] allocate(int bitCount) {
        return new long[(int) Words.forBits(bitCount)];
    }

    /** Whether a bit is set. */
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

    /**
     * A bulk query, batch by batch.
     *
     * @param result at least {@code ceil(count / 64)} words
     * @throws IllegalArgumentException if the result is too small, or is the array of the hashes
     */
    public static void inBatches(long[] hashes, int from, int count, long[] result, Batch batch) {
        checkBulk(hashes, from, count, result);
        for (int base = 0; base < count; base += Long.SIZE) {
            batch.fill(hashes, from + base, Math.min(Long.SIZE, count - base), result, base >>> 6);
        }
    }

    /** Refuses the arguments of a bulk query that do not fit together. */
    public static void checkBulk(long[] hashes, int from, int count, long[] result) {
        Objects.checkFromIndexSize(from, count, hashes.length);
        checkOther(hashes, count, result);
        if (result.length < Words.forBits(count)) {
            throw new IllegalArgumentException(
                    "a result of " + result.length + " words is too small for " + count + " hashes");
        }
    }

    /**
     * Refuses the array of the hashes for the answers of a bulk query.
     *
     * @throws IllegalArgumentException if it is that and there is an answer to come
     */
    public static void checkOther(long[] hashes, int count, long[] answers) {
        if (hashes == answers && count > 0) {
            throw new IllegalArgumentException("answers would take the place of hashes that are not answered yet");
        }
    }
}
