package dev.besom.broom;

import dev.besom.Adaptation;
import dev.besom.AdaptationStatistics;
import dev.besom.StoredHashes;
import dev.besom.adaptive.Extensions;
import dev.besom.adaptive.RepairCounts;
import dev.besom.adaptive.RunOwners;
import dev.besom.adaptive.Tombstones;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;

/**
 * Fingerprints and their owners: puts fingerprints in, takes them out and lengthens them, by what the stored hashes say of
 * whose they are. A hash is here what the store has for it in its order: its position under the hash function it has now.
 */
final class Fingerprints {

    private final FingerprintTable table;
    private final StoredHashes stored;
    private final long seed;

    /** How long extensions were; under another hash function a key has another position, of which that says nothing. */
    private final Tombstones tombstones;

    private long count;

    private final RepairCounts counts = new RepairCounts();
    private long forgotten;

    private Fingerprints(FingerprintTable table, StoredHashes stored, long seed, Tombstones tombstones) {
        this.table = table;
        this.stored = stored;
        this.seed = seed;
        this.tombstones = tombstones;
    }

    static Fingerprints empty(BroomShape shape, StoredHashes stored) {
        return new Fingerprints(
                FingerprintTable.empty(shape), stored, shape.plan().seed(), noTombstones(shape));
    }

    private static Tombstones noTombstones(BroomShape shape) {
        return new Tombstones(shape.capacity(), shape.tombstoneWords());
    }

    /** Takes over the fingerprints of an image. */
    static Fingerprints read(BroomShape shape, StoredHashes stored, FilterImage image) {
        Fingerprints fingerprints = new Fingerprints(
                FingerprintTable.read(shape, image),
                stored,
                shape.plan().seed(),
                Tombstones.read(image.get(BroomForm.TOMBSTONES), noTombstones(shape)));
        fingerprints.count = image.get(BroomForm.COUNT);
        return fingerprints;
    }

    /** Sets the sections of an image, and the count. */
    void write(ImageForm.Writer writer) {
        table.write(writer);
        writer.set(BroomForm.COUNT, count).set(BroomForm.TOMBSTONES, tombstones.section());
    }

    FingerprintTable table() {
        return table;
    }

    long count() {
        return count;
    }

    /** How many extensions were shortened to make room. */
    long forgotten() {
        return forgotten;
    }

    AdaptationStatistics statistics() {
        return counts.statistics();
    }

    /** What is counted of repairs and of the store. */
    RepairCounts counts() {
        return counts;
    }

    /** Puts a fingerprint in; true if none was a prefix of the hash. */
    boolean insert(long hash) {
        table.checkRoom(hash);
        boolean isNew = true;
        int length = 0;
        LookAlikes alike = new LookAlikes(table, hash);
        if (alike.slotCount() > 0) {
            isNew = !isMet(alike, hash);
            length = isNew ? lengthAgainst(alike, hash) : tellApart(alike, hash);
        }
        table.add(hash, Math.max(length, tombstones.take(hash, count + 1)));
        count++;
        return isNew;
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
        alike.setHashes(read(hash), hash);
        alike.leaveOut(hash);
        RunOwners owners = RunOwners.of(alike);
        for (int i = 0; i < alike.slotCount(); i++) {
            if (!alike.isPrefix(i, hash) || !owners.isSure(i)) {
                continue;
            }
            long owner = alike.hash(owners.ownerOf(i));
            if (owner != hash) {
                int needed = lengthBetween(owner, hash);
                if (table.extend(alike.entry(i), owner, needed)) {
                    length = Math.max(length, needed);
                }
            }
        }
        return length;
    }

    /** The shortest extension that tells two hashes apart that look alike. */
    private int lengthBetween(long one, long another) {
        return Extensions.sharedBits(table.following(one), table.following(another)) + 1;
    }

    /** Takes out a fingerprint of a hash that nothing else needs; false, and no change, if there is none. */
    boolean delete(long hash) {
        if (!table.mightContain(hash)) {
            return false;
        }
        LookAlikes alike = new LookAlikes(table, hash);
        alike.setHashes(read(hash), hash);
        alike.putLast(hash);
        int owned = RunOwners.slotOfLast(alike);
        if (owned < 0) {
            return false;
        }
        int length = Extensions.length(alike.extension(owned));
        if (length > lengthAmongKeys(alike, hash)) {
            tombstones.put(hash, length, count);
        }
        remove(alike, owned, hash);
        return true;
    }

    long sizeInBits() {
        return table.sizeInBits() + tombstones.sizeInBits();
    }

    /** Lengthens all fingerprints that are prefixes of a hash that is not stored. */
    Adaptation repair(long hash) {
        long[] hashes = read(hash);
        boolean hasForgotten = false;
        LookAlikes alike = lookAlikes(hash, hashes);
        for (int hit = firstHit(alike, hash); hit >= 0; hit = firstHit(alike, hash)) {
            RunOwners owners = RunOwners.of(alike);
            if (alike.hasHash(hash) || !areSure(alike, owners, hash)) {
                return counts.counted(Adaptation.INSEPARABLE);
            }
            long owner = alike.hash(owners.ownerOf(hit));
            if (!table.extend(alike.entry(hit), owner, lengthBetween(owner, hash))) {
                if (!makeRoom(alike.entry(hit), hash)) {
                    return counts.counted(Adaptation.INSEPARABLE);
                }
                hasForgotten = true;
            }
            // What was lengthened or shortened may have other owners now.
            alike = lookAlikes(hash, hashes);
        }
        return counts.counted(hasForgotten ? Adaptation.FORGOT : Adaptation.FIXED);
    }

