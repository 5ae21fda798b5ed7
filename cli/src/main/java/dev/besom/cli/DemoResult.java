package dev.besom.cli;

/**
 * What one contender of the demo did.
 *
 * @param counts what it read
 * @param luck what it wastes over many draws of its hash functions
 * @param bitsPerKey the memory that keeps lookups from the store, for each stored key
 * @param latency how long lookups took
 */
record DemoResult(String name, Counts counts, Luck luck, double bitsPerKey, Latency latency) {

    /**
     * What was read in the run that was timed.
     *
     * @param storeReads lookups that reached the store
     * @param found lookups that found a key
     * @param misses lookups for keys that are not stored
     */
    record Counts(long storeReads, long found, long misses) {

        /** Store reads that found nothing. */
        long wasted() {
            return storeReads - found;
        }

        /** Wasted reads for each lookup of a key that is not stored. */
        double rate() {
            return misses == 0 ? 0 : (double) wasted() / misses;
        }
    }

    /**
     * Wasted reads over draws of the hash functions, all of them counted.
     *
     * @param draws how many; 1 where chance has next to no part in it
     */
    record Luck(int draws, double mean, long median, long worst) {

        /** Of a contender whose hash functions decide nothing. */
        static Luck none(long wasted) {
            return new Luck(1, wasted, wasted, wasted);
        }
    }

    /**
     * Nanoseconds.
     *
     * @param mean of all timed lookups, with what a read takes more
     * @param p99 of them
     * @param withoutRead the mean of those that did not read the store
     */
    record Latency(double mean, double p99, double withoutRead) {}
}
