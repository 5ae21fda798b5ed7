package dev.besom.math;

import java.util.List;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;

/**
 * Filters that know the distribution, in numbers: {@code n} keys are drawn with probabilities p, questions with
 * probabilities q, and the rate over the questions shall be {@code fpp}.
 *
 * <pre>
 *   region                  where                            probes k
 *   U0  seldom asked        q &lt;= fpp p                       0: always "maybe"
 *   U1  surely stored       p &gt; 1/n                          0: always "maybe"
 *   U2  rather stored       q &lt;= min(p, fpp / n)             log2(q / (p fpp))
 *   U3  rather asked        q &gt; p, p &lt;= fpp / n              log2(1 / fpp)
 *   U4  likely stored       q &gt; fpp / n, fpp / n &lt; p &lt;= 1/n   log2(1 / (n p))
 * </pre>
 *
 * No filter takes less than LB - 6 n - 1 bits on average, where LB = n times the sum of p k. That is a bound of theory:
 * below six bits a key it says nothing, but LB itself is what filters of this design can be held against.
 *
 * <p>All sums are over classes of keys that are alike.
 *
 * <p>I. O. Bercea, J. B. T. Houen, R. Pagh: Daisy Bloom filters. SWAT 2024. The paper's definition of LB leaves out the
 * factor n, its proofs have it.
 */
public final class DaisyMath {

    /** More probes than this nobody needs: a rate of 5e-20. */
    public static final int MAX_PROBES = 64;

    private static final double LN2 = Math.log(2);
    private static final int BISECTIONS = 60;

    /** How far above the one asked for a rate may be. */
    private static final double TOLERATED = 1.1;

    /** A tenth of the rate in place of the rate is enough: keys that are rather stored than asked then add a tenth. */
    private static final double LEAST_PLANNED = 0.1;

    private static final double PLANNING_STEP = 0.93;

    /** The parts of the universe in which k has one formula. */
    public enum Region {
        U0,
        U1,
        U2,
        U3,
        U4
    }

    private DaisyMath() {}

    public static Region region(KeyClass keys, double n, double fpp) {
        double p = keys.insertProbability();
        double q = keys.queryProbability();
        if (q <= fpp * p) {
            return Region.U0;
        }
        if (p > 1 / n) {
            return Region.U1;
        }
        if (q <= Math.min(p, fpp / n)) {
            return Region.U2;
        }
        return p <= fpp / n ? Region.U3 : Region.U4;
    }

    /** How many bits of information a key of the class deserves, k: from 0 to log2(1 / fpp). */
    public static double probes(KeyClass keys, double n, double fpp) {
        double p = keys.insertProbability();
        double q = keys.queryProbability();
        return switch (region(keys, n, fpp)) {
            case U0, U1 -> 0;
            case U2 -> log2(q / p / fpp);
            case U3 -> log2(1 / fpp);
            case U4 -> log2(1 / (n * p));
        };
    }

    /** How many places a key of the class is hashed to: k rounded up. */
    public static int wholeProbes(KeyClass keys, double n, double fpp) {
        // An error in the last digits of the logarithm must not cost a probe.
        return (int) Math.max(0, Math.ceil(probes(keys, n, fpp) - 1e-9));
    }

    public static int[] wholeProbes(List<KeyClass> classes, double n, double fpp) {
        return classes.stream().mapToInt(keys -> wholeProbes(keys, n, fpp)).toArray();
    }

    /**
     * How many places keys of each class are hashed to so that the rate is at most a tenth above the one asked for. The
     * paper's k keeps the rate to within a constant; where questions and inserts are of quite different keys it can come
     * out twice as high. Then k is that of a lower rate, but never more than log2(1 / fpp) rounded up. What no k can mend
     * is left.
     */
    public static int[] plannedProbes(List<KeyClass> classes, double n, double fpp) {
        int most = (int) Math.ceil(log2(1 / fpp) - 1e-9);
        for (double planned = fpp; planned >= LEAST_PLANNED * fpp; planned *= PLANNING_STEP) {
            int[] probes = wholeProbes(classes, n, planned);
            for (int i = 0; i < probes.length; i++) {
                probes[i] = Math.min(most, probes[i]);
            }
            if (rate(classes, n, probes, 0.5) <= TOLERATED * fpp) {
                return probes;
            }
        }
        return wholeProbes(classes, n, fpp);
    }

    /** LB in bits: n times the sum of p k. */
    public static double lowerBound(List<KeyClass> classes, double n, double fpp) {
        double sum = 0;
        for (KeyClass keys : classes) {
            sum += keys.insertShare() * probes(keys, n, fpp);
        }
        return n * sum;
    }

