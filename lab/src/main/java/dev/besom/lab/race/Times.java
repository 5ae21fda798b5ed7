package dev.besom.lab.race;

/**
 * One taking of a contender's times, nanoseconds of processor time.
 *
 * @param insertNs to fill the filter, for each key; the time of the first fill where filling again would take too long
 * @param hitNs to ask for a stored key
 * @param missNs to ask for another key
 * @param bulkNs to ask for another key, many at once
 * @param allocatedBytes heap that a single question takes
 */
public record Times(double insertNs, double hitNs, double missNs, double bulkNs, double allocatedBytes) {}
