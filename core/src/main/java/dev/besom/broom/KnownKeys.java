package dev.besom.broom;

import dev.besom.StoredHashes;
import dev.besom.adaptive.InFlight;
import dev.besom.adaptive.RepairCounts;
import dev.besom.adaptive.WaitingDeletes;

/** The keys that can own fingerprints: those that are stored, those that are in flight, and those whose deletion waits. */
final class KnownKeys {

    private final FingerprintTable table;
    private final StoredHashes stored;
    private final InFlight inFlight;
    private final WaitingDeletes waiting;
    private final RepairCounts counts;

    KnownKeys(FingerprintTable table, StoredHashes stored, RepairCounts counts) {
        this.table = table;
        this.stored = stored;
        this.inFlight = new InFlight(stored, counts);
        this.waiting = new WaitingDeletes();
        this.counts = counts;
    }

    /** Keys that were put in and may not be stored yet. All positions are those that keys have now. */
    InFlight inFlight() {
        return inFlight;
    }

    /** Keys whose deletions wait. */
    WaitingDeletes waiting() {
        return waiting;
    }

    /** The stored hashes with the quotient of a hash. */
    long[] read(long hash) {
        long quotient = table.quotient(hash);
        return read(quotient, quotient);
    }

    /** The stored hashes with quotients from one to another. */
    long[] read(long low, long high) {
        counts.countRangeRead();
        return stored.between(table.firstHash(low), table.lastHash(high));
    }

    /** The look-alikes of a hash, given the stored hashes with its quotient. */
    LookAlikes lookAlikes(long hash, long[] hashesOfQuotient) {
        LookAlikes alike = new LookAlikes(table, hash);
        setHashes(alike, hashesOfQuotient, hash);
        return alike;
    }

    /** Gives look-alikes of a hash all that own one: the stored ones, those that are not stored yet, and those that wait. */
    void setHashes(LookAlikes alike, long[] hashesOfQuotient, long hash) {
        long quotient = table.quotient(hash);
        alike.setHashes(inFlight.with(hashesOfQuotient, table.firstHash(quotient), table.lastHash(quotient)), hash);
        for (WaitingDeletes.Delete delete : waiting.all()) {
            if (table.isAlike(delete.hash(), hash)) {
                alike.addHash(delete.hash());
            }
        }
    }
}
