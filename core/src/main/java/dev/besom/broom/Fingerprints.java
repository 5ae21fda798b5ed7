package dev.besom.broom;

import dev.besom.Adaptation;
import dev.besom.AdaptationStatistics;
import dev.besom.StoredHashes;
import dev.besom.adaptive.Extensions;
import dev.besom.adaptive.InFlight;
import dev.besom.adaptive.RepairCounts;
import dev.besom.adaptive.RunOwners;
import dev.besom.adaptive.Tombstones;
import dev.besom.adaptive.WaitingDeletes;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;

/**
 * Fingerprints and their owners: puts fingerprints in, takes them out and lengthens them, by what the stored hashes say of
 * whose they are. A hash is here what the store has for it in its order: its position under the hash function it has now.
 */
final class Fingerprints {

    private final FingerprintTable table;
    private final KnownKeys keys;
    private final RoomMaker roomMaker;

    /** How long extensions were; under another hash function a key has another position, of which that says nothing. */
    private final Tombstones tombstones;

    private final InFlight inFlight;
    private final WaitingDeletes waiting;

    private long count;

    /** How often a key has left that another one's extension was told from: what it takes is of no use any more. */
    private long leftOver;

    private final RepairCounts counts = new RepairCounts();
    private long notRestored;
    private long unseparated;

    private Fingerprints(FingerprintTable table, StoredHashes stored, long seed, Tombstones tombstones) {
        this.table = table;
        this.tombstones = tombstones;
        this.keys = new KnownKeys(table, stored, counts);
        this.inFlight = keys.inFlight();
        this.waiting = keys.waiting();
        this.roomMaker = new RoomMaker(table, keys, seed);
    }

    static Fingerprints empty(BroomShape shape, StoredHashes stored) {
        FingerprintTable table = FingerprintTable.empty(shape);
        return new Fingerprints(table, stored, shape.plan().seed(), noTombstones(shape));
    }

    private static Tombstones noTombstones(BroomShape shape) {
        return new Tombstones(shape.capacity(), shape.tombstoneWords());
    }

    /** Takes over the fingerprints of an image. */
    static Fingerprints read(BroomShape shape, StoredHashes stored, FilterImage image) {
        FingerprintTable table = FingerprintTable.read(shape, image);
        Fingerprints fingerprints = new Fingerprints(
                table,
                stored,
                shape.plan().seed(),
                Tombstones.read(image.get(BroomForm.TOMBSTONES), noTombstones(shape)));
        fingerprints.count = image.get(BroomForm.COUNT);
        return fingerprints;
    }

    /** Takes over what an image has of keys in flight, once the table is known to be in order. */
    void readInFlight(FilterImage image) {
        inFlight.restore(image.get(BroomForm.IN_FLIGHT), table::mightContain);
        waiting.restore(image.get(BroomForm.WAITING), table::mightContain);
    }

    /** Sets the sections of an image, and the count. */
    void write(ImageForm.Writer writer) {
        table.write(writer);
        writer.set(BroomForm.COUNT, count)
                .set(BroomForm.TOMBSTONES, tombstones.section())
                .set(BroomForm.IN_FLIGHT, inFlight.section())
                .set(BroomForm.WAITING, waiting.section(table::mightContain));
    }

    FingerprintTable table() {
        return table;
    }

    long count() {
        return count;
    }

    /** How many extensions were shortened to make room, or could not be restored for want of it. */
    long forgotten() {
        return roomMaker.forgotten() + notRestored + table.lostExtensions();
    }

    /** The stored hashes with quotients from one to another. */
    long[] read(long low, long high) {
        return keys.read(low, high);
    }

    /** How often a key could not be told from another because neither its bin nor the spill had room. */
    long unseparated() {
        return unseparated + table.lostExtensions();
    }

    AdaptationStatistics statistics() {
        return counts.statistics();
    }

    /** What is counted of repairs and of the store. */
    RepairCounts counts() {
        return counts;
    }

    /** How often a key has left that another one's extension was told from. */
    long leftOver() {
        return leftOver;
    }

    /** Notes that filter and store hold the same. */
    void nothingIsInFlight() {
        inFlight.clear();
        waiting.clear();
    }

