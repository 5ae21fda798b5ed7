package dev.besom.lab.race;

/**
 * What became of the queries of a race.
 *
 * @param queries queries asked
 * @param falsePositives queries for keys that are not stored and were answered "maybe"
 * @param falsePositiveRate false positives for each query for a key that is not stored; 0 where there was none
 * @param distinctFalsePositives different keys among the false positives
 * @param repairs calls of repair that mended the filter
 * @param forgot the repairs among them that gave earlier ones up
 * @param inseparable calls of repair that could not mend the filter
 * @param remoteReads reads of the dictionary: one for each query answered "maybe", hit or not
 * @param rangeReads range reads of the stored hashes for repairs, as the filter counts them
 * @param sizeInBits memory of the filter after the queries, with all that repairs took
 * @param falseNegatives stored keys that were answered "no" when all were asked for again at the end
 * @param rounds rounds of the adversary; 0 where there was none
 * @param lastRoundRate false positives for each query of the adversary's last round; NaN where there was none
 */
public record Tally(
        long queries,
        long falsePositives,
        double falsePositiveRate,
        long distinctFalsePositives,
        long repairs,
        long forgot,
        long inseparable,
        long remoteReads,
        long rangeReads,
        long sizeInBits,
        long falseNegatives,
        int rounds,
        double lastRoundRate) {

    /** Whether an adversary played. */
    public boolean hasRounds() {
        return rounds > 0;
    }
}