    /**
     * Takes out the fingerprints of positions that have one each and are not in the store. If only one fingerprint is a
     * prefix of a position, that is its own.
     */
    void removeKnown(long[] positions, int size) {
        for (int i = 0; i < size; i++) {
            long hash = positions[i];
            LookAlikes alike = new LookAlikes(table, hash);
            int hit = firstHit(alike, hash);
            for (int other = hit + 1; other < alike.slotCount() && hit >= 0; other++) {
                hit = alike.isPrefix(other, hash) ? -1 : hit;
            }
            if (hit < 0) {
                alike.setHashes(read(hash), hash);
                for (int other = i + 1; other < size; other++) {
                    if (table.quotient(positions[other]) == table.quotient(hash)
                            && table.remainder(positions[other]) == table.remainder(hash)) {
                        alike.addHash(positions[other]);
                    }
                }
                alike.addHash(hash);
                hit = RunOwners.slotOfLast(alike);
            }
            if (hit >= 0) {
                remove(alike, hit, hash);
            }
        }
    }

    private void remove(LookAlikes alike, int entry, long hash) {
        table.remove(hash, alike.entry(entry));
        count--;
    }

    private LookAlikes lookAlikes(long hash, long[] hashesOfQuotient) {
        LookAlikes alike = new LookAlikes(table, hash);
        alike.setHashes(hashesOfQuotient, hash);
        return alike;
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

    /** Makes room beside an entry; what tells stored keys apart is given up only if nothing else gives room. */
    private boolean makeRoom(Entry entry, long query) {
        return entry instanceof Entry.InBin place && (forget(place, query, true) || forget(place, query, false));
    }

    /**
     * Shortens a quarter of the extensions of an entry's bin, at least one, as far as owners are certain, to what tells
     * stored keys from each other and from a query. Which quarter is left to chance, so that nobody can aim at a repair.
     *
     * @param keepsKeysApart false: stored keys need not be told apart
     * @return whether any became shorter
     */
    private boolean forget(Entry.InBin entry, long query, boolean keepsKeysApart) {
        int[] extended = entry.area().extensions.extendedSlots(entry.bin());
        if (extended.length == 0) {
            return false;
        }
        int wanted = (extended.length + 3) / 4;
        int turn = Math.floorMod(Mix.expand(forgotten, seed, entry.bin()), extended.length);
        int done = 0;
        for (int i = 0; i < extended.length && done < wanted; i++) {
            int slot = extended[(turn + i) % extended.length];
            if (slot != entry.slot() && shorten(entry.area().entry(entry.bin(), slot), query, keepsKeysApart)) {
                done++;
            }
        }
        forgotten += done;
        return done > 0;
    }

    private boolean shorten(Entry.InBin place, long query, boolean keepsKeysApart) {
        long quotient = place.area().quotientOf(place.bin(), place.slot());
        long remainder = place.area().remainderOf(place.bin(), place.slot());
        long[] hashes = read(quotient, quotient);
        for (long like : hashes) {
            if (table.remainder(like) == remainder) {
                LookAlikes alike = lookAlikes(like, hashes);
                int entry = alike.indexOf(place);
                RunOwners owners = RunOwners.of(alike);
                if (!owners.isSure(entry)) {
                    return false;
                }
                long owner = alike.hash(owners.ownerOf(entry));
                int length =
                        Math.max(keepsKeysApart ? lengthAmongKeys(alike, owner) : 0, lengthAgainstQuery(owner, query));
                return length < Extensions.length(place.extension()) && table.extend(place, owner, length);
            }
        }
        return false;
    }

    /** The shortest extension that tells a stored hash from all others that look like it. */
    private int lengthAmongKeys(LookAlikes alike, long owner) {
        int length = 0;
        for (int i = 0; i < alike.hashCount(); i++) {
            if (alike.hash(i) != owner) {
                length = Math.max(length, lengthBetween(owner, alike.hash(i)));
            }
        }
        return length;
    }

    /** The shortest extension that tells a stored hash from a query. */
    private int lengthAgainstQuery(long owner, long query) {
        boolean isAlike =
                table.quotient(query) == table.quotient(owner) && table.remainder(query) == table.remainder(owner);
        return isAlike && query != owner ? lengthBetween(owner, query) : 0;
    }

    /** The stored hashes with the quotient of a hash. */
    private long[] read(long hash) {
        long quotient = table.quotient(hash);
        return read(quotient, quotient);
    }

    long[] read(long low, long high) {
        counts.countRangeRead();
        return stored.between(table.firstHash(low), table.lastHash(high));
    }
}
