package dev.besom.lab.race;

import java.util.Collection;
import java.util.function.Function;

/**
 * How long the operations of a contender took, over all times that they were measured.
 *
 * @param insertNs to make and fill a filter one by one, for each key
 * @param bulkInsertNs to make and fill a filter all at once, for each key
 * @param keys to query keys, hashing included
 * @param hashes to query finished hashes; not a number for contenders that do not take them
 * @param allocatedBytes heap that a single query takes: the median
 */
public record TimeSpreads(Spread insertNs, Spread bulkInsertNs, Queries keys, Queries hashes, double allocatedBytes) {

    /**
     * The spreads of queries.
     *
     * @param hitNs, missNs, bulkNs see {@link Times.Queries}
     */
    public record Queries(Spread hitNs, Spread missNs, Spread bulkNs) {

        private static Queries of(Collection<Times> measured, Function<Times, Times.Queries> queries) {
            return new Queries(
                    Spread.of(measured, times -> queries.apply(times).hitNs()),
                    Spread.of(measured, times -> queries.apply(times).missNs()),
                    Spread.of(measured, times -> queries.apply(times).bulkNs()));
        }
    }

    /** The spreads of these measurements. */
    static TimeSpreads of(Collection<Times> measured) {
        return new TimeSpreads(
                Spread.of(measured, times -> times.fill().insertNs()),
                Spread.of(measured, times -> times.fill().bulkNs()),
                Queries.of(measured, Times::keys),
                Queries.of(measured, Times::hashes),
                Spread.of(measured, Times::allocatedBytes).median());
    }
}
