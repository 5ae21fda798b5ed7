package dev.besom.bits;

/** Products wider than a word. */
public final class Multiply {

    private Multiply() {}

    /**
     * Maps a hash, as a fraction of 2^64, to one of {@code size} places: {@code floor(hash * size / 2^64)}. Keeps order:
     * the hashes of one place are contiguous in unsigned order.
     *
     * @param size from 1 to 2^63 - 1
     */
    public static long toRange(long hash, long size) {
        // The signed product of hash and size is short by size * 2^64 where hash counts as negative.
        return Math.multiplyHigh(hash, size) + (hash >> 63 & size);
    }

    /** The smallest hash, in unsigned order, that {@link #toRange(long, long)} maps to the place. */
    public static long rangeStart(long place, long size) {
        if (place == 0) {
            return 0;
        }
        // ceil(place * 2^64 / size) by long division, two digits of 32 bits where they fit and bit by bit otherwise.
        if (size >>> 31 == 0) {
            long high = (place << 32) / size;
            long restHigh = (place << 32) - high * size;
            long low = (restHigh << 32) / size;
            long restLow = (restHigh << 32) - low * size;
            return (high << 32) + low + (restLow == 0 ? 0 : 1);
        }
        long quotient = 0;
        long rest = place;
        for (int bit = 0; bit < Long.SIZE; bit++) {
            rest <<= 1;
            quotient <<= 1;
            if (Long.compareUnsigned(rest, size) >= 0) {
                rest -= size;
                quotient |= 1;
            }
        }
        return rest == 0 ? quotient : quotient + 1;
    }
}
