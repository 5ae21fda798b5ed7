package dev.besom.distribution;

import java.util.List;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;

/**
 * Filters that know the distribution, in numbers: {@code n} keys are drawn with probabilities p, queries with
 * probabilities q, and the rate over the queries shall be {@code fpp}.
 *
 * <pre>
 *   region                  where                            probes k
 *   U0  seldom queried      q &lt;= fpp p                       0: always "maybe"
 *   U1  surely stored       p &gt; 1/n                          0: always "maybe"
 *   U2  rather stored       q &lt;= min(p, fpp / n)             log2(q / (p fpp))
 *   U3  rather queried      q &gt; p, p &lt;= fpp / n              log2(1 / fpp)
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

    /** The parts of the universe in which k has one formula. */
    public enum Region {
        /** Seldom queried. */
        U0,
        /** Surely stored. */
        U1,
        /** Rather stored. */
        U2,
        /** Rather queried. */
        U3,
        /** Likely stored. */
        U4
    }

    private DaisyMath() {}

    /** The region of a class of keys. */
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

    /** The same of each class. */
    public static int[] wholeProbes(List<KeyClass> classes, double n, double fpp) {
        return classes.stream().mapToInt(keys -> wholeProbes(keys, n, fpp)).toArray();
    }

    /** The most places that any key is hashed to: log2(1 / fpp) rounded up. */
    public static int mostProbes(double fpp) {
        return (int) Math.ceil(log2(1 / fpp) - 1e-9);
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

    /** How many different keys of a class are expected among n draws. */
    public static double distinctKeys(KeyClass keys, double n) {
        double draws = n * keys.insertShare();
        double drawsOfOne = n * keys.insertProbability();
        return drawsOfOne == 0 ? draws : draws * -Math.expm1(-drawsOfOne) / drawsOfOne;
    }

    /**
     * The part of all queries that a filter with that part of its bits set answers "maybe" though their key is not among
     * n draws: it is not with a chance of e^-np.
     */
    public static double rate(List<KeyClass> classes, double n, int[] probes, double fill) {
        return rate(classes, n, keyClass -> Math.pow(fill, probes[keyClass]));
    }

    /** The same of a filter that answers "maybe" with that chance for a key of each class that is not stored. */
    public static double rate(List<KeyClass> classes, double n, IntToDoubleFunction rateOfClass) {
        double rate = 0;
        double queried = 0;
        for (int i = 0; i < classes.size(); i++) {
            double share = classes.get(i).queryShare();
            rate += share * absence(classes.get(i), n) * rateOfClass.applyAsDouble(i);
            queried += share;
        }
        return queried == 0 ? 0 : rate / queried;
    }

    /** The chance that one given key of a class is not among n draws. */
    private static double absence(KeyClass keys, double n) {
        return Math.exp(-n * keys.insertProbability());
    }

    /**
     * The condition under which the paper promises its rate: n times the sum of p q is at most the rate. It says that
     * queries rarely hit keys that are likely stored; with uniform p and q over u keys it says n / u &lt;= fpp.
     */
    public static Condition condition(List<KeyClass> classes, double n, double fpp) {
        return condition(classes, n, fpp, DaisyPlan.of(classes, n, fpp));
    }

    /** The same of a filter with a plan of its own. */
    public static Condition condition(List<KeyClass> classes, double n, double fpp, DaisyPlan plan) {
        double overlap = 0;
        for (KeyClass keys : classes) {
            overlap += keys.insertShare() * keys.queryProbability();
        }
        return new Condition(n * overlap, fpp, plan.rate(classes, n));
    }

    /**
     * How the condition stands.
     *
     * @param overlap n times the sum of p q
     * @param fpp the rate asked for
     * @param rate the rate of a filter as it is planned
     */
    public record Condition(double overlap, double fpp, double rate) {

        /** Whether the overlap is at most the rate. */
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
                    "n * sum(p q) is %.3g, above the rate %.3g: queries often hit keys that are likely stored;"
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
