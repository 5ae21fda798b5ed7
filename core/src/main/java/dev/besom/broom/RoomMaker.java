package dev.besom.broom;

import dev.besom.adaptive.Extensions;
import dev.besom.adaptive.RunOwners;
import dev.besom.hash.Mix;

/** Shortens extensions where a bin and the spill have no room for another one. */
final class RoomMaker {

    private final FingerprintTable table;
    private final KnownKeys keys;
    private final long seed;
    private long forgotten;

    RoomMaker(FingerprintTable table, KnownKeys keys, long seed) {
        this.table = table;
        this.keys = keys;
        this.seed = seed;
    }

    /** How many extensions became shorter. */
    long forgotten() {
        return forgotten;
    }

    /** Makes room beside an entry; what tells stored keys apart is given up only if nothing else gives room. */
    boolean makeRoom(Entry entry, long query) {
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
        int[] extended = entry.area().extendedSlots(entry.bin());
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
        long[] hashes = keys.read(quotient, quotient);
        for (long like : hashes) {
            if (table.remainder(like) == remainder) {
                LookAlikes alike = keys.lookAlikes(like, hashes);
                int entry = alike.indexOf(place);
                RunOwners owners = RunOwners.of(alike);
                if (!owners.isSure(entry)) {
                    return false;
                }
                long owner = alike.hash(owners.ownerOf(entry));
                int length = Math.max(keepsKeysApart ? alike.lengthAmong(owner) : 0, lengthAgainstQuery(owner, query));
                return length < Extensions.length(place.extension()) && table.extend(place, owner, length);
            }
        }
        return false;
    }

    /** The shortest extension that tells a stored hash from a query. */
    private int lengthAgainstQuery(long owner, long query) {
        return table.isAlike(query, owner) && query != owner ? table.lengthBetween(owner, query) : 0;
    }
}
