package dev.besom.lab.race;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a race found out about one contender.
 *
 * @param kind the contender's name
 * @param n keys stored
 * @param bitsPerKey memory for each key before the queries
 * @param times how long operations took
 * @param tally what became of the queries
 */
public record RaceResult(String kind, long n, double bitsPerKey, TimeSpreads times, Tally tally) {

    /** The numbers by the names of machine-readable output, with ratios of the medians to those of another result. */
    public Map<String, Object> fields(RaceResult first) {
        Tally.Answers answers = tally.answers();
        Tally.Repairs repairs = tally.repairs();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", kind);
        fields.put("n", n);
        fields.put("bitsPerKey", bitsPerKey);
        fields.put("bitsPerKeyAfter", bitsPerKeyAfter());
        put(fields, "insert", times.insertNs(), first.times.insertNs());
        put(fields, "bulkInsert", times.bulkInsertNs(), first.times.bulkInsertNs());
        put(fields, "hit", times.keys().hitNs(), first.times.keys().hitNs());
        put(fields, "miss", times.keys().missNs(), first.times.keys().missNs());
        put(fields, "bulk", times.keys().bulkNs(), first.times.keys().bulkNs());
        put(fields, "hashHit", times.hashes().hitNs(), first.times.hashes().hitNs());
        put(fields, "hashMiss", times.hashes().missNs(), first.times.hashes().missNs());
        put(fields, "hashBulk", times.hashes().bulkNs(), first.times.hashes().bulkNs());
        fields.put("allocatedBytes", times.allocatedBytes());
        fields.put("queries", answers.queries());
        fields.put("falsePositives", answers.falsePositives());
        fields.put("falsePositiveRate", answers.falsePositiveRate());
        fields.put("distinctFalsePositives", answers.distinctFalsePositives());
        fields.put("repairs", repairs.done());
        fields.put("forgot", repairs.forgot());
        fields.put("inseparable", repairs.inseparable());
        fields.put("remoteReads", answers.remoteReads());
        fields.put("rangeReads", repairs.cost().rangeReads());
        fields.put("movedKeys", repairs.cost().movedKeys());
        fields.put("storeWrites", repairs.cost().writes());
        fields.put("falseNegatives", answers.falseNegatives());
        if (tally.changes().inserted() > 0) {
            fields.put("insertedKeys", tally.changes().inserted());
            fields.put("deletedKeys", tally.changes().deleted());
        }
        if (tally.hasRounds()) {
            fields.put("rounds", (long) tally.rounds().count());
            fields.put("lastRoundRate", tally.rounds().lastRate());
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
