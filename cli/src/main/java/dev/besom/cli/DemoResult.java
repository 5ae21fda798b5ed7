package dev.besom.cli;

/**
 * What one contender of the demo did.
 *
 * @param storeReads lookups that reached the store
 * @param found lookups that found a key
 * @param misses lookups for keys that are not stored
 * @param averageWasted what it wastes on average over the secrets that hashes are drawn from
 * @param bitsPerKey the memory that keeps lookups from the store, for each stored key
 */
record DemoResult(
        String name,
        long storeReads,
        long found,
        long misses,
        double averageWasted,
        double bitsPerKey,
        double meanNs,
        double p99Ns) {

    /** Store reads that found nothing. */
    long wastedReads() {
        return storeReads - found;
    }

    /** Wasted reads for each lookup of a key that is not stored. */
    double observedRate() {
        return misses == 0 ? 0 : (double) wastedReads() / misses;
    }
}