    /** Puts a key in; true if no fingerprint was a prefix of its hash. */
    boolean insert(long hash) {
        inFlight.makeRoom(count, hash, table.mightContain(hash));
        boolean isNew = insertStored(hash);
        inFlight.inserted(hash);
        waiting.mark(hash, true);
        return isNew;
    }

    /** Puts the fingerprint of a key in that is stored already; true if none was a prefix of its hash. */
    boolean insertStored(long hash) {
        table.checkRoom(hash);
        boolean isNew = true;
        int length = 0;
        if (table.hasLookAlike(hash)) {
            LookAlikes alike = new LookAlikes(table, hash);
            isNew = !isMet(alike, hash);
            length = isNew ? lengthAgainst(alike, hash) : tellApart(alike, hash);
        }
        Entry entry = table.add(hash);
        count++;
        if ((length > 0 || !tombstones.isEmpty()) && entry instanceof Entry.InBin place) {
            extendNew(place, hash, length);
        }
        return isNew;
    }

    /**
     * Gives a fingerprint that has come to a bin the extension that its key had before, or, if there is no room for that, the one
     * that tells it from others. A whole hash in the back yard needs neither: what is known of its key waits until it comes to
     * the front.
     */
    private void extendNew(Entry.InBin entry, long hash, int needed) {
        int before = tombstones.take(hash, count);
        if (before > needed) {
            if (table.extend(entry, hash, before)) {
                return;
            }
            notRestored++;
        }
        if (!table.extend(entry, hash, needed)) {
            unseparated++;
        }
    }

    private static boolean isMet(LookAlikes alike, long hash) {
        for (int i = 0; i < alike.slotCount(); i++) {
            if (alike.isPrefix(i, hash)) {
                return true;
            }
        }
        return false;
    }

    /** How long an extension has to be so that none of the entries that a hash does not meet starts with it. */
    private int lengthAgainst(LookAlikes alike, long hash) {
        int length = 0;
        for (int i = 0; i < alike.slotCount(); i++) {
            if (!alike.isPrefix(i, hash)) {
                length = Math.max(length, Extensions.shared(alike.extension(i), table.following(hash)) + 1);
            }
        }
        return length;
    }

    /**
     * Lengthens the fingerprints that are prefixes of a new hash, as far as their owners are certain.
     *
     * @return how long the extension of the new one has to be
     */
    private int tellApart(LookAlikes alike, long hash) {
        int length = lengthAgainst(alike, hash);
        keys.setHashes(alike, keys.read(hash), hash);
        alike.leaveOut(hash);
        RunOwners owners = RunOwners.of(alike);
        for (int i = 0; i < alike.slotCount(); i++) {
            if (!alike.isPrefix(i, hash) || !owners.isSure(i)) {
                continue;
            }
            long owner = alike.hash(owners.ownerOf(i));
            if (owner != hash) {
                int needed = table.lengthBetween(owner, hash);
                if (table.extend(alike.entry(i), owner, needed)) {
                    length = Math.max(length, needed);
                } else {
                    unseparated++;
                }
            }
        }
        return length;
    }

    /**
     * Takes out a fingerprint of a hash that nothing else needs; false if there is none. False as well where there is one that cannot be
     * told from that of a key in flight: then it is taken out later.
     */
    boolean delete(long hash) {
        if (!table.mightContain(hash)) {
            return false;
        }
        long[] hashes = keys.read(hash);
        LookAlikes alike = keys.lookAlikes(hash, hashes);
        waiting.mark(hash, false);
        if (contains(hashes, hash) || inFlight.contains(hash)) {
            alike.putLast(hash);
        } else {
            alike.addHash(hash);
        }
        int owned = RunOwners.slotOfLast(alike);
        if (owned == RunOwners.NONE && !isAlikeToWaiting(hash)) {
            return false;
        }
        inFlight.deleted(hash);
        if (owned < 0) {
            waiting.add(hash);
            return false;
        }
        leave(alike, owned, hash);
        return true;
    }

    private boolean isAlikeToWaiting(long hash) {
        for (WaitingDeletes.Delete delete : waiting.all()) {
            if (table.isAlike(delete.hash(), hash)) {
                return true;
            }
        }
        return false;
    }

