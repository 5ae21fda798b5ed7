package dev.besom.guard;

import dev.besom.ObservedRate;

/**
 * What happened at a guard, counted and not computed.
 *
 * @param lookups keys that were looked up
 * @param answeredByFilter lookups that the filter, or the exact set of inseparable keys beside it, answered with "no"
 * @param found lookups that found a value
 * @param falsePositives lookups for which the filter said "maybe" and the store had nothing
 * @param missedWhilePriming lookups for which the store had nothing while there was no filter yet
 * @param failed lookups that the store answered with an exception
 * @param storeReads reads of the store: one for each key that lookups sent there, however many go in one batch
 * @param repairsFixed false positives that were repaired
 * @param repairsForgot false positives that were repaired at the cost of older repairs
 * @param repairsInseparable false positives that no filter can repair; before a store the key is kept in an
 *     exact set
 * @param repairsDropped repairs left out because the shard was busy and too many were pending, or because the store failed
 * @param repairsLeftOut false positives that the {@link RepairPolicy} did not find worth a repair
 * @param repairReads reads of the store that repairs made, of ranges of hashes and of keys; not among {@code storeReads}
 * @param readsSaved reads of the store that repairs have saved: lookups that the filter answered, of keys that had been
 *     false positives and were repaired. An estimate from one lookup in 128, of the latest 32,768 repairs
 * @param growths shards that grew because they were full
 * @param filterTimes how long single lookups took that the filter answered; a sample of them
 * @param storeTimes how long reads of the store took, those that failed too; a batch is one read here
 */
public record GuardStatistics(
        long lookups,
        long answeredByFilter,
        long found,
        long falsePositives,
        long missedWhilePriming,
        long failed,
        long storeReads,
        long repairsFixed,
        long repairsForgot,
        long repairsInseparable,
        long repairsDropped,
        long repairsLeftOut,
        long repairReads,
        long readsSaved,
        long growths,
        LatencyHistogram filterTimes,
        LatencyHistogram storeTimes) {

    /** The part of lookups for keys that are not stored that the filter did not stop; 0 where there were none. */
    public double observedFpp() {
        return observedRate().fpp();
    }

    /** How often the filter was wrong, to be held against {@link Guard#plannedFpp()}. */
    public ObservedRate observedRate() {
        return new ObservedRate(answeredByFilter + falsePositives, falsePositives);
    }

    /** Everything that false positives cost: reads of the store that found nothing, and those that repairs made. */
    public long readsSpent() {
        return wastedReads() + repairReads;
    }

    /** Store reads that found nothing. */
    public long wastedReads() {
        return falsePositives + missedWhilePriming;
    }

    GuardStatistics since(GuardStatistics base) {
        return new GuardStatistics(
                lookups - base.lookups,
                answeredByFilter - base.answeredByFilter,
                found - base.found,
                falsePositives - base.falsePositives,
                missedWhilePriming - base.missedWhilePriming,
                failed - base.failed,
                storeReads - base.storeReads,
                repairsFixed - base.repairsFixed,
                repairsForgot - base.repairsForgot,
                repairsInseparable - base.repairsInseparable,
                repairsDropped - base.repairsDropped,
                repairsLeftOut - base.repairsLeftOut,
                repairReads - base.repairReads,
                readsSaved - base.readsSaved,
                growths - base.growths,
                filterTimes.since(base.filterTimes),
                storeTimes.since(base.storeTimes));
    }
}
