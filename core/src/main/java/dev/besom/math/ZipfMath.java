package dev.besom.math;

import java.util.function.DoubleUnaryOperator;

/**
 * Zipf's law in numbers: of {@code keys} keys the one of rank r is drawn with a probability in proportion to r^-exponent;
 * with exponent 0 all alike.
 *
 * <p>The first ranks are summed one by one, the others in buckets that grow by a twentieth, each with the value in its
 * middle: within a thousandth of the exact sums for exponents up to 4, and a few hundred steps for any number of keys.
 */
public final class ZipfMath {

    private static final double EXACT_RANKS = 256;
    private static final double BUCKET_GROWTH = 1.05;

    private ZipfMath() {}

    /** How many different keys are expected among so many draws. */
    public static double distinct(double keys, double exponent, double draws) {
        if (!(keys >= 1) || !(draws > 0)) {
            return 0;
        }
        double total = sum(keys, rank -> Math.pow(rank, -exponent));
        return sum(keys, rank -> -Math.expm1(draws * Math.log1p(-Math.min(1, Math.pow(rank, -exponent) / total))));
    }

    private static double sum(double keys, DoubleUnaryOperator ofRank) {
        double sum = 0;
        double rank = 1;
        while (rank <= keys) {
            double next = rank < EXACT_RANKS ? rank + 1 : Math.min(keys + 1, Math.floor(rank * BUCKET_GROWTH));
            sum += (next - rank) * ofRank.applyAsDouble((rank + next - 1) / 2);
            rank = next;
        }
        return sum;
    }
}
