package dev.besom;

/**
 * A count of repairs, and of what a filter has read from and written to the store for them. Everything is counted since
 * the filter was made or read.
 *
 * @param repairs calls of {@link AdaptiveFilter#repairHash(long)} that changed the filter
 * @param forgot the repairs among them that answered {@link Adaptation#FORGOT}
 * @param inseparable calls that answered {@link Adaptation#INSEPARABLE}
 * @param rangeReads range reads of the stored hashes, for repairs, deletes and whatever else needed them
 * @param movedKeys stored keys that the filter has moved to another hash
 * @param storeWrites writes to the store that these moves took
 */
public record AdaptationStatistics(
        long repairs, long forgot, long inseparable, long rangeReads, long movedKeys, long storeWrites) {

    /** The counts of a filter that writes nothing to the store. */
    public AdaptationStatistics(long repairs, long forgot, long inseparable, long rangeReads) {
        this(repairs, forgot, inseparable, rangeReads, 0, 0);
    }
}
