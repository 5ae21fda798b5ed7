package dev.besom.bloom;

/**
 * Variable-increment counting Bloom filters in numbers. Each key adds to k of m counters a number from L to 2 L - 1 that it
 * draws anew for each. A counter c may hold an increment v only if c = v or c - v is at least L, the least that others add.
 * So a counter that one other key has added to lets a fresh query pass only with probability 1 / L; one that two have
 * added to, sometimes; one with more, always.
 *
 * <p>O. Rottenstreich, Y. Kanizo, I. Keslassy: The variable-increment counting Bloom filter. INFOCOM 2012.
 */
public final class VariableIncrementMath {

    /** The least increment, L in the paper; the largest is one less than twice it. */
    public static final int LEAST = 4;

    /** The widest choice of probes: enough for a rate of 1e-10. */
    public static final int MAX_PROBES = 24;

    private static final double TWO_PASS = chanceThatTwoPass();

    private static final double TOLERANCE = 1e-9;

    private VariableIncrementMath() {}

    /** Whether a counter may hold an increment. */
    public static boolean mayHold(long counter, long increment) {
        return counter == increment || counter - increment >= LEAST;
    }

    private static double chanceThatTwoPass() {
        int passes = 0;
        for (int one = LEAST; one < 2 * LEAST; one++) {
            for (int other = LEAST; other < 2 * LEAST; other++) {
                for (int queried = LEAST; queried < 2 * LEAST; queried++) {
                    passes += mayHold(one + other, queried) ? 1 : 0;
                }
            }
        }
        return passes / (double) (LEAST * LEAST * LEAST);
    }

    /**
     * The chance that a counter lets a fresh query pass.
     *
     * @param additions to a counter, on average
     */
    public static double pass(double additions) {
        double none = Math.exp(-additions);
        double one = additions * none;
        double two = additions * one / 2;
        return one / LEAST + two * TWO_PASS + Math.max(0, 1 - none - one - two);
    }

    /** The rate of a filter with so many counters a key. */
    public static double fpp(double countersPerKey, int probes) {
        return Math.pow(pass(probes / countersPerKey), probes);
    }

    /** The fewest counters a key with which so many probes keep the rate. */
    public static double countersPerKey(double fpp, int probes) {
        double low = 1e-9;
        double high = 1e9;
        while (high / low > 1 + TOLERANCE) {
            double middle = Math.sqrt(low * high);
            if (fpp(middle, probes) > fpp) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** The number of probes with which a filter of that rate is smallest. */
    public static int bestProbes(double fpp) {
        int best = 1;
        for (int probes = 2; probes <= MAX_PROBES; probes++) {
            if (countersPerKey(fpp, probes) < countersPerKey(fpp, best)) {
                best = probes;
            }
        }
        return best;
    }
}
