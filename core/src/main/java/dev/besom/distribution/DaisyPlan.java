package dev.besom.distribution;

import java.util.Arrays;
import java.util.List;

/**
 * How many places keys of each class have in a Daisy Bloom filter, and how many bits it has.
 *
 * <p>The paper's k keep the rate to within a constant. Where queries and inserts are of quite different keys it comes out
 * up to twice as high as asked for, and where draws repeat it comes out lower. So the size is that with which the rate is
 * the one asked for, and k is the paper's for that rate or for a lower one, whichever needs fewer bits. No key has more than
 * log2(1 / fpp) places, rounded up, in any case.
 *
 * @param probes by class
 * @param fill the part of the bits that are expected to be set
 * @param bits the size; 0 if no key needs any
 */
public record DaisyPlan(List<Integer> probes, double fill, double bits) {

    /** What the paper's proof has, give or take. */
    private static final double HALF = 0.5;

    /** With fewer bits set than this, the same rate takes less space with more places a key. */
    private static final double LEAST_FILL = 0.4;

    /** A tenth of the rate in place of the rate is enough: keys that are rather stored than queried then add a tenth. */
    private static final double LEAST_PLANNED = 0.1;

    private static final double PLANNING_STEP = 0.93;
    private static final int BISECTIONS = 40;

    /** The smallest one that keeps the rate. Where none does, the paper's k with half of the bits set. */
    public static DaisyPlan of(List<KeyClass> classes, double n, double fpp) {
        int most = DaisyMath.mostProbes(fpp);
        // A key's chance of a false positive is then twice 2^-k, the most that the paper's proof allows it.
        double mostFill = Math.min(0.75, HALF * Math.pow(2, 1 / Math.max(1, Math.log(1 / fpp) / Math.log(2))));
        int[] best = DaisyMath.wholeProbes(classes, n, fpp);
        double bestFill = HALF;
        double bestBits = Double.POSITIVE_INFINITY;
        for (double planned = fpp; planned >= LEAST_PLANNED * fpp; planned *= PLANNING_STEP) {
            int[] probes = Arrays.stream(DaisyMath.wholeProbes(classes, n, planned))
                    .map(k -> Math.min(most, k))
                    .toArray();
            double set = set(classes, n, probes);
            if (set / emptied(mostFill) < bestBits && DaisyMath.rate(classes, n, probes, LEAST_FILL) <= fpp) {
                double fill = highestFill(classes, n, probes, fpp, mostFill);
                if (set / emptied(fill) < bestBits) {
                    best = probes;
                    bestFill = fill;
                    bestBits = set / emptied(fill);
                }
            }
        }
        return new DaisyPlan(Arrays.stream(best).boxed().toList(), bestFill, set(classes, n, best) / emptied(bestFill));
    }

    /** The paper's k and its size LB / ln 2, which is too small for k rounded up. */
    public static DaisyPlan byFormula(List<KeyClass> classes, double n, double fpp) {
        int[] probes = DaisyMath.wholeProbes(classes, n, fpp);
        double bits = DaisyMath.formulaBits(classes, n, fpp);
        double set = set(classes, n, probes);
        return new DaisyPlan(Arrays.stream(probes).boxed().toList(), set == 0 ? 0 : -Math.expm1(-set / bits), bits);
    }

    /** How often bits are set, again and again perhaps. Draws repeat, and only the first one of a key counts. */
    private static double set(List<KeyClass> classes, double n, int[] probes) {
        double set = 0;
        for (int i = 0; i < probes.length; i++) {
            set += probes[i] * DaisyMath.distinctKeys(classes.get(i), n);
        }
        return set;
    }

    /** How often bits are set, over all of them, if that part of them is set in the end. */
    private static double emptied(double fill) {
        return -Math.log1p(-fill);
    }

    /** The highest fill with which the rate is at most the one asked for. */
    private static double highestFill(List<KeyClass> classes, double n, int[] probes, double fpp, double most) {
        if (DaisyMath.rate(classes, n, probes, most) <= fpp) {
            return most;
        }
        double low = LEAST_FILL;
        double high = most;
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (low + high) / 2;
            if (DaisyMath.rate(classes, n, probes, middle) <= fpp) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The part of all queries that are answered wrongly. */
    public double rate(List<KeyClass> classes, double n) {
        return DaisyMath.rate(classes, n, keyClass -> Math.pow(fill, probes.get(keyClass)));
    }

    /** The same by class, as numbers that are not objects. */
    public int[] probesOfClasses() {
        return probes.stream().mapToInt(Integer::intValue).toArray();
    }
}
