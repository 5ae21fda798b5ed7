package dev.besom.lab.advice;

import dev.besom.math.ZipfMath;

/**
 * What the filter is asked, in expected numbers.
 *
 * @param queries all of them
 * @param misses the queries for keys that are not stored
 * @param distinctMisses the different keys among these
 * @param hottestShare the share of the misses that are for the most frequent of them
 */
public record Traffic(double queries, double misses, double distinctMisses, double hottestShare) {

    /** Misses for fresh keys, each of which is never asked for again. */
    public static Traffic withoutRepeats(double queries, double missShare) {
        double misses = queries * missShare;
        return new Traffic(queries, misses, misses, misses > 0 ? 1 / misses : 0);
    }

    /**
     * Misses under Zipf's law.
     *
     * @param missedKeys how many keys that are not stored are asked for at all
     */
    public static Traffic zipf(double queries, double missShare, double exponent, double missedKeys) {
        double misses = queries * missShare;
        return new Traffic(
                queries,
                misses,
                ZipfMath.expectedDistinct(missedKeys, exponent, misses),
                ZipfMath.hottestShare(missedKeys, exponent));
    }

    /** How often a key that is missed once is missed in all; 1 where there are no misses. */
    public double repeats() {
        return distinctMisses > 0 ? misses / distinctMisses : 1;
    }

    /**
     * The remote reads that a filter of that rate is expected to waste. One that keeps its repairs pays once for each of its
     * false positives, another one each time.
     */
    public double wastedReads(double fpp, boolean keepsRepairs) {
        return fpp * (keepsRepairs ? distinctMisses : misses);
    }
}
