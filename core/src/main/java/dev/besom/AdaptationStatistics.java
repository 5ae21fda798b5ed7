package dev.besom;

/**
 * A count of repairs.
 *
 * @param repairs calls of {@link AdaptiveFilter#repairHash(long)} that changed the filter
 * @param forgot the repairs among them that answered {@link Adaptation#FORGOT}
 * @param inseparable calls that answered {@link Adaptation#INSEPARABLE}
 * @param rangeReads range reads of the stored hashes, for repairs, deletes and whatever else needed them
 */
public record AdaptationStatistics(long repairs, long forgot, long inseparable, long rangeReads) {}
