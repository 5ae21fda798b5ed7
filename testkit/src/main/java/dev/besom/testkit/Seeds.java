package dev.besom.testkit;

import dev.besom.hash.Mix;

/**
 * Where tests take their numbers from: literal seeds mixed with the test's parameters, so that a failure can be run
 * again. Under {@code -Pthorough} each run draws a fresh base seed and prints it.
 */
public final class Seeds {

    private static final boolean THOROUGH = Boolean.getBoolean("besom.thorough");

    /** The base of every seed: 0 in a plain run; {@code -Dbesom.seed=N} repeats a thorough one. */
    private static final long BASE = chooseBase();

    private Seeds() {}

    /** Whether long runs with fresh seeds are asked for. */
    public static boolean isThorough() {
        return THOROUGH;
    }

    /** How often to do what is drawn at random: a plain run has little time, a thorough one has much. */
    public static int repetitions(int plain, int thorough) {
        return THOROUGH ? thorough : plain;
    }

    /** What every seed of this run is mixed with; {@code -Dbesom.seed} of it repeats the run. */
    public static long base() {
        return BASE;
    }

    /** A seed for a test with these parameters. */
    public static long of(long literal, long... parameters) {
        long seed = Mix.mix(literal + BASE);
        for (long parameter : parameters) {
            seed = Mix.expand(parameter, seed, 0);
        }
        return seed;
    }

    private static long chooseBase() {
        Long given = Long.getLong("besom.seed");
        if (given != null) {
            return given;
        }
        if (!THOROUGH) {
            return 0;
        }
        long fresh = System.nanoTime();
        System.out.println("besom: base seed " + fresh + " (repeat with -Dbesom.seed=" + fresh + ")");
        return fresh;
    }
}
