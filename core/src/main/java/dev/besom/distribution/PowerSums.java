package dev.besom.distribution;

/** Sums of r^-s over ranges of ranks, as Zipf's law has them; the same to the last digit on every machine. */
final class PowerSums {

    /** Below this rank weights are added one by one; above it an integral is right to nine digits. */
    private static final long SUMMED_RANKS = 2_000;

    private PowerSums() {}

    /** The sum of r^-exponent over the ranks from {@code first} to {@code last}, both included. */
    public static double sum(long first, long last, double exponent) {
        double sum = 0;
        long rank = first;
        for (; rank <= last && rank < SUMMED_RANKS; rank++) {
            sum += StrictMath.pow((double) rank, -exponent);
        }
        if (rank > last) {
            return sum;
        }
        return sum + integral(last + 0.5, exponent) - integral(rank - 0.5, exponent);
    }

    /** The integral of x^-exponent from 1 to x. */
    private static double integral(double x, double exponent) {
        double slope = 1 - exponent;
        double log = StrictMath.log(x);
        return Math.abs(slope) < 1e-12 ? log : StrictMath.expm1(slope * log) / slope;
    }
}
