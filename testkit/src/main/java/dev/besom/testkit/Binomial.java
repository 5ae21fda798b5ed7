package dev.besom.testkit;

/**
 * Exact probabilities of the binomial distribution, for counts up to billions.
 *
 * <p>A probability is computed from Stirling's formula with its error term, so that no two large numbers are ever
 * subtracted; a tail is summed term by term from its thick end until nothing is added any more. A tail costs a few
 * times the standard deviation in steps.
 *
 * <p>C. Loader: Fast and accurate computation of binomial probabilities. 2000.
 */
public final class Binomial {

    private static final double HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);

    /** From here on the series of the Stirling error is exact to the last bit or so. */
    private static final int SERIES_FROM = 16;

    private Binomial() {}

    /**
     * The counts that are not surprising.
     *
     * @param least the smallest of them
     * @param most the largest of them
     */
    public record Interval(long least, long most) {

        /** Whether a count is no surprise. */
        public boolean contains(long count) {
            return least <= count && count <= most;
        }
    }

    /**
     * The shortest range of counts which the number of successes in {@code trials} leaves with a probability of at most
     * {@code tail} on each side.
     */
    public static Interval interval(long trials, double probability, double tail) {
        check(trials, probability);
        if (!(tail > 0 && tail < 0.5)) {
            throw new IllegalArgumentException("a tail must be above 0 and below 0.5, not " + tail);
        }
        double opposite = 1 - probability;
        return new Interval(
                trials - most(trials, opposite, probability, tail), most(trials, probability, opposite, tail));
    }

    /** The chance of exactly {@code count} successes. */
    public static double probability(long count, long trials, double probability) {
        check(trials, probability);
        return Math.exp(logProbability(count, trials, probability, 1 - probability));
    }

    /** The chance of {@code count} successes or more. */
    public static double atLeast(long count, long trials, double probability) {
        check(trials, probability);
        return upperTail(count, trials, probability, 1 - probability);
    }

    /** The chance of {@code count} successes or fewer. */
    public static double atMost(long count, long trials, double probability) {
        check(trials, probability);
        return upperTail(trials - count, trials, 1 - probability, probability);
    }

    /** The smallest count that is exceeded with a probability of at most {@code tail}. */
    private static long most(long trials, double success, double failure, double tail) {
        long tooFew = -1;
        long enough = trials;
        while (enough - tooFew > 1) {
            long middle = tooFew + (enough - tooFew) / 2;
            if (upperTail(middle + 1, trials, success, failure) <= tail) {
                enough = middle;
            } else {
                tooFew = middle;
            }
        }
        return enough;
    }

    /** The probability of failure comes along, because 1 - success has lost the digits of a tiny one. */
    private static double upperTail(long count, long trials, double success, double failure) {
        if (count <= 0) {
            return 1;
        }
        if (count > trials) {
            return 0;
        }
        if (count <= trials * success) {
            return 1 - upperTail(trials - count + 1, trials, failure, success);
        }
        double term = Math.exp(logProbability(count, trials, success, failure));
        double sum = 0;
        double odds = success / failure;
        for (long k = count; sum + term != sum; k++) {
            sum += term;
            term *= (double) (trials - k) / (k + 1) * odds;
        }
        return sum;
    }

    private static double logProbability(long count, long trials, double success, double failure) {
        if (count < 0 || count > trials) {
            return Double.NEGATIVE_INFINITY;
        }
        if (success == 0 || failure == 0) {
            return count == (success == 0 ? 0 : trials) ? 0 : Double.NEGATIVE_INFINITY;
        }
        if (count == 0) {
            return trials * logOfOpposite(success, failure);
        }
        if (count == trials) {
            return trials * logOfOpposite(failure, success);
        }
        double n = trials;
        double k = count;
        double rest = trials - count;
        return stirlingError(n)
                - stirlingError(k)
                - stirlingError(rest)
                - deviance(k, n * success)
                - deviance(rest, n * failure)
                - HALF_LOG_TWO_PI
                + 0.5 * (Math.log(n) - Math.log(k) - Math.log(rest));
    }

    /** log(opposite), where probability + opposite = 1, from whichever of the two is the small one. */
    private static double logOfOpposite(double probability, double opposite) {
        return probability < 0.5 ? Math.log1p(-probability) : Math.log(opposite);
    }

    /** What a count that is off its mean costs: count * log(count / mean) + mean - count, without the cancellation. */
    private static double deviance(double count, double mean) {
        double off = (count - mean) / mean;
        return mean * ((1 + off) * Math.log1p(off) - off);
    }

    /** log(n!) less Stirling's formula for it. */
    static double stirlingError(double n) {
        if (n < SERIES_FROM) {
            double logFactorial = 0;
            for (int i = 2; i <= n; i++) {
                logFactorial += Math.log(i);
            }
            return n == 0 ? 0 : logFactorial - (n + 0.5) * Math.log(n) + n - HALF_LOG_TWO_PI;
        }
        double inverse = 1 / n;
        double square = inverse * inverse;
        return inverse
                * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square * (1.0 / 1680 - square / 1188))));
    }

    private static void check(long trials, double probability) {
        if (trials < 0 || !(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException(trials + " trials of probability " + probability);
        }
    }
}
