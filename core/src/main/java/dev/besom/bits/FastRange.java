package dev.besom.bits;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Fastrange: reduces a hash to one of {@code size} places by a multiplication, where a remainder would take a division.
 *
 * <pre>
 *   hash * size     |  place  |   rest   |        a product of 128 bits; of 64 bits in the form for half a hash
 * </pre>
 *
 * Order is kept: the hashes of one place are contiguous in unsigned order, and {@link #start(long, long)} says where they
 * begin. Any size will do, not only powers of two. The rest, {@code hash * size} in 64 bits, says where in its place a hash
 * lies.
 *
 * <p>D. Lemire: Fast random integer generation in an interval. ACM TOMACS 29(1), 2019.
 */
public final class FastRange {

    /** {@code Math.unsignedMultiplyHigh} where there is one, from JDK 18 on; never called otherwise. */
    private static final MethodHandle UNSIGNED_HIGH;

    private static final boolean HAS_UNSIGNED_HIGH;

    static {
        MethodType binary = MethodType.methodType(long.class, long.class, long.class);
        MethodHandle high = MethodHandles.empty(binary);
        boolean found = false;
        try {
            high = MethodHandles.lookup().findStatic(Math.class, "unsignedMultiplyHigh", binary);
            found = true;
        } catch (NoSuchMethodException | IllegalAccessException e) {
            // A JDK before 18: the signed product is corrected.
        }
        UNSIGNED_HIGH = high;
        HAS_UNSIGNED_HIGH = found;
    }

    private FastRange() {}

    /**
     * The place of a hash, a fraction of 2^64: {@code floor(hash * size / 2^64)}.
     *
     * @param size from 1 to 2^63 - 1
     */
    public static long place(long hash, long size) {
        return HAS_UNSIGNED_HIGH ? highByHandle(hash, size) : highBySignedProduct(hash, size);
    }

    private static long highByHandle(long hash, long size) {
        try {
            return (long) UNSIGNED_HIGH.invokeExact(hash, size);
        } catch (Throwable e) {
            throw new AssertionError("Math.unsignedMultiplyHigh throws nothing", e);
        }
    }

    static long highBySignedProduct(long hash, long size) {
        // The signed product of hash and size is short by size * 2^64 where hash counts as negative.
        return Math.multiplyHigh(hash, size) + (hash >> 63 & size);
    }

    /**
     * {@link #place(long, long)} of a hash whose lowest bit counts as 0: one multiplication on every JDK.
     *
     * @param doubledSize twice the size, which is from 1 to 2^62 - 1
     */
    public static long placeOfEven(long hash, long doubledSize) {
        return Math.multiplyHigh(hash >>> 1, doubledSize);
    }

    /**
     * The place of half a hash, a fraction of 2^32: {@code floor(half * size / 2^32)}.
     *
     * @param half below 2^32
     * @param size from 1 to 2^31; a larger one prefers some places to others
     */
    public static long placeOfHalf(long half, long size) {
        return (half * size) >>> 32;
    }

    /** The smallest hash, in unsigned order, whose {@link #place(long, long)} it is. */
    public static long start(long place, long size) {
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

    /** The largest hash, in unsigned order, whose {@link #place(long, long)} it is. */
    public static long end(long place, long size) {
        return place == size - 1 ? -1L : start(place + 1, size) - 1;
    }
}
