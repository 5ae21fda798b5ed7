package dev.besom.compact;

/**
 * Sizes of Golomb-coded sets. The keys of a set with the false-positive rate {@code p} are numbers whose gaps are geometric
 * with the mean {@code 1 / p}.
 *
 * <p>S. W. Golomb: Run-length encodings. IEEE Transactions on Information Theory 1966. R. F. Rice: Some practical universal
 * noiseless coding techniques. JPL 1979.
 */
public final class GolombMath {

    /** A block of a set that changes has from this many keys to twice as many. */
    private static final int LEAST_CHANGING_KEYS = 80;

    /**
     * The keys of a block of a static set, on average. Fewer make the index larger, more make queries slower. With 96 a set is within
     * 0.2 bits a key of the bound. With 67 it is at 1 % as well, and nowhere beyond 0.3: where remainders are added up many at a time,
     * so that a query is fast, and where they are added up one by one, so that it is slow, that is worth it.
     */
    private static final int BLOCK_KEYS = 96;

    private static final int SMALL_BLOCK_KEYS = 67;

    static final int MOST_REMAINDER_BITS = 56;

    private static final double LOG2_E = 1 / Math.log(2);

    private GolombMath() {}

    /** The bits of a remainder with which codes are shortest: the lower part of a gap, written as it is. */
    static int remainderBits(double fpp) {
        int best = 1;
        while (best < MOST_REMAINDER_BITS && codeBits(fpp, best + 1) < codeBits(fpp, best)) {
            best++;
        }
        return best;
    }

    /** The expected length of a code: the remainder, a bit that ends the unary part, and a bit for each step of it. */
    public static double codeBits(double fpp, int remainderBits) {
        double step = Math.scalb(1.0, remainderBits);
        return remainderBits - 1 / Math.expm1(step * Math.log1p(-fpp));
    }

    /** The bits a key that no code of a sorted set of random numbers can go below, for many keys: {@code log2(e / p)}. */
    public static double boundBitsPerKey(double fpp) {
        return LOG2_E * (1 - Math.log(fpp));
    }

    /** The keys of a block of a static set, on average. */
    static int blockKeys(int remainderBits) {
        int lanes = new RemainderLanes(remainderBits).lanes();
        return lanes == 1 || lanes >= RemainderLanes.NARROW ? SMALL_BLOCK_KEYS : BLOCK_KEYS;
    }

    /** log2 of the numbers that a block of a set that changes covers. */
    static int blockBits(double fpp) {
        double numbers = LEAST_CHANGING_KEYS / fpp;
        return (int) Math.min(62, Math.ceil(Math.log(numbers) * LOG2_E));
    }
}
