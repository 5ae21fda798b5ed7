package dev.besom.lab.workload;

import dev.besom.hash.Mix;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Firehose's active-set generator: a set of active keys, each of which is asked for a limited number of times, rarely
 * at first, then often, then rarely again, and is then replaced by a new key. The number of different keys grows for
 * ever.
 *
 * <pre>
 *   ring of moments     | . | . | k3 | . | k7 k1 | . | … | . |
 *                             ^ now                          each moment lists the keys that are due then
 *
 *   a key that was asked for is put down again  half a ring x (1 - trend(progress))  moments later
 *   trend(progress)     logistic(x - 2) - logistic(x - 5),  x = 12 progress, scaled to a peak of 1
 *   lifetime (queries)  1 + 65536 (i^e - 65536^e) / (1 - 65536^e),  i uniform in 1..65536
 * </pre>
 *
 * <p>Departures. The exponent e is -0.5: the original has -1.5 and names the constant POW_EXP; the telescoping paper
 * says that it set POW_EXP to 0.5, but with a positive exponent hardly any key dies within 10 million queries and each
 * is repeated 76 times, while -0.5 comes within 6 % of the 57 times that the paper reports. The default number of
 * active keys is 123,000, not 131,072, with which it is 56.4 times. The draws are this project's own.
 *
 * <p>Cost: constant time a query; 16 bytes for each active key.
 *
 * <p>K. Anderson, S. Plimpton: FireHose streaming benchmarks. Sandia National Laboratories, 2013. D. J. Lee, S. McCauley,
 * S. Singh, M. Stein: Telescoping filter: a practical adaptive filter. ESA 2021, section 6.1.
 */
public final class FirehoseActiveSet implements EndlessStream {

    /** How many keys are active at a time unless stated otherwise. */
    public static final int DEFAULT_ACTIVE_KEYS = 123_000;

    private static final int RING_MOMENTS = 1 << 14;
    private static final int TREND_POINTS = 1 << 10;
    private static final int LIFETIMES = 1 << 16;
    private static final double LONGEST_LIFETIME = 65536;
    private static final double LIFETIME_EXPONENT = -0.5; // POW_EXP
    private static final int NONE = -1;

    private final KeySpace space;
    private final SplittableRandom random;

    /** By slot of the active set: which key sits there, how often it was asked for, and its number of queries. */
    private final long[] keyIndex;

    private final int[] asked;
    private final int[] lifetime;

    /** The lists of the ring: the first slot of each moment, and the slot after each slot. */
    private final int[] firstOfMoment = new int[RING_MOMENTS];

    private final int[] following;

    private final int[] delayOfProgress = delays();
    private long nextKeyIndex;
    private int now;
    private int due = NONE;

    public FirehoseActiveSet(KeySpace space, int activeKeys) {
        this.space = space;
        this.random = new SplittableRandom(Mix.mix(space.seed() + 4));
        this.keyIndex = new long[activeKeys];
        this.asked = new int[activeKeys];
        this.lifetime = new int[activeKeys];
        this.following = new int[activeKeys];
        Arrays.fill(firstOfMoment, NONE);
        for (int slot = 0; slot < activeKeys; slot++) {
            replace(slot);
        }
    }

    @Override
    public long next() {
        while (due == NONE) {
            now = (now + 1) % RING_MOMENTS;
            due = firstOfMoment[now];
            firstOfMoment[now] = NONE;
        }
        int slot = due;
        due = following[slot];
        long key = space.foreign(keyIndex[slot]);
        asked[slot]++;
        if (asked[slot] >= lifetime[slot]) {
            replace(slot);
        } else {
            int progress = (int) ((long) asked[slot] * TREND_POINTS / lifetime[slot]);
            putDown(slot, (now + delayOfProgress[progress]) % RING_MOMENTS);
        }
        return key;
    }

    private void replace(int slot) {
        keyIndex[slot] = nextKeyIndex++;
        asked[slot] = 0;
        lifetime[slot] = lifetime(1 + random.nextInt(LIFETIMES));
        putDown(slot, random.nextInt(RING_MOMENTS));
    }

    private void putDown(int slot, int moment) {
        following[slot] = firstOfMoment[moment];
        firstOfMoment[moment] = slot;
    }

    private static int lifetime(int i) {
        double last = Math.pow(LIFETIMES, LIFETIME_EXPONENT);
        return 1 + (int) (LONGEST_LIFETIME * (Math.pow(i, LIFETIME_EXPONENT) - last) / (1 - last));
    }

    private static int[] delays() {
        double[] trend = new double[TREND_POINTS];
        double peak = 0;
        for (int i = 0; i < TREND_POINTS; i++) {
            double x = 12.0 * i / TREND_POINTS;
            trend[i] = logistic(x - 2) - logistic(x - 5);
            peak = Math.max(peak, trend[i]);
        }
        int[] delays = new int[TREND_POINTS];
        for (int i = 0; i < TREND_POINTS; i++) {
            delays[i] = Math.max(1, (int) (RING_MOMENTS / 2 * (1 - trend[i] / peak)));
        }
        return delays;
    }

    private static double logistic(double x) {
        return 1 / (1 + Math.exp(-x));
    }
}