    /** The paper's size of a Daisy Bloom filter, LB / ln 2: half of its bits are set if each key sets just k. */
    public static double formulaBits(List<KeyClass> classes, double n, double fpp) {
        return lowerBound(classes, n, fpp) / LN2;
    }

    /**
     * The size for keys that set k rounded up, {@link #plannedProbes}. Draws repeat, and only the first one of a key sets
     * bits. Half of the bits are set in a filter of what the expected number of distinct keys sets, over ln 2. If the rate
     * is below the one asked for then, the filter is made smaller until it is not, or until a key's chance of a false
     * positive is twice 2^-k, the most that the paper's proof allows it.
     */
    public static double bits(List<KeyClass> classes, double n, double fpp) {
        int[] probes = plannedProbes(classes, n, fpp);
        double set = 0;
        for (int i = 0; i < probes.length; i++) {
            set += probes[i] * distinctKeys(classes.get(i), n);
        }
        return set / -Math.log1p(-fill(classes, n, probes, fpp));
    }

    /** How many different keys of a class are expected among n draws. */
    public static double distinctKeys(KeyClass keys, double n) {
        double draws = n * keys.insertShare();
        double drawsOfOne = n * keys.insertProbability();
        return drawsOfOne == 0 ? draws : draws * -Math.expm1(-drawsOfOne) / drawsOfOne;
    }

    /** The highest fill, from one half on, with which the rate is at most the one asked for. */
    private static double fill(List<KeyClass> classes, double n, int[] probes, double fpp) {
        double low = 0.5;
        double high = Math.min(0.75, 0.5 * Math.pow(2, 1 / Math.max(1, log2(1 / fpp))));
        if (rate(classes, n, probes, high) <= fpp) {
            return high;
        }
        if (rate(classes, n, probes, low) >= fpp) {
            return low;
        }
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (low + high) / 2;
            if (rate(classes, n, probes, middle) <= fpp) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * The part of all questions that a filter with that part of its bits set answers "maybe" though their key is not among
     * n draws: it is not with a chance of e^-np.
     */
    public static double rate(List<KeyClass> classes, double n, int[] probes, double fill) {
        return rate(classes, n, keyClass -> Math.pow(fill, probes[keyClass]));
    }

    /** The same of a filter that answers "maybe" with that chance for a key of each class that is not stored. */
    public static double rate(List<KeyClass> classes, double n, IntToDoubleFunction rateOfClass) {
        double rate = 0;
        double asked = 0;
        for (int i = 0; i < classes.size(); i++) {
            double share = classes.get(i).queryShare();
            rate += share * absence(classes.get(i), n) * rateOfClass.applyAsDouble(i);
            asked += share;
        }
        return asked == 0 ? 0 : rate / asked;
    }

    /** The chance that one given key of a class is not among n draws. */
    private static double absence(KeyClass keys, double n) {
        return Math.exp(-n * keys.insertProbability());
    }

    /**
     * The condition under which the paper promises its rate: n times the sum of p q is at most the rate. It says that
     * questions rarely hit keys that are likely stored; with uniform p and q over u keys it says n / u &lt;= fpp.
     */
    public static Condition condition(List<KeyClass> classes, double n, double fpp) {
        double overlap = 0;
        for (KeyClass keys : classes) {
            overlap += keys.insertShare() * keys.queryProbability();
        }
        return new Condition(n * overlap, fpp, rate(classes, n, plannedProbes(classes, n, fpp), 0.5));
    }

    /**
     * How the condition stands.
     *
     * @param overlap n times the sum of p q
     * @param fpp the rate asked for
     * @param rate the rate that k gives over all questions
     */
    public record Condition(double overlap, double fpp, double rate) {

        public boolean holds() {
            return overlap <= fpp * (1 + 1e-9);
        }

        /** What the paper's proof allows the rate of a Daisy Bloom filter to be: 6 fpp where the condition holds. */
        public double bound() {
            return Math.min(1, 4 * fpp + 2 * overlap);
        }

        /** One sentence for people, empty where the condition holds. */
        public String warning() {
            if (holds()) {
                return "";
            }
            return String.format(
                    Locale.ROOT,
                    "n * sum(p q) is %.3g, above the rate %.3g: questions often hit keys that are likely stored;"
                            + " the rate becomes about %.3g and is promised only below %.3g",
                    overlap,
                    fpp,
                    rate,
                    bound());
        }
    }

    private static double log2(double x) {
        return Math.log(x) / LN2;
    }
}
