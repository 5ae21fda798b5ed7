package dev.besom.testkit;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Assertions on counts of random events, with a stated chance of a false alarm.
 *
 * <p><b>The budget.</b> One assertion fails without cause with a probability of at most {@link #FALSE_ALARM}, 5e-11. One
 * run of one module's tests makes at most {@link #MOST_ASSERTIONS}, 4,000, of them (one more is refused), and fewer than five modules
 * make any: the whole suite raises a false alarm with a probability below 5 * 4,000 * 5e-11 = 1e-6. Plain runs use
 * literal seeds: they come out the same each time, and the chance applies once, when the code under test changes.
 *
 * <p>The price of the budget is about 6.5 standard deviations: with 2,000 expected events an error of 15 % in the
 * rate is seen.
 */
public final class Rates {

    /** The chance that one assertion fails though the rate is as predicted. */
    public static final double FALSE_ALARM = 5e-11;

    /** How many assertions one test run may make; beyond it the suite's stated chance of a false alarm is wrong. */
    public static final int MOST_ASSERTIONS = 4_000;

    private static final AtomicInteger ASSERTIONS = new AtomicInteger();

    private Rates() {}

    /** The count is inside the exact interval around the predicted rate: neither too many nor too few. */
    public static void assertRate(long seed, long observed, long trials, double predicted) {
        assertRate(seed, observed, trials, predicted, 0);
    }

    /**
     * The same for a prediction that is itself uncertain.
     *
     * @param slack how far the prediction may be off, as a part of itself; 0.01 for one percent
     */
    public static void assertRate(long seed, long observed, long trials, double predicted, double slack) {
        spend();
        long least = Binomial.interval(trials, Math.max(0, predicted * (1 - slack)), FALSE_ALARM / 2)
                .least();
        long most = Binomial.interval(trials, Math.min(1, predicted * (1 + slack)), FALSE_ALARM / 2)
                .most();
        if (!new Binomial.Interval(least, most).contains(observed)) {
            throw new AssertionError(message(seed, observed, trials, predicted, least, most));
        }
    }

    /** The count is not above the exact interval around the rate. */
    public static void assertRateAtMost(long seed, long observed, long trials, double bound) {
        spend();
        long most = Binomial.interval(trials, Math.min(1, bound), FALSE_ALARM).most();
        if (observed > most) {
            throw new AssertionError(message(seed, observed, trials, bound, 0, most));
        }
    }

    private static void spend() {
        if (ASSERTIONS.incrementAndGet() > MOST_ASSERTIONS) {
            throw new IllegalStateException("more than " + MOST_ASSERTIONS
                    + " rates asserted in one run: the stated chance of a false alarm does not hold");
        }
    }

    private static String message(long seed, long observed, long trials, double predicted, long least, long most) {
        return "seed %d: %d of %d events, where a rate of %.6g allows %d to %d (chance of a false alarm %.0e)"
                .formatted(seed, observed, trials, predicted, least, most, FALSE_ALARM);
    }
}
