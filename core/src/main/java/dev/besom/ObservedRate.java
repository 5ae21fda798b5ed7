package dev.besom;

/**
 * How often a filter was wrong in use: what to hold against the rate that it was planned for. Whoever knows the outcome of
 * lookups counts them; a guard does so by itself.
 *
 * <p>A filter that knows how likely keys are, or has learned it, keeps its rate only while lookups are as they were. Where the
 * observed rate is {@linkplain #isAbove above} the planned one, it pays to learn again.
 *
 * @param misses lookups for keys that are not stored
 * @param falsePositives those among them that the filter answered with "maybe"
 */
public record ObservedRate(long misses, long falsePositives) {

    /** Standard deviations that chance is allowed; more than that happens once in a billion times. */
    private static final double DEVIATIONS = 6;

    public ObservedRate {
        if (falsePositives < 0 || misses < falsePositives) {
            throw new IllegalArgumentException(falsePositives + " false positives of " + misses + " misses cannot be");
        }
    }

    /** False positives for each miss; 0 where there was no miss. */
    public double fpp() {
        return misses == 0 ? 0 : (double) falsePositives / misses;
    }

    /**
     * Whether the observed rate is above a planned one by more than chance makes it. Chance is that of misses for different
     * keys: where few keys are missed very often, as many false positives can be one key's.
     */
    public boolean isAbove(double plannedFpp) {
        double mean = misses * plannedFpp;
        return falsePositives > mean + DEVIATIONS * Math.sqrt(mean + 1);
    }
}
