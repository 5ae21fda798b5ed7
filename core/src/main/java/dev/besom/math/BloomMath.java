package dev.besom.math;

/**
 * Bloom filters in numbers. With {@code n} keys, {@code m} bits and {@code k} probes a key, a bit is still 0 with
 * probability (1 - 1/m)^(kn), and a fresh question finds all its k bits set with probability fill^k.
 *
 * <p>B. H. Bloom: Space/time trade-offs in hash coding with allowable errors. CACM 13(7), 1970. P. Bose et al.: On the
 * false-positive rate of Bloom filters. IPL 108(4), 2008, show how little fill^k, the rate for a filter that is filled
 * as expected, falls short of the exact mean.
 *
 * <p>Probes may also go in <em>pairs</em>, both to one cache line, at random places of it: half the memory accesses for a
 * rate that is higher by about a hundredth, for a bit is a little more likely to be set where another one of its line is.
 */
public final class BloomMath {

    /** More probes than this are never worth it: 64 are the best choice for a rate of 5e-20. */
    public static final int MAX_PROBES = 64;

    /** How much larger than the smallest possible a filter may be for the sake of fewer probes. */
    private static final double SPACE_FOR_PROBES = 1.01;

    /** How often the size of a filter with paired probes is corrected; each time the error shrinks by half or more. */
    private static final int PAIRED_STEPS = 20;

    /** The bits of a cache line, in which both probes of a pair are. */
    public static final int LINE_BITS = 512;

    /** How much higher the rate may be for the sake of pairs. */
    private static final double RATE_FOR_PAIRS = 1.05;

    /** From here on, 32 KB, a filter outgrows the first cache and its probes go in pairs. */
    private static final long LEAST_PAIRED_BITS = 1L << 18;

    private BloomMath() {}

    /**
     * What a filter is made of.
     *
     * @param bits its size, whole words, and whole cache lines where probes go in pairs
     * @param probes that a key takes
     * @param paired whether two probes share a cache line
     */
    public record Shape(long bits, int probes, boolean paired) {

        /** The false-positive rate that is expected with so many keys. */
        public double fpp(long keys) {
            return paired ? pairedFpp(bits, keys, probes) : BloomMath.fpp(bits, keys, probes);
        }
    }

    /** The shape for so many keys at a rate: few probes, in pairs where the filter is too large for the first cache. */
    public static Shape shape(long keys, double fpp) {
        int few = fewProbes(fpp);
        return shape(keys, fpp, 0, isWorthPairs(bits(keys, fpp, few), keys, few));
    }

    /**
     * The shape for so many keys at a rate.
     *
     * @param probes that a key takes; 0 for few
     * @param paired whether two probes share a cache line
     */
    public static Shape shape(long keys, double fpp, int probes, boolean paired) {
        int taken = probes;
        if (probes == 0) {
            taken = paired ? fewPairedProbes(fpp) : fewProbes(fpp);
        }
        return shapeOf(paired ? pairedBits(keys, fpp, taken) : bits(keys, fpp, taken), taken, paired);
    }

    /** A shape of at least so many bits. */
    public static Shape shapeOf(long bits, int probes, boolean paired) {
        int unit = paired ? LINE_BITS : Long.SIZE;
        return new Shape(bits > Long.MAX_VALUE - unit ? bits : (bits + unit - 1) / unit * unit, probes, paired);
    }

    /**
     * Whether probes in pairs pay: the filter is too large for the first cache, and its rate hardly higher for them, as in
     * all filters that are about half full.
     */
    public static boolean isWorthPairs(long bits, long keys, int probes) {
        return bits >= LEAST_PAIRED_BITS && pairedFpp(bits, keys, probes) <= RATE_FOR_PAIRS * fpp(bits, keys, probes);
    }

    /** As many pairs as few probes take: a pair's second probe costs next to nothing. */
    private static int fewPairedProbes(double fpp) {
        int few = fewProbes(fpp);
        boolean oneMore = (few & 1) != 0 && few < MAX_PROBES && bitsPerKey(fpp, few + 1) < bitsPerKey(fpp, few);
        return oneMore ? few + 1 : few;
    }

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

    /** The bits with which that many probes in pairs give that rate for that many keys. */
    public static long pairedBits(long keys, double fpp, int probes) {
        // The two rates differ by a factor that depends little on the size: ask for as much less.
        double asked = fpp;
        for (int i = 0; i < PAIRED_STEPS; i++) {
            asked *= fpp / pairedFpp(bits(keys, asked, probes), keys, probes);
        }
        return bits(keys, asked, probes);
    }

    /** The false-positive rate that is expected where probes go in pairs. */
    public static double pairedFpp(long bits, long keys, int probes) {
        double size = Math.max(bits, LINE_BITS);
        double lines = size / LINE_BITS;
        int pairs = probes >>> 1;
        int single = probes & 1;
        double oneMissed = keys * (pairs * Math.log1p(-pairTouches(1) / lines) + single * Math.log1p(-1 / size));
        double twoMissed = keys * (pairs * Math.log1p(-pairTouches(2) / lines) + single * Math.log1p(-2 / size));
        double fill = -Math.expm1(oneMissed);
        double twoSet = fill * fill + Math.exp(2 * oneMissed) * Math.expm1(twoMissed - 2 * oneMissed);
        double pairSet = twoSet + (fill - twoSet) / LINE_BITS;
        return Math.pow(pairSet, pairs) * Math.pow(fill, single);
    }

    /** The chance that a pair in the same line touches at least one of so many given bits. */
    private static double pairTouches(int bits) {
        double missed = 1 - (double) bits / LINE_BITS;
        return 1 - missed * missed;
    }

    /** How many different bits a key touches on average where probes go in pairs: the two of a pair may be one. */
    public static double pairedBitsTouched(int probes) {
        return probes - (probes >>> 1) / (double) LINE_BITS;
    }

    /**
     * How many different keys most likely set that many bits. Infinite if all bits are set.
     *
     * @param touched how many bits a key sets, those counted that are set already
     *
     * <p>S. J. Swamidass, P. Baldi: Mathematical correction for fingerprint similarity measures. J. Chem. Inf. Model.
     * 47(3), 2007.
     */
    public static double keysFromFill(long bits, long setBits, double touched) {
        return Math.log1p(-(double) setBits / bits) / (touched * Math.log1p(-1.0 / bits));
    }
}
