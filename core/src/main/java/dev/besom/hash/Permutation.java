package dev.besom.hash;

/**
 * Keyed permutations of the 64-bit numbers that keep their highest six bits: each of 64 ranges is permuted in itself. Two
 * rounds of the steps of {@link Mix#mix(long)}, on 58 bits, with keys of their own for each index: what collides under one
 * permutation is not more likely than others to collide under the next. Frozen, as files and stores depend on it.
 */
public final class Permutation {

    /** The highest bits, which stay. */
    public static final int KEPT_BITS = 6;

    private static final long LOW = -1L >>> KEPT_BITS;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final long FACTOR_1 = 0xBF58476D1CE4E5B9L;
    private static final long FACTOR_2 = 0x94D049BB133111EBL;
    private static final long INVERSE_1 = 0x96DE1B173F119089L;
    private static final long INVERSE_2 = 0x319642B2D24D8EC3L;

    private Permutation() {}

    /** The image of a number under the permutation that belongs to a seed and an index. */
    public static long apply(long x, long seed, long index) {
        long low = mix((x + firstKey(seed, index)) & LOW);
        return (x & ~LOW) | mix((low + secondKey(seed, index)) & LOW);
    }

    /** The number that {@link #apply} makes another one from. */
    public static long invert(long y, long seed, long index) {
        long low = (unmix(y & LOW) - secondKey(seed, index)) & LOW;
        return (y & ~LOW) | ((unmix(low) - firstKey(seed, index)) & LOW);
    }

    private static long firstKey(long seed, long index) {
        return seed + (index + 1) * FACTOR_2;
    }

    private static long secondKey(long seed, long index) {
        return Long.rotateLeft(seed, Integer.SIZE) + (index + 1) * GOLDEN;
    }

    private static long mix(long x) {
        x = (x ^ x >>> 30) * FACTOR_1 & LOW;
        x = (x ^ x >>> 27) * FACTOR_2 & LOW;
        return x ^ x >>> 31;
    }

    /** A shift to the right by at least a third of the bits is undone by two shifts. */
    private static long unmix(long x) {
        x = (x ^ x >>> 31) * INVERSE_2 & LOW;
        x = (x ^ x >>> 27 ^ x >>> 54) * INVERSE_1 & LOW;
        return x ^ x >>> 30;
    }
}
