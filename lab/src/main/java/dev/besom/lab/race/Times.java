package dev.besom.lab.race;

/**
 * One measurement of a contender's times, nanoseconds of processor time. What a contender does not have is not a number.
 *
 * @param fill to make and fill the filter
 * @param keys to query keys, hashing included
 * @param hashes to query finished hashes, of contenders that take them
 * @param allocatedBytes heap that a single query of a key takes
 */
public record Times(Fill fill, Queries keys, Queries hashes, double allocatedBytes) {

    /**
     * How long a fill took for each key, hashing included.
     *
     * @param insertNs one by one, or all at once where there is no other way
     * @param bulkNs all at once, where there is a way for that besides
     */
    public record Fill(double insertNs, double bulkNs) {}

    /**
     * How long a query took.
     *
     * @param hitNs of a stored key
     * @param missNs of another key
     * @param bulkNs of another key, many at once
     */
    public record Queries(double hitNs, double missNs, double bulkNs) {

        /** Of a contender that is not queried that way. */
        static final Queries NONE = new Queries(Double.NaN, Double.NaN, Double.NaN);
    }
}
