package dev.besom.lab.race;

/**
 * How much is queried and how long code is warmed up where times are taken. Where {@value #PROPERTY} says so, as in tests that do
 * not look at the times, fewer queries are timed, and all takes less time by as much.
 */
final class Pace {

    /** How many queries are timed in turn; a multiple of 4096. */
    static final String PROPERTY = "besom.race.sample";

    private static final int USUAL_SAMPLE = 1 << 20;

    /** How many numbers are queried in turn. */
    static final int SAMPLE = Integer.getInteger(PROPERTY, USUAL_SAMPLE);

    private Pace() {}

    /** The part of that many, or of that many nanoseconds, that the sample is of the usual one; at least 1. */
    static long part(long usual) {
        return Math.max(1, (long) ((double) usual * SAMPLE / USUAL_SAMPLE));
    }
}
