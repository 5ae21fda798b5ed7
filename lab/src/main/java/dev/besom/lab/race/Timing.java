package dev.besom.lab.race;

/**
 * How the times of a race are taken.
 *
 * @param repeat how often; 0: not at all, which spares the warming up
 * @param isolate whether each of several contenders gets a JVM of its own for each measurement
 * @param aged whether filters have answered, and repaired, the queries of the workload before their times are taken;
 *     otherwise the times are those of freshly filled ones
 * @param ofTexts whether keys are texts of 40 chars while times are taken, and not numbers
 */
public record Timing(int repeat, boolean isolate, boolean aged, boolean ofTexts) {

    /** Five measurements of fresh filters, a JVM each. */
    public static final Timing DEFAULT = new Timing(5, true, false, false);

    public Timing {
        if (repeat < 0 || repeat > 1000) {
            throw new IllegalArgumentException("repeat must be from 0 to 1000, not " + repeat);
        }
        if (aged && repeat == 0) {
            throw new IllegalArgumentException("times of aged filters are asked for, but repeat is 0");
        }
        if (aged && ofTexts) {
            throw new IllegalArgumentException(
                    "times with texts are those of filters that are freshly filled with them");
        }
    }

    /** The same with texts for keys. */
    public Timing withTexts() {
        return new Timing(repeat, isolate, aged, true);
    }

    /** Measurements of fresh filters. */
    public static Timing fresh(int repeat, boolean isolate) {
        return new Timing(repeat, isolate, false, false);
    }

    boolean isTaken() {
        return repeat > 0;
    }
}
