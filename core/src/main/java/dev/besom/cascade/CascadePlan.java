package dev.besom.cascade;

import dev.besom.FilterSpec;
import java.util.Arrays;

/**
 * How many levels a cascade has, their rates, and for how many keys each is planned.
 *
 * <pre>
 *   level          0          1              2                 ...   d
 *   keys           n          moved * n      rate 1 * keys 1   ...   fewer than n / (3 log n): whole hashes
 *   rate           fpp        by the rule    by the rule
 * </pre>
 *
 * The paper plans n queries, of which fpp * n are false positives, and as many keys for level 1. Here it is a share of the
 * keys, by default 1/64 where fpp is less. When a level has more keys than planned all hash functions change; a larger
 * share makes that rarer. From level 1 on, a query is repeated that level i - 1 knows of, so that fewer keys
 * follow: the mean, six deviations more, and a few.
 */
final class CascadePlan {

    static final String MOVED = "moved";
    static final String MOVED_MEANING =
            "the part of the keys that level 1 is planned for, 0.0001 to 1; more makes changes of all hash functions rarer;"
                    + " default 1/64 or the rate, whichever is more";

    static final double LEAST_MOVED = 0.0001;

    /** More keys than any array has room for; sizes of plans for more would not fit into a number. */
    static final long MOST_KEYS = 1L << 40;

    private static final double USUAL_MOVED = 1 / 64.0;
    private static final double DEVIATIONS = 6;
    private static final long ALLOWANCE = 8;

    /** A table of whole hashes for so few keys is small beside anything else. */
    private static final long FEW_KEYS = 64;

    /** Beyond it no filter stores a fingerprint of fewer bits than a hash. */
    private static final double LEAST_RATE = 0x1p-30;

    /** Only rates near 1 would have more. */
    private static final int MOST_LEVELS = 8;

    /** How the rate of a level follows from those before. */
    enum Rule {
        /** Each level's rate is the square of the one before: log log n levels. */
        SQUARES {
            @Override
            double next(double fpp, double rate, int level) {
                return rate * rate;
            }
        },
        /** fpp, fpp^(1 / sqrt(fpp)), then fpp^(1 / rate before): log* n levels. */
        LOG_STAR {
            @Override
            double next(double fpp, double rate, int level) {
                return Math.pow(fpp, 1 / (level == 1 ? Math.sqrt(rate) : rate));
            }
        };

        /** The rate of a level from 1 on, where the one before has that rate. */
        abstract double next(double fpp, double rate, int level);
    }

    private final double[] rates;
    private final long[] keys;

    private CascadePlan(double[] rates, long[] keys) {
        this.rates = rates;
        this.keys = keys;
    }

    static double moved(FilterSpec spec) {
        return spec.option(MOVED, Math.max(USUAL_MOVED, spec.fpp()), LEAST_MOVED, 1);
    }

    static CascadePlan of(long capacity, double fpp, double moved, Rule rule) {
        if (capacity > MOST_KEYS) {
            throw new IllegalArgumentException("no cascade holds " + capacity + " keys");
        }
        double[] rates = new double[MOST_LEVELS];
        long[] keys = new long[MOST_LEVELS + 1];
        double few = Math.max(FEW_KEYS, capacity / (3 * Math.log((double) capacity) / Math.log(2)));
        double mean = moved * capacity;
        double rate = fpp;
        int levels = 0;
        keys[0] = capacity;
        do {
            rates[levels++] = rate;
            double spread = levels == 1 ? 0 : DEVIATIONS * Math.sqrt(mean);
            keys[levels] = (long) Math.ceil(mean + spread) + ALLOWANCE;
            rate = rule.next(fpp, rate, levels);
            mean = rate * keys[levels];
        } while (keys[levels] > few && rate >= LEAST_RATE && levels < MOST_LEVELS);
        return new CascadePlan(Arrays.copyOf(rates, levels), Arrays.copyOf(keys, levels + 1));
    }

    /** The levels that are filters; one more holds whole hashes. */
    int levels() {
        return rates.length;
    }

    double rate(int level) {
        return rates[level];
    }

    /** How many may be dead of a level: a quarter more than keys that have moved, as some were deleted since. */
    long dead(int level) {
        return keys(level + 1) + keys(level + 1) / 4;
    }

    /** The keys that a level is planned for; the table of whole hashes is the level after the last filter. */
    long keys(int level) {
        return keys[Math.min(level, keys.length - 1)];
    }
}
