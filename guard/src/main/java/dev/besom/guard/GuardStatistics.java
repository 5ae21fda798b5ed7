package dev.besom.guard;

import dev.besom.ObservedRate;

/**
 * What happened at a guard, counted and not computed.
 *
 * @param lookups what became of the keys that were looked up
 * @param repairs what became of the false positives
 * @param reads reads of the store, spent and saved
 * @param growths shards that grew because they were full
 * @param times how long lookups and reads took
 */
public record GuardStatistics(Lookups lookups, Repairs repairs, Reads reads, long growths, Times times) {

    /**
     * Keys that were looked up, by what became of them.
     *
     * @param answeredByFilter the filter, or the exact set of inseparable keys beside it, said "no"
     * @param found a value was found
     * @param falsePositives the filter said "maybe" and the store had nothing
     * @param missedWhilePriming the store had nothing while there was no filter yet
     * @param failed the store answered with an exception
     */
    public record Lookups(
            long answeredByFilter, long found, long falsePositives, long missedWhilePriming, long failed) {

        /** All of them. */
        public long total() {
            return answeredByFilter + found + falsePositives + missedWhilePriming + failed;
        }

        /** Reads of the store that found nothing. */
        public long wasted() {
            return falsePositives + missedWhilePriming;
        }

        private Lookups since(Lookups base) {
            return new Lookups(
                    answeredByFilter - base.answeredByFilter,
                    found - base.found,
                    falsePositives - base.falsePositives,
                    missedWhilePriming - base.missedWhilePriming,
                    failed - base.failed);
        }
    }

    /**
     * False positives, by what their repair came to.
     *
     * @param fixed repaired
     * @param forgot repaired at the cost of older repairs
     * @param inseparable no filter can repair them; before a store the key is kept in an exact set
     * @param dropped left out because the shard was busy and too many were pending, or because the store failed
     * @param leftOut not worth a repair to the {@link RepairPolicy}
     */
    public record Repairs(long fixed, long forgot, long inseparable, long dropped, long leftOut) {

        private Repairs since(Repairs base) {
            return new Repairs(
                    fixed - base.fixed,
                    forgot - base.forgot,
                    inseparable - base.inseparable,
                    dropped - base.dropped,
                    leftOut - base.leftOut);
        }
    }

    /**
     * Reads of the store.
     *
     * @param byLookups one for each key that lookups sent there, however many go in one batch
     * @param byRepairs made by repairs, of ranges of hashes and of keys
     * @param saved by repairs: lookups that the filter answered, of keys that had been false positives and were repaired. An
     *     estimate from one lookup in 128, of the latest 32,768 repairs
     */
    public record Reads(long byLookups, long byRepairs, long saved) {

        private Reads since(Reads base) {
            return new Reads(byLookups - base.byLookups, byRepairs - base.byRepairs, saved - base.saved);
        }
    }

    /**
     * How long things took.
     *
     * @param filter single lookups that the filter answered; a sample of them
     * @param store reads of the store, those that failed too; a batch is one read here
     */
    public record Times(LatencyHistogram filter, LatencyHistogram store) {

        private Times since(Times base) {
            return new Times(filter.since(base.filter), store.since(base.store));
        }
    }

    /** The part of lookups for keys that are not stored that the filter did not stop; 0 where there were none. */
    public double observedFpp() {
        return observedRate().fpp();
    }

    /** How often the filter was wrong, to be held against {@link Guard#plannedFpp()}. */
    public ObservedRate observedRate() {
        return new ObservedRate(lookups.answeredByFilter + lookups.falsePositives, lookups.falsePositives);
    }

    /** Everything that false positives cost: reads of the store that found nothing, and those that repairs made. */
    public long readsSpent() {
        return lookups.wasted() + reads.byRepairs;
    }

    GuardStatistics since(GuardStatistics base) {
        return new GuardStatistics(
                lookups.since(base.lookups),
                repairs.since(base.repairs),
                reads.since(base.reads),
                growths - base.growths,
                times.since(base.times));
    }
}
