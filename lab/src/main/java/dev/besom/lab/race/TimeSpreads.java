package dev.besom.lab.race;

import java.util.Collection;

/**
 * How long the operations of a contender took, over all times that they were measured.
 *
 * @param insertNs, hitNs, missNs, bulkNs see {@link Times}
 * @param allocatedBytes heap that a single query takes: the median
 */
public record TimeSpreads(Spread insertNs, Spread hitNs, Spread missNs, Spread bulkNs, double allocatedBytes) {

    /** The spreads of these measurements. */
    static TimeSpreads of(Collection<Times> measured) {
        return new TimeSpreads(
                Spread.of(measured, Times::insertNs),
                Spread.of(measured, Times::hitNs),
                Spread.of(measured, Times::missNs),
                Spread.of(measured, Times::bulkNs),
                Spread.of(measured, Times::allocatedBytes).median());
    }
}
