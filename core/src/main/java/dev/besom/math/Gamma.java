package dev.besom.math;

/** Logarithms of factorials and binomial coefficients. */
public final class Gamma {

    private static final double HALF_LOG_2_PI = 0.5 * Math.log(2 * Math.PI);

    /** Exact sums of logarithms, where Stirling's series is not good to the last digits. */
    private static final double[] SMALL = new double[256];

    static {
        for (int i = 2; i < SMALL.length; i++) {
            SMALL[i] = SMALL[i - 1] + Math.log(i);
        }
    }

    private Gamma() {}

    /** The natural logarithm of n!. */
    public static double logFactorial(long n) {
        if (n < SMALL.length) {
            return SMALL[(int) n];
        }
        double x = n;
        double square = x * x;
        return (x + 0.5) * Math.log(x) - x + HALF_LOG_2_PI + (1 - 1 / (30 * square)) / (12 * x);
    }

    /** The natural logarithm of the number of ways to choose k out of n. */
    public static double logChoose(long n, long k) {
        return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
    }
}
