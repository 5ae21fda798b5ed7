package dev.besom.daisy;

import dev.besom.distribution.DaisyMath;
import dev.besom.distribution.KeyClass;
import java.util.List;

/**
 * The weighted Bloom filter in numbers. Of all choices of real k with a given sum over the keys, k = log2(q / p) + c gives
 * the least rate; with c = log2(1 / fpp) the rate is fpp. Nothing keeps k from being negative there, and a negative k
 * counts against the others: the size n / ln 2 times the sum of p k is then too small for the keys that are really set,
 * whose k is rounded up to 0. One class that is very seldom queried is enough to make the filter all ones.
 *
 * <p>J. Bruck, J. Gao, A. Jiang: Weighted Bloom filter. ISIT 2006.
 */
public final class WeightedBloomMath {

    private static final double LN2 = Math.log(2);

    private WeightedBloomMath() {}

    /** The unconstrained optimum; can be far below 0. */
    public static double probes(KeyClass keys, double fpp) {
        double q = Math.max(keys.queryProbability(), Double.MIN_VALUE);
        double p = Math.max(keys.insertProbability(), Double.MIN_VALUE);
        return (Math.log(q) - Math.log(p) - Math.log(fpp)) / LN2;
    }

    /** The optimum rounded to a number of probes that can be. */
    public static int wholeProbes(KeyClass keys, double fpp) {
        return (int) Math.max(0, Math.min(DaisyMath.MAX_PROBES, Math.round(probes(keys, fpp))));
    }

    /** The same of each class. */
    public static int[] wholeProbes(List<KeyClass> classes, double fpp) {
        return classes.stream().mapToInt(keys -> wholeProbes(keys, fpp)).toArray();
    }

    /** The size that the optimum asks for; negative k make it smaller, even negative. */
    public static double bits(List<KeyClass> classes, double n, double fpp) {
        double sum = 0;
        for (KeyClass keys : classes) {
            if (keys.insertShare() > 0) {
                sum += keys.insertShare() * Math.min(DaisyMath.MAX_PROBES, probes(keys, fpp));
            }
        }
        return n * sum / LN2;
    }
}
