package dev.besom.compact;

/**
 * d-left tables in numbers: with n keys in four tables of B buckets each, a fresh query has the bucket and the
 * fingerprint of one of them with probability 1 - exp(-n / (B R)), for R different fingerprints.
 *
 * <p>F. Bonomi, M. Mitzenmacher, R. Panigrahy, S. Singh, G. Varghese: An improved construction for counting Bloom filters.
 * ESA 2006.
 */
public final class DLeftMath {

    /** Tables, and buckets of a key. */
    public static final int TABLES = 4;

    /** Cells of a bucket. */
    public static final int CELLS = 8;

    /** Keys of a bucket: with this many, a bucket is practically never to take a ninth. */
    public static final double USUAL_LOAD = 6;

    /** The widest fingerprint. */
    public static final int WIDEST = 31;

    private DLeftMath() {}

    /** The rate of a table with that many keys a bucket. */
    public static double fpp(double load, int fingerprintBits) {
        return -Math.expm1(-TABLES * load / (Math.scalb(1.0, fingerprintBits) - 1));
    }

    /** The fewest bits with which a table keeps the rate; one of its fingerprints stands for free cells. */
    public static int fingerprintBits(double load, double fpp) {
        double different = TABLES * load / -Math.log1p(-fpp);
        return Math.max(1, (int) Math.ceil(Math.log(different + 1) / Math.log(2)));
    }

    /** The bits a key that the rate takes, if fingerprints could have any width, with so many bits of counter. */
    public static double bitsPerKey(double load, double fpp, int counterBits) {
        double bits = Math.log(TABLES * load / -Math.log1p(-fpp) + 1) / Math.log(2);
        return CELLS * (bits + counterBits) / load;
    }
}
