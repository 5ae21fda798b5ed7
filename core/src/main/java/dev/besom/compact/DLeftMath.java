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

    /** More keys than this, expected to find all their buckets full, make a table one that refuses keys. */
    static final double NEGLIGIBLE = 1e-6;

    /** Keys over buckets of a table, in a step of the integration. */
    private static final double STEP = 0.005;

    private DLeftMath() {}

    /**
     * How many keys are expected to find all their buckets full while a table is filled.
     *
     * <p>The fluid limit of d-left hashing: with y(j, i) the part of table j's buckets that have at least i keys, a key goes
     * to table j and makes an i-th one there if its bucket there has i - 1, those to the left at least i and those to
     * the right at least i - 1. It finds no room with probability y(0, 8) y(1, 8) y(2, 8) y(3, 8).
     */
    public static double refusedKeys(double keys, double load) {
        double[][] atLeast = new double[TABLES][CELLS + 1];
        for (double[] table : atLeast) {
            table[0] = 1;
        }
        double refused = 0;
        int steps = (int) Math.ceil(TABLES * load / STEP);
        for (int step = 0; step < steps; step++) {
            double allFull = 1;
            for (double[] table : atLeast) {
                allFull *= table[CELLS];
            }
            refused += STEP * allFull;
            fill(atLeast);
        }
        return refused * keys / (TABLES * load);
    }

    /** A step of the integration. */
    private static void fill(double[][] atLeast) {
        double[][] before = new double[TABLES][];
        for (int table = 0; table < TABLES; table++) {
            before[table] = atLeast[table].clone();
        }
        for (int table = 0; table < TABLES; table++) {
            for (int cell = 1; cell <= CELLS; cell++) {
                double chance = before[table][cell - 1] - before[table][cell];
                for (int other = 0; other < TABLES; other++) {
                    chance *= other == table ? 1 : before[other][other < table ? cell : cell - 1];
                }
                atLeast[table][cell] += STEP * chance;
            }
        }
    }

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
