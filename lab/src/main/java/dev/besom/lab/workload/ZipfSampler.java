package dev.besom.lab.workload;

import java.util.SplittableRandom;

/**
 * Draws ranks from Zipf's law: rank {@code k} of {@code 1..count} with a chance proportional to
 * {@code k^-exponent}, exactly, for any exponent from 0 on.
 *
 * <p>Inverts the integral of {@code x^-exponent} instead of the sum, and rejects the few draws for which the two
 * differ: no table, constant time whatever the count. About one draw in ten is rejected at worst.
 *
 * <p>W. Hörmann, G. Derflinger: Rejection-inversion to generate variates from monotone discrete distributions. ACM
 * Transactions on Modeling and Computer Simulation 6(3), 1996.
 */
public final class ZipfSampler {

    private final double exponent;
    private final long count;
    private final double integralAtFirst;
    private final double integralAtLast;

    /** A rank this close below its point of the curve is accepted without computing anything. */
    private final double sureDistance;

    public ZipfSampler(double exponent, long count) {
        if (!(exponent >= 0)) {
            throw new IllegalArgumentException("Zipf's exponent must not be negative, but is " + exponent);
        }
        if (count < 1) {
            throw new IllegalArgumentException("a Zipf law needs at least 1 key, not " + count);
        }
        this.exponent = exponent;
        this.count = count;
        this.integralAtFirst = integral(1.5) - 1;
        this.integralAtLast = integral(count + 0.5);
        this.sureDistance = 2 - inverse(integral(2.5) - density(2));
    }

    /** A rank from 1 to the count. */
    public long sample(SplittableRandom random) {
        while (true) {
            double u = integralAtLast + random.nextDouble() * (integralAtFirst - integralAtLast);
            double x = inverse(u);
            long rank = Math.max(1, Math.min(count, (long) (x + 0.5)));
            if (rank - x <= sureDistance || u >= integral(rank + 0.5) - density((double) rank)) {
                return rank;
            }
        }
    }

    private double density(double x) {
        return Math.exp(-exponent * Math.log(x));
    }

    /** The integral of the density from 1 to x: {@code (x^(1-s) - 1) / (1-s)}, and {@code log x} where s is 1. */
    private double integral(double x) {
        double logX = Math.log(x);
        return expm1Ratio((1 - exponent) * logX) * logX;
    }

    private double inverse(double y) {
        double t = Math.max(-1, y * (1 - exponent));
        return Math.exp(log1pRatio(t) * y);
    }

    /** {@code (e^x - 1) / x}, which is 1 at 0. */
    private static double expm1Ratio(double x) {
        return Math.abs(x) > 1e-8 ? Math.expm1(x) / x : 1 + x / 2;
    }

    /** {@code log(1 + x) / x}, which is 1 at 0. */
    private static double log1pRatio(double x) {
        return Math.abs(x) > 1e-8 ? Math.log1p(x) / x : 1 - x / 2;
    }
}
