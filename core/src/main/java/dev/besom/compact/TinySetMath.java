package dev.besom.compact;

import dev.besom.math.Gamma;
import java.util.function.IntToDoubleFunction;

/**
 * TinySet in numbers. A block has L chains and an array of A bits; with r keys each has A / r bits, one of which marks
 * the last key of a chain: fingerprints have {@code size = floor(A / r) - 1} bits, and the first {@code mod = A mod r} of
 * them one bit more. A fresh query meets each of the r keys in its chain with probability 1 / L, and then takes it for
 * its own with probability 2^-bits:
 *
 * <pre>
 *   rate of a block with r keys    1 - (1 - 2^-size / L)^(r - mod) (1 - 2^-(size + 1) / L)^mod
 *   rate of the filter             the sum of that over r, which is Poisson distributed around the keys a block
 * </pre>
 *
 * The paper adds up where this multiplies, lambda_r 2^-size, which is the same for small rates and exceeds 1 for large
 * ones.
 *
 * <p>G. Einziger, R. Friedman: TinySet: an access efficient self adjusting Bloom filter construction. ICCCN 2015, section
 * 4.
 */
public final class TinySetMath {

    /** How the bits are used that are left over when all fingerprints of a block have the same width. */
    public enum Widths {
        /** Not at all: section 4.2. */
        ONE,
        /** The first fingerprints have one bit more: section 4.3. */
        TWO,
        /** The same, but that bit counts only where it is 1, as it must once keys were taken out: section 3.5. */
        TWO_AFTER_REMOVALS
    }

    /** Fingerprints are no longer than this. */
    public static final int WIDEST = 32;

    /** The largest block that is worth a thought. */
    private static final int MOST_ARRAY_BITS = 1 << 13;

    /** With fewer keys a block on average, space is wasted beyond reason. */
    private static final double FEWEST_KEYS = 0.5;

    /** How exact the keys a block are. */
    private static final double TOLERANCE = 1e-6;

    private TinySetMath() {}

    /** The false-positive rate of a block with that many keys. */
    public static double blockRate(int arrayBits, int chains, int keys, Widths widths) {
        if (keys == 0) {
            return 0;
        }
        if (keys > arrayBits) {
            return 1;
        }
        int size = Math.min(WIDEST, arrayBits / keys - 1);
        int mod = size == WIDEST ? 0 : arrayBits % keys;
        double narrow = Math.scalb(1.0, -size);
        double wide = switch (widths) {
            case ONE -> narrow;
            case TWO -> narrow / 2;
            case TWO_AFTER_REMOVALS -> 0.75 * narrow;
        };
        return -Math.expm1((keys - mod) * Math.log1p(-narrow / chains) + mod * Math.log1p(-wide / chains));
    }

    /**
     * The false-positive rate of a filter of many blocks.
     *
     * @param keysPerBlock on average
     */
    public static double fpp(int arrayBits, int chains, double keysPerBlock, Widths widths) {
        return fpp(keys -> blockRate(arrayBits, chains, keys, widths), keysPerBlock);
    }

    /** The false-positive rate of a filter of many blocks, of which those with a number of keys have a given one. */
    static double fpp(IntToDoubleFunction blockRate, double keysPerBlock) {
        double spread = 12 * Math.sqrt(keysPerBlock) + 20;
        int least = (int) Math.max(1, keysPerBlock - spread);
        int most = (int) Math.ceil(keysPerBlock + spread);
        double rate = 0;
        for (int keys = least; keys <= most; keys++) {
            rate += poisson(keysPerBlock, keys) * blockRate.applyAsDouble(keys);
        }
        return Math.min(1, rate);
    }

    /** The most keys a block, on average, with which blocks of that size keep the rate. */
    public static double keysPerBlock(int arrayBits, int chains, double fpp, Widths widths) {
        return keysPerBlock(keys -> blockRate(arrayBits, chains, keys, widths), arrayBits, fpp);
    }

    /** The same for blocks of which those with a number of keys have a given rate. */
    static double keysPerBlock(IntToDoubleFunction blockRate, double mostKeys, double fpp) {
        double low = FEWEST_KEYS;
        double high = mostKeys;
        if (fpp(blockRate, low) > fpp) {
            throw new IllegalArgumentException(
                    "a rate of " + fpp + " is too low for fingerprints of at most " + WIDEST + " bits");
        }
        while (high / low > 1 + TOLERANCE) {
            double middle = Math.sqrt(low * high);
            if (fpp(blockRate, middle) > fpp) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return low;
    }

    /** The smallest array with which blocks of so many keys on average keep the rate. */
    public static int arrayBits(int chains, double keysPerBlock, double fpp, Widths widths) {
        int low = 0;
        int high = MOST_ARRAY_BITS;
        if (fpp(high, chains, keysPerBlock, widths) > fpp) {
            throw new IllegalArgumentException("no block of " + MOST_ARRAY_BITS + " bits and " + chains
                    + " chains holds " + keysPerBlock + " keys at a rate of " + fpp);
        }
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (fpp(middle, chains, keysPerBlock, widths) > fpp) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** The natural logarithm of a bound on the chance that one of the blocks gets more keys than it has bits: section 4.4. */
    public static double logOverflow(long blocks, double keysPerBlock, int arrayBits) {
        // The first term of the tail times a geometric series that is above the others.
        int first = arrayBits + 1;
        double ratio = keysPerBlock / (first + 1);
        if (ratio >= 1) {
            return 0;
        }
        double logTail = first * Math.log(keysPerBlock) - keysPerBlock - Gamma.logFactorial(first) - Math.log1p(-ratio);
        return Math.min(0, Math.log((double) blocks) + logTail);
    }

    private static double poisson(double mean, int value) {
        return Math.exp(value * Math.log(mean) - mean - Gamma.logFactorial(value));
    }
}
