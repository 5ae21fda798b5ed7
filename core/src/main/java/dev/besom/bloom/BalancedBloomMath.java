package dev.besom.bloom;

import dev.besom.math.Gamma;

/**
 * Balanced Bloom filters in numbers. Keys go to blocks of {@value #BLOCK_BITS} bits and set k bits there, drawn one by
 * one; a block that has a threshold of keys takes no more, and further keys go to a list beside. So blocks have min(X, T) keys,
 * with X Poisson distributed, and the list holds E[max(0, X - T)] of the m keys a block.
 *
 * <p>Y. Kanizo, D. Hay, I. Keslassy: Access-efficient balanced Bloom filters. Computer Communications 36(4), 2013.
 */
public final class BalancedBloomMath {

    /** Half a cache line. */
    public static final int BLOCK_BITS = 256;

    /** The share of keys that may go to the list: the paper's gamma. */
    public static final double USUAL_OVERFLOW = 0.0049;

    /** More probes are never worth it in a block of that size. */
    public static final int MAX_PROBES = 24;

    /** A block's count of keys is a byte. */
    public static final int MOST_THRESHOLD = 255;

    private static final double TOLERANCE = 1e-5;

    private BalancedBloomMath() {}

    /**
     * The rate of a block with that many keys: the fill to the power of k, and what the scatter of the fill adds.
     */
    public static double blockRate(int keys, int probes) {
        double size = BLOCK_BITS;
        double draws = (double) keys * probes;
        double kept = Math.exp(draws * Math.log1p(-1 / size));
        double keptTwice = Math.exp(draws * Math.log1p(-2 / size));
        double fill = 1 - kept;
        if (fill <= 0) {
            return 0;
        }
        double variance = Math.max(0, kept / size + (1 - 1 / size) * keptTwice - kept * kept);
        return Math.min(1, Math.pow(fill, probes) * (1 + probes * (probes - 1) / 2.0 * variance / (fill * fill)));
    }

    /** The rate of a filter with so many keys a block on average. */
    public static double fpp(double keysPerBlock, int threshold, int probes) {
        double rate = 0;
        double below = 0;
        for (int keys = 0; keys < threshold; keys++) {
            double chance = poisson(keysPerBlock, keys);
            below += chance;
            rate += chance * blockRate(keys, probes);
        }
        return rate + Math.max(0, 1 - below) * blockRate(threshold, probes);
    }

    /** The share of keys that find their block at its threshold. */
    public static double overflow(double keysPerBlock, int threshold) {
        double taken = 0;
        double below = 0;
        for (int keys = 0; keys < threshold; keys++) {
            double chance = poisson(keysPerBlock, keys);
            below += chance;
            taken += chance * keys;
        }
        taken += Math.max(0, 1 - below) * threshold;
        return Math.max(0, 1 - taken / keysPerBlock);
    }

    /** The lowest threshold with which at most that share of keys goes to the list. */
    public static int threshold(double keysPerBlock, double overflow) {
        int threshold = 1;
        while (threshold < MOST_THRESHOLD && overflow(keysPerBlock, threshold) > overflow) {
            threshold++;
        }
        return threshold;
    }

    /**
     * How many of the first keys that come to a block are counted there: a key that the block already answers "maybe" for is not.
     */
    public static int countedKeys(int keys, int probes) {
        double counted = 0;
        for (int before = 0; before < keys; before++) {
            counted += 1 - blockRate(before, probes);
        }
        return (int) Math.max(1, Math.round(counted));
    }

    /** The number of probes with the lowest rate. */
    public static int bestProbes(double keysPerBlock, int threshold) {
        int best = 1;
        for (int probes = 2; probes <= MAX_PROBES; probes++) {
            if (fpp(keysPerBlock, threshold, probes) < fpp(keysPerBlock, threshold, best)) {
                best = probes;
            }
        }
        return best;
    }

    /** The most keys a block with which the rate is kept and at most that share of keys goes to the list. */
    public static double keysPerBlock(double fpp, double overflow) {
        double low = 0.01;
        double high = MOST_THRESHOLD / 2.0;
        while (high / low > 1 + TOLERANCE) {
            double middle = Math.sqrt(low * high);
            int threshold = threshold(middle, overflow);
            if (fpp(middle, threshold, bestProbes(middle, threshold)) > fpp) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return low;
    }

    private static double poisson(double mean, int value) {
        return Math.exp(value * Math.log(mean) - mean - Gamma.logFactorial(value));
    }
}
