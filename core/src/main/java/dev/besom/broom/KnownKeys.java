package dev.besom.broom;

import dev.besom.StoredHashes;
import dev.besom.adaptive.RepairCounts;

/** The keys that can own fingerprints: those that are stored, and those that are in flight. */
final class KnownKeys {

    private final FingerprintTable table;
    private final StoredHashes stored;
    private final InFlight inFlight;
    private final RepairCounts counts;

    KnownKeys(FingerprintTable table, StoredHashes stored, InFlight inFlight, RepairCounts counts) {
        this.table = table;
        this.stored = stored;
        this.inFlight = inFlight;
        this.counts = counts;
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

    /** Gives look-alikes of a hash all that own one: the stored ones, the newest that are not stored yet, and those that wait. */
    void setHashes(LookAlikes alike, long[] hashesOfQuotient, long hash) {
        alike.setHashes(hashesOfQuotient, hash);
        inFlight.forEachNewest(hash, newest -> {
            if (table.isAlike(newest, hash) && !alike.hasHash(newest)) {
                alike.addHash(newest);
            }
        });
        for (InFlight.Deletion deletion : inFlight.waiting()) {
            if (table.isAlike(deletion.position(), hash)) {
                alike.addHash(deletion.position());
            }
        }
    }
}
