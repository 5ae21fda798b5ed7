package dev.besom.cuckoo;

import dev.besom.StoredHashes;
import dev.besom.bits.BitVector;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/**
 * Finds out which stored hash owns which slot: of a table that was read from a file, or of one in which some owners are not
 * known still.
 *
 * <p>All that is known of a slot is which hashes could own it: those that have it among their slots and would be hit there.
 * Nearly all hashes could own one slot only. The others are matched by exchanges along shortest paths, as if a hash that could
 * own a slot kicked out the one that it was given to.
 *
 * <p>Where the store and the table hold the same keys, each complete matching serves: whatever is done to a slot for the hash
 * that it is matched with, each hash keeps a slot of its own. Where keys are in flight, some hashes or slots are left over,
 * and a slot that can be exchanged with what is left over may be of a key that nobody sees. Such slots get no owner.
 * Owners that were known before are certain, and stay.
 *
 * <p>Cost: one pass over the stored hashes, and a few over the slots.
 *
 * <p>A. L. Dulmage and N. S. Mendelsohn: Coverings of bipartite graphs. Canadian Journal of Mathematics 1958.
 */
final class OwnerSearch implements KickSearch.Moves {

    /** What there is to know of the table. */
    interface Table {

        long slotCount();

        boolean isUsed(long slot);

        /**
         * The slots in use that a hash could own.
         *
         * @param slots takes them
         * @return how many there are
         */
        int collectOwnable(long hash, long[] slots);
    }

    private static final int KNOWN = -1;

    private final Table table;
    private final SlotOwners owners;

    /** Slots in use without an owner that was known before. */
    private final BitVector open;

    private final KickSearch search = new KickSearch(this, Integer.MAX_VALUE);
    private final long[] starts = new long[KickSearch.MOST_MOVES];
    private final LongStream.Builder leftOver = LongStream.builder();
    private boolean hasHash;
    private long lastHash;

    private OwnerSearch(Table table, SlotOwners owners) {
        this.table = table;
        this.owners = owners;
        this.open = new BitVector(table.slotCount());
        for (long slot = 0; slot < table.slotCount(); slot++) {
            if (table.isUsed(slot) && !owners.isKnown(slot)) {
                open.set(slot);
            }
        }
    }

    /**
     * Adds the owners that are certain; their slots count as touched. If the store fails, none is added.
     *
     * @param inFlight ascending hashes of keys that have slots and may not be stored yet
     * @return how many slots have no owner still
     */
    static long complete(Table table, SlotOwners owners, StoredHashes stored, long[] inFlight) {
        OwnerSearch search = new OwnerSearch(table, owners);
        boolean isRead = false;
        try {
            Merged merged = search.new Merged(inFlight);
            stored.forEachBetween(0, -1L, merged);
            merged.end();
            isRead = true;
        } finally {
            if (!isRead) {
                search.forgetAll();
            }
        }
        search.forgetReached();
        search.forgetExchangeable();
        return search.unknownCount();
    }

    /** Matches stored hashes and hashes in flight in one ascending row. */
    private final class Merged implements LongConsumer {

        private final long[] inFlight;
        private int next;

        Merged(long[] inFlight) {
            this.inFlight = inFlight;
        }

        @Override
        public void accept(long storedHash) {
            while (next < inFlight.length && Long.compareUnsigned(inFlight[next], storedHash) < 0) {
                match(inFlight[next++]);
            }
            match(storedHash);
        }

        void end() {
            while (next < inFlight.length) {
                match(inFlight[next++]);
            }
        }
    }

    private void forgetAll() {
        for (long slot = 0; slot < table.slotCount(); slot++) {
            if (open.get(slot)) {
                owners.clear(slot);
            }
        }
    }

    private void match(long hash) {
        if (hasHash && hash == lastHash) {
            return; // equal hashes share a slot
        }
        hasHash = true;
        lastHash = hash;
        int count = collectOpen(hash, starts);
        if (count == KNOWN) {
            return;
        }
        for (int i = 0; i < count; i++) {
            if (!owners.isKnown(starts[i])) {
                own(starts[i], hash);
                return;
            }
        }
        long slot = search.free(starts, count);
        if (slot < 0) {
            leftOver.accept(hash);
        } else {
            own(slot, hash);
        }
    }

    /** The open slots that a hash could own; how many there are, or that it is known to own another one. */
    private int collectOpen(long hash, long[] slots) {
        int all = table.collectOwnable(hash, slots);
        int found = 0;
        for (int i = 0; i < all; i++) {
            if (open.get(slots[i])) {
                slots[found++] = slots[i];
            } else if (owners.isOwner(slots[i], hash)) {
                return KNOWN;
            }
        }
        return found;
    }

    private void own(long slot, long hash) {
        owners.set(slot, hash);
        owners.touch(slot);
    }

    /** Gives up what can be exchanged with hashes that are left over. */
    private void forgetReached() {
        LongStream.Builder unsure = LongStream.builder();
        for (long hash : leftOver.build().toArray()) {
            search.free(starts, collectOpen(hash, starts));
            for (int i = 0; i < search.reachedCount(); i++) {
                unsure.accept(search.reached(i));
            }
        }
        for (long slot : unsure.build().toArray()) {
            owners.clear(slot);
        }
    }

    /** Gives up what can be exchanged with slots that are left over, and what can be exchanged with that, and so on. */
    private void forgetExchangeable() {
        boolean isChanged = true;
        while (isChanged) {
            isChanged = false;
            for (long slot = 0; slot < table.slotCount(); slot++) {
                if (open.get(slot) && owners.isKnown(slot) && couldOwnAnother(owners.hash(slot))) {
                    owners.clear(slot);
                    isChanged = true;
                }
            }
        }
    }

    private boolean couldOwnAnother(long hash) {
        int count = collectOpen(hash, starts);
        for (int i = 0; i < count; i++) {
            if (!owners.isKnown(starts[i])) {
                return true;
            }
        }
        return false;
    }

    private long unknownCount() {
        long unknown = 0;
        for (long slot = 0; slot < table.slotCount(); slot++) {
            unknown += open.get(slot) && !owners.isKnown(slot) ? 1 : 0;
        }
        return unknown;
    }

    @Override
    public int collect(long slot, long[] slots) {
        int count = collectOpen(owners.hash(slot), slots);
        for (int i = 0; i < count; i++) {
            if (!owners.isKnown(slots[i])) {
                slots[0] = slots[i];
                return FREE;
            }
        }
        return count;
    }

    @Override
    public void move(long from, long to) {
        owners.move(from, to);
    }
}
