package dev.besom.math;

/**
 * Blocked Bloom filters in numbers. Each key goes to one block of {@code W} words of 64 bits and sets {@code k} bits
 * there, bit {@code j} in word {@code (r + j) mod W} for a random {@code r}. A block with {@code i} keys answers a fresh
 * question wrongly with the probability that all {@code k} bits are set by those; how many keys a block has is
 * binomial, and for many blocks Poisson.
 *
 * <p>F. Putze, P. Sanders, J. Singler: Cache-, hash- and space-efficient Bloom filters. JEA 14, 2009.
 */
public final class BlockedBloomMath {

    private static final int BITS_A_WORD = Long.SIZE;

    /** Bits a key are searched up to here: enough for a rate of 1e-6. */
    private static final double MAX_BITS_PER_KEY = 512;

    private BlockedBloomMath() {}

    /** The rate of blocks of that many words with that many keys in a block on average. */
    public static double fpp(double keysPerBlock, int wordsPerBlock, int probes) {
        double rate = 0;
        int most = (int) Math.ceil(keysPerBlock + 12 * Math.sqrt(keysPerBlock) + 24);
        for (int keys = 1; keys <= most; keys++) {
            rate += poisson(keysPerBlock, keys) * fppOfBlock(keys, wordsPerBlock, probes);
        }
        return rate;
    }

    /** The rate of one block that holds that many keys. */
    static double fppOfBlock(int keys, int wordsPerBlock, int probes) {
        // Each key sets probes / words bits of a word, one more in the first (probes mod words) words from its start.
        int whole = probes / wordsPerBlock;
        double more = (double) (probes % wordsPerBlock) / wordsPerBlock;
        double keptByWhole = Math.pow(1 - 1.0 / BITS_A_WORD, whole);
        double keptByKey = keptByWhole * (1 - more / BITS_A_WORD);
        double fill = -Math.expm1(keys * Math.log(keptByKey));
        return Math.pow(fill, probes);
    }

    /** The fewest bits a key with which blocks of that many words and that many probes give that rate. */
    public static double bitsPerKey(double fpp, int wordsPerBlock, int probes) {
        double blockBits = (double) wordsPerBlock * BITS_A_WORD;
        double low = 0.1;
        double high = MAX_BITS_PER_KEY;
        if (fpp(blockBits / high, wordsPerBlock, probes) > fpp) {
            return Double.POSITIVE_INFINITY;
        }
        for (int step = 0; step < 60; step++) {
            double middle = (low + high) / 2;
            if (fpp(blockBits / middle, wordsPerBlock, probes) > fpp) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** The number of probes, up to that many, with which blocks of that many words are smallest for that rate. */
    public static int probesForLeastSpace(double fpp, int wordsPerBlock, int mostProbes) {
        int best = 1;
        for (int probes = 2; probes <= mostProbes; probes++) {
            if (bitsPerKey(fpp, wordsPerBlock, probes) < bitsPerKey(fpp, wordsPerBlock, best)) {
                best = probes;
            }
        }
        return best;
    }

    private static double poisson(double mean, int value) {
        return Math.exp(value * Math.log(mean) - mean - Gamma.logFactorial(value));
    }
}
