package dev.besom.lab.race;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a race before a real store found out about one contender. All costs are for each query for a key that is not stored.
 *
 * @param race the contender, its memory and its answers
 * @param latency how long such a query took, filter, store and repairs together
 * @param bytesTouched what the store went through for all queries; -1 where it does not tell
 * @param modelAccesses accesses to the store by the model of {@link StoreRace}; not a number where that says nothing
 */
public record StoreResult(RaceResult race, Latency latency, long bytesTouched, double modelAccesses) {

    /**
     * Nanoseconds of the clock on the wall.
     *
     * @param mean the average
     * @param median what half of the queries took at most
     * @param p99 what 99 of 100 took at most
     * @param p999 what 999 of 1000 took at most
     */
    public record Latency(double mean, double median, double p99, double p999) {}

    /** Reads of the store that found nothing. */
    public double wastedReads() {
        return perMiss(race.tally().answers().falsePositives());
    }

    /** Range reads for repairs, rehashing included. */
    public double repairReads() {
        return perMiss(race.tally().repairs().cost().rangeReads());
    }

    /** Writes for repairs: what rehashing takes. */
    public double repairWrites() {
        return perMiss(race.tally().repairs().cost().writes());
    }

    /** All accesses to the store: wasted reads, reads and writes for repairs. */
    public double accesses() {
        return wastedReads() + repairReads() + repairWrites();
    }

    /** Bytes of blocks that the store went through; not a number where it does not tell. */
    public double bytes() {
        return bytesTouched < 0 ? Double.NaN : perMiss(bytesTouched);
    }

    private double perMiss(long count) {
        long misses = race.tally().answers().misses();
        return misses == 0 ? 0 : count / (double) misses;
    }

    /** The numbers by the names of machine-readable output, beside those of the race. */
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("wastedReadsPerMiss", wastedReads());
        fields.put("repairReadsPerMiss", repairReads());
        fields.put("repairWritesPerMiss", repairWrites());
        fields.put("accessesPerMiss", accesses());
        fields.put("modelAccessesPerMiss", modelAccesses);
        fields.put("storeBytesPerMiss", bytes());
        fields.put("meanMissNs", latency.mean());
        fields.put("medianMissNs", latency.median());
        fields.put("p99MissNs", latency.p99());
        fields.put("p999MissNs", latency.p999());
        return fields;
    }
}
