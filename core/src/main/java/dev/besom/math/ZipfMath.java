package dev.besom.math;

import java.util.function.DoubleUnaryOperator;

/**
 * Skewed traffic in numbers. Under Zipf's law with exponent {@code s} the key of rank {@code k} out of {@code keys} is
 * queried with a chance of {@code k^-s / H}, where {@code H} is the sum of all {@code k^-s}. Exponent 0 is no skew.
 *
 * <p>Sums go over the first ranks one by one and over the rest as an integral, which is good to about six digits.
 */
public final class ZipfMath {

    /** The largest exponent that {@link #exponent} looks for: beyond it nearly all queries are for one key. */
    public static final double MAX_EXPONENT = 5;

    /** Ranks that are summed one by one. */
    private static final int EXACT_RANKS = 1 << 10;

    /** Intervals of the integral on a logarithmic scale; even, for Simpson's rule. */
    private static final int INTERVALS = 1 << 9;

    private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;
    private static final double EXPONENT_TOLERANCE = 1e-4;

    private ZipfMath() {}

    /** The sum of {@code k^-exponent} over the ranks from 1 to {@code keys}. */
    public static double harmonic(double keys, double exponent) {
        return sum(keys, rank -> Math.pow(rank, -exponent));
    }

    /** How many different keys that many queries are expected to be for. */
    public static double expectedDistinct(double keys, double exponent, double queries) {
        if (!(keys >= 1) || !(queries > 0)) {
            return 0;
        }
        double harmonic = harmonic(keys, exponent);
        return Math.min(queries, sum(keys, rank -> -Math.expm1(-queries * Math.pow(rank, -exponent) / harmonic)));
    }

    /** The share of the queries that are for the most frequent key. */
    public static double hottestShare(double keys, double exponent) {
        return 1 / harmonic(keys, exponent);
    }

    /**
     * The exponent under which counts of so many keys, ranked from the most frequent down, are most likely: the maximum
     * of {@code -s sum(count log(rank)) - total log(H)}.
     *
     * @param keys how many keys were counted
     * @param total the sum of their counts
     * @param logRanks the sum of each count times the natural logarithm of its rank
     */
    public static double exponent(double keys, double total, double logRanks) {
        double low = 0;
        double high = MAX_EXPONENT;
        while (high - low > EXPONENT_TOLERANCE) {
            double left = high - GOLDEN * (high - low);
            double right = low + GOLDEN * (high - low);
            if (likelihood(keys, total, logRanks, left) >= likelihood(keys, total, logRanks, right)) {
                high = right;
            } else {
                low = left;
            }
        }
        return (low + high) / 2;
    }

    private static double likelihood(double keys, double total, double logRanks, double exponent) {
        return -exponent * logRanks - total * Math.log(harmonic(keys, exponent));
    }

    /** The sum of a smooth function over the ranks from 1 to {@code keys}. */
    private static double sum(double keys, DoubleUnaryOperator function) {
        double sum = 0;
        int exact = (int) Math.min(keys, EXACT_RANKS);
        for (int rank = exact; rank >= 1; rank--) {
            sum += function.applyAsDouble(rank);
        }
        return keys > EXACT_RANKS ? sum + integral(EXACT_RANKS + 0.5, keys + 0.5, function) : sum;
    }

    /** Simpson's rule over the logarithm of the rank. */
    private static double integral(double from, double to, DoubleUnaryOperator function) {
        double start = Math.log(from);
        double step = (Math.log(to) - start) / INTERVALS;
        double sum = 0;
        for (int i = 0; i <= INTERVALS; i++) {
            double x = Math.exp(start + i * step);
            int weight = i == 0 || i == INTERVALS ? 1 : (i & 1) == 1 ? 4 : 2;
            sum += weight * x * function.applyAsDouble(x);
        }
        return sum * step / 3;
    }
}
