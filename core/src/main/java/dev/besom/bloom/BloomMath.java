package dev.besom.bloom;

import dev.besom.math.Entropy;

/**
 * Bloom filters in numbers. With {@code n} keys, {@code m} bits and {@code k} probes a key, a bit is still 0 with
 * probability (1 - 1/m)^(kn), and a fresh query finds all its k bits set with probability fill^k.
 *
 * <p>B. H. Bloom: Space/time trade-offs in hash coding with allowable errors. CACM 13(7), 1970. P. Bose et al.: On the
 * false-positive rate of Bloom filters. IPL 108(4), 2008, show how little fill^k, the rate for a filter that is filled
 * as expected, falls short of the exact mean.
 */
public final class BloomMath {

    /** More probes than this are never worth it: 64 are the best choice for a rate of 5e-20. */
    public static final int MAX_PROBES = 64;

    /** How much larger than the smallest possible a filter may be for the sake of fewer probes. */
    private static final double SPACE_FOR_PROBES = 1.01;

    private BloomMath() {}

    /** The bits a key with which that many probes give that false-positive rate, for many keys. */
    public static double bitsPerKey(double fpp, int probes) {
        // fill = fpp^(1/k) and 1 - fill = exp(-k n / m)
        return -probes / Math.log1p(-Math.pow(fpp, 1.0 / probes));
    }

    /** The number of probes with which a filter of that rate is smallest. */
    public static int probesForLeastSpace(double fpp) {
        int around = (int) Math.min(MAX_PROBES, Math.round(Entropy.bitsPerKey(fpp)));
        int best = 1;
        for (int probes = Math.max(1, around - 1); probes <= Math.min(MAX_PROBES, around + 1); probes++) {
            if (bitsPerKey(fpp, probes) < bitsPerKey(fpp, best)) {
                best = probes;
            }
        }
        return best;
    }

    /**
     * The fewest probes with which a filter of that rate is at most one percent larger than it must be. Each probe is a
     * cache miss where the filter is large, and space is flat around the best number: at a rate of 1 % six probes
     * instead of seven take a quarter of a percent more.
     */
    public static int fewProbes(double fpp) {
        double most = bitsPerKey(fpp, probesForLeastSpace(fpp)) * SPACE_FOR_PROBES;
        int probes = 1;
        while (bitsPerKey(fpp, probes) > most) {
            probes++;
        }
        return probes;
    }

    /** The number of probes with the lowest rate for a filter of that size. */
    public static int bestProbes(long bits, long keys) {
        int best = 1;
        for (int probes = 2; probes <= MAX_PROBES; probes++) {
            if (fpp(bits, keys, probes) < fpp(bits, keys, best)) {
                best = probes;
            }
        }
        return best;
    }

    /** The bits with which that many probes give that rate for that many keys. */
    public static long bits(long keys, double fpp, int probes) {
        return Math.max(1, (long) Math.ceil(keys * bitsPerKey(fpp, probes)));
    }

    /** The share of bits that are expected to be set. */
    public static double fill(long bits, long keys, int probes) {
        return -Math.expm1((double) probes * keys * Math.log1p(-1.0 / bits));
    }

    /** The false-positive rate that is expected from the parameters. */
    public static double fpp(long bits, long keys, int probes) {
        return Math.pow(fill(bits, keys, probes), probes);
    }

    /**
     * How many different keys most likely set that many bits. Infinite if all bits are set.
     *
     * <p>S. J. Swamidass, P. Baldi: Mathematical correction for fingerprint similarity measures. J. Chem. Inf. Model.
     * 47(3), 2007.
     */
    public static double keysFromFill(long bits, long setBits, int probes) {
        return Math.log1p(-(double) setBits / bits) / (probes * Math.log1p(-1.0 / bits));
    }
}