    /** Tries the deletion that has waited longest again, if any does. */
    void retryDelete() {
        WaitingDeletes.Delete delete = waiting.next();
        if (delete == null) {
            return;
        }
        long hash = delete.hash();
        long[] hashes = keys.read(hash);
        boolean isStored = contains(hashes, hash);
        LookAlikes alike = keys.lookAlikes(hash, hashes);
        alike.putLast(hash);
        int owned = RunOwners.slotOfLast(alike);
        // A key that was put in again has to be stored first; one that is to leave, and has no other copy, to leave the
        // store.
        if (owned == RunOwners.UNSURE
                || (delete.isBack() && !isStored)
                || (owned == RunOwners.NONE && isStored && !delete.isBack())) {
            waiting.postponeNext();
            return;
        }
        waiting.dropNext();
        if (owned != RunOwners.NONE) {
            leave(alike, owned, hash);
        }
    }

    /** Takes out the fingerprint of a key that leaves, the last hash of its look-alikes. */
    private void leave(LookAlikes alike, int entry, long hash) {
        bury(alike, entry, hash);
        leftOver += alike.hashCount() > 1 ? 1 : 0;
        remove(alike, entry, hash);
    }

    /** Keeps the length of an extension that is longer than other stored keys explain. */
    private void bury(LookAlikes alike, int entry, long hash) {
        int length = Extensions.length(alike.extension(entry));
        if (alike.entry(entry) instanceof Entry.InBin && length > alike.lengthAmong(hash)) {
            tombstones.put(hash, length, count);
        }
    }

    long sizeInBits() {
        return table.sizeInBits() + tombstones.sizeInBits();
    }

    /** Lengthens all fingerprints that are prefixes of a hash that is not stored. */
    Adaptation repair(long hash) {
        long[] hashes = keys.read(hash);
        boolean hasForgotten = false;
        LookAlikes alike = keys.lookAlikes(hash, hashes);
        for (int hit = firstHit(alike, hash); hit >= 0; hit = firstHit(alike, hash)) {
            RunOwners owners = RunOwners.of(alike);
            if (alike.hasHash(hash) || !areSure(alike, owners, hash)) {
                return counts.counted(Adaptation.INSEPARABLE);
            }
            long owner = alike.hash(owners.ownerOf(hit));
            if (!table.extend(alike.entry(hit), owner, table.lengthBetween(owner, hash))) {
                if (!roomMaker.makeRoom(alike.entry(hit), hash)) {
                    return counts.counted(Adaptation.INSEPARABLE);
                }
                hasForgotten = true;
            }
            // What was lengthened or shortened may have other owners now.
            alike = keys.lookAlikes(hash, hashes);
        }
        return counts.counted(hasForgotten ? Adaptation.FORGOT : Adaptation.FIXED);
    }

    /**
     * Takes out the fingerprint of the last one of some positions, which have one each and are not in the store. If only one
     * fingerprint is a prefix of the position, that is its own.
     */
    void removeKnown(long[] positions) {
        long hash = positions[positions.length - 1];
        LookAlikes alike = new LookAlikes(table, hash);
        int hit = firstHit(alike, hash);
        for (int other = hit + 1; other < alike.slotCount() && hit >= 0; other++) {
            hit = alike.isPrefix(other, hash) ? -1 : hit;
        }
        if (hit < 0) {
            alike.setHashes(keys.read(hash), hash);
            for (long other : positions) {
                if (table.isAlike(other, hash)) {
                    alike.addHash(other);
                }
            }
            hit = RunOwners.slotOfLast(alike);
        }
        if (hit >= 0) {
            remove(alike, hit, hash);
        } else if (hit == RunOwners.UNSURE) {
            waiting.add(hash);
        }
    }

    private void remove(LookAlikes alike, int entry, long hash) {
        table.remove(hash, alike.entry(entry), this::extendNew);
        count--;
    }

    private static boolean contains(long[] hashes, long hash) {
        for (long each : hashes) {
            if (each == hash) {
                return true;
            }
        }
        return false;
    }

    private static int firstHit(LookAlikes alike, long hash) {
        for (int i = 0; i < alike.slotCount(); i++) {
            if (alike.isPrefix(i, hash)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean areSure(LookAlikes alike, RunOwners owners, long hash) {
        for (int i = 0; i < alike.slotCount(); i++) {
            if (alike.isPrefix(i, hash) && !owners.isSure(i)) {
                return false;
            }
        }
        return true;
    }
}
