package dev.besom.lab.race;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a race found out about one contender.
 *
 * @param kind the contender's name
 * @param n keys stored
 * @param bitsPerKey memory for each key before the queries
 * @param insertNs, hitNs, missNs, bulkNs see {@link Times}
 * @param allocatedBytes heap that a single question takes
 * @param tally what became of the queries
 */
public record RaceResult(
        String kind,
        long n,
        double bitsPerKey,
        Spread insertNs,
        Spread hitNs,
        Spread missNs,
        Spread bulkNs,
        double allocatedBytes,
        Tally tally) {

    /** The numbers by the names of machine-readable output, with ratios of the medians to those of another result. */
    public Map<String, Object> fields(RaceResult first) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", kind);
        fields.put("n", n);
        fields.put("bitsPerKey", bitsPerKey);
        fields.put("bitsPerKeyAfter", bitsPerKeyAfter());
        put(fields, "insert", insertNs, first.insertNs);
        put(fields, "hit", hitNs, first.hitNs);
        put(fields, "miss", missNs, first.missNs);
        put(fields, "bulk", bulkNs, first.bulkNs);
        fields.put("allocatedBytes", allocatedBytes);
        fields.put("queries", tally.queries());
        fields.put("falsePositives", tally.falsePositives());
        fields.put("falsePositiveRate", tally.falsePositiveRate());
        fields.put("distinctFalsePositives", tally.distinctFalsePositives());
        fields.put("repairs", tally.repairs());
        fields.put("forgot", tally.forgot());
        fields.put("inseparable", tally.inseparable());
        fields.put("remoteReads", tally.remoteReads());
        fields.put("rangeReads", tally.rangeReads());
        fields.put("falseNegatives", tally.falseNegatives());
        if (tally.hasRounds()) {
            fields.put("rounds", (long) tally.rounds());
            fields.put("lastRoundRate", tally.lastRoundRate());
        }
        return fields;
    }

    /** Memory for each key after the queries, with all that repairs took. */
    public double bitsPerKeyAfter() {
        return tally.sizeInBits() / (double) n;
    }

    private static void put(Map<String, Object> fields, String name, Spread spread, Spread first) {
        fields.put(name + "Ns", spread.median());
        fields.put(name + "NsLeast", spread.least());
        fields.put(name + "NsMost", spread.most());
        fields.put(name + "Ratio", spread.median() / first.median());
    }
}
