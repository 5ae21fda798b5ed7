package dev.besom.lab.race;

/**
 * One measurement of a contender's times, nanoseconds of processor time.
 *
 * @param insertNs to make and fill the filter, for each key
 * @param hitNs to ask for a stored key
 * @param missNs to ask for another key
 * @param bulkNs to ask for another key, many at once
 * @param allocatedBytes heap that a single query takes
 */
public record Times(double insertNs, double hitNs, double missNs, double bulkNs, double allocatedBytes) {}
