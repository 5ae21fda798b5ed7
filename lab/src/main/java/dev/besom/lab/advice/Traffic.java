package dev.besom.lab.advice;

import dev.besom.math.ZipfMath;
import java.util.Optional;

/**
 * What the filter is asked, in expected numbers.
 *
 * @param queries all of them
 * @param misses the queries for keys that are not stored
 * @param distinctMisses the different keys among these
 * @param hottestShare the share of the misses that are for the most frequent of them
 * @param law how the misses are spread, where that is known
 */
public record Traffic(double queries, double misses, double distinctMisses, double hottestShare, Optional<Law> law) {

    /** Universes are searched up to so many times the different keys that were seen. */
    private static final double WIDEST = 1e6;

    private static final double PRECISION = 1e-6;

    /**
     * Zipf's law.
     *
     * @param exponent its exponent
     * @param keys how many keys that are not stored are asked for at all
     */
    public record Law(double exponent, double keys) {}

    /** Misses for fresh keys, each of which is never asked for again. */
    public static Traffic withoutRepeats(double queries, double missShare) {
        double misses = queries * missShare;
        return new Traffic(queries, misses, misses, misses > 0 ? 1 / misses : 0, Optional.empty());
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
                ZipfMath.hottestShare(missedKeys, exponent),
                Optional.of(new Law(exponent, missedKeys)));
    }

    /**
     * This traffic, as if it followed Zipf's law with that exponent, over as many keys as make so many of them come up at all.
     */
    Traffic withExponent(double exponent) {
        if (misses < 2 || distinctMisses >= misses || distinctMisses < 1) {
            return this;
        }
        double low = Math.log(distinctMisses);
        double high = low + Math.log(WIDEST);
        while (high - low > PRECISION) {
            double middle = (low + high) / 2;
            if (ZipfMath.expectedDistinct(Math.exp(middle), exponent, misses) < distinctMisses) {
                low = middle;
            } else {
                high = middle;
            }
        }
        Law likely = new Law(exponent, Math.max(1, Math.rint(Math.exp(low))));
        return new Traffic(queries, misses, distinctMisses, hottestShare, Optional.of(likely));
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
