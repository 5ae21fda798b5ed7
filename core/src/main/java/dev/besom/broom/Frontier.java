package dev.besom.broom;

import dev.besom.FilterFullException;
import dev.besom.StoredHashes;
import dev.besom.stored.Positions;
import dev.besom.stored.Rehash;
import dev.besom.stored.RehashableHashes;
import org.jspecify.annotations.Nullable;

/**
 * Which hash function keys have, and how they change to the next one: some keys for each collision that left an extension
 * behind, so that extensions are given up as fast as they come.
 *
 * <p>The keys of one cell move at a time: in the filter to their new places, then in the store, then in the filter from their
 * old places. At each moment the filter holds what the store holds. Where any of these steps fails, it is found out before
 * the next change of the filter what the store has done, and the places that are too many are given up.
 *
 * <p>Keys move only while filter and store hold the same number of keys: a key that one of them lacks would be left behind.
 * What could not move then is owed, and moves later.
 */
final class Frontier {

    /** In each step a bin loses an eighth of its keys: five or six, of a deviation of seven. Each costs a read and a write. */
    private static final int MOST_STEP_BITS = 3;

    /** No more cells are looked at than so many for each key that should move. */
    private static final int MOST_CELLS_PER_MOVE = 4;

    /** The part of the spill that is taken when as many keys move as planned. */
    private static final double USED_AS_PLANNED = 0.75;

    /** The part of the planned moves that are made at least. */
    private static final double LEAST_MOVES = 0.25;

    /** Of what is owed, no more than the moves of so many collisions are made at a time. */
    private static final int MOST_AT_ONCE = 2;

    /** The store, if it can change to another hash function. */
    private final @Nullable RehashableHashes able;

    private final Fingerprints fingerprints;
    private final BroomShape shape;

    private Rehash rehash;

    /** Where hashes are. */
    private Positions positions;

    /** Whether positions are other than hashes, which in a young filter they are not. */
    private boolean isRehashed;

    private @Nullable CellMove unsettled;
    private long owed;

    Frontier(BroomShape shape, StoredHashes stored, Rehash rehash, Fingerprints fingerprints) {
        this.shape = shape;
        this.able = stored instanceof RehashableHashes rehashable ? rehashable : null;
        this.rehash = rehash;
        this.positions = rehash.positions();
        this.isRehashed = !rehash.equals(Rehash.NONE);
        this.fingerprints = fingerprints;
    }

    Rehash rehash() {
        return rehash;
    }

    /** Whether positions may be other than hashes. */
    boolean isRehashed() {
        return isRehashed;
    }

    /** Where a hash is now. */
    long position(long hash) {
        return isRehashed ? positions.of(hash) : hash;
    }

    /** Notes that extensions became longer for good, so often, and that keys have to move for it. */
    void owe(long collisions) {
        if (able != null) {
            owed = Math.min(owed + collisions * movesPerCollision(), fingerprints.count());
        }
    }

    /**
     * How many keys move for a collision: few while bins hold their extensions, as many as planned when three quarters of the
     * spill are taken, and more beyond that.
     */
    private long movesPerCollision() {
        double used = fingerprints.table().budget.used();
        return (long) Math.ceil(shape.plan().moves() * Math.max(LEAST_MOVES, used / USED_AS_PLANNED));
    }

    /** Whether no keys have to move. */
    boolean owesNothing() {
        return owed == 0;
    }

    /** Moves keys to the next hash function, if any are owed and nothing is in flight. */
    void advance() {
        RehashableHashes store = able;
        if (owed == 0 || store == null || store.count() != fingerprints.count()) {
            return;
        }
        fingerprints.nothingIsInFlight();
        if (rehash.isIdle()) {
            begin(store);
        }
        long wanted = Math.min(owed, MOST_AT_ONCE * movesPerCollision());
        long moved = 0;
        for (long cells = 0; moved < wanted && cells < MOST_CELLS_PER_MOVE * wanted && !rehash.isIdle(); cells++) {
            CellMove move = new CellMove(rehash, readCell(store));
            if (!tryMove(store, move)) {
                return;
            }
            moved += move.size();
            owed = Math.max(0, owed - move.size());
        }
    }

    private void begin(RehashableHashes store) {
        // Blocks no larger than bins, and cells of a few keys.
        int blockBits = Math.max(1, bits(shape.bins() - 1) - Rehash.PART_BITS);
        int stepBits = Math.max(1, Math.min(MOST_STEP_BITS, bits(shape.capacity()) - Rehash.PART_BITS - blockBits));
        store.begin(rehash.begun(isRehashed ? rehash.seed() : shape.plan().seed(), blockBits, stepBits));
        setRehash(store.rehash());
    }

    private static int bits(long number) {
        return Long.SIZE - Long.numberOfLeadingZeros(number);
    }

    private void setRehash(Rehash changed) {
        rehash = changed;
        positions = changed.positions();
        isRehashed = true;
    }

    private long[] readCell(RehashableHashes store) {
        fingerprints.counts().countRangeRead();
        return store.oldBetween(rehash.firstOfCell(), rehash.lastOfCell());
    }

    /** Moves the keys of a cell; false, and no change, if there is no room for them. */
    private boolean tryMove(RehashableHashes store, CellMove move) {
        unsettled = move;
        try {
            while (move.hasMoreToAdd()) {
                fingerprints.insertStored(move.nextToAdd());
                move.added();
            }
        } catch (FilterFullException e) {
            settle();
            return false;
        }
        store.moveCell();
        settle();
        return true;
    }

    /**
     * Ends a move that was begun: the fingerprints of each key at one of its two places are given up, which of them depends on what
     * the store has done. If this fails it is done before the next change.
     */
    void settle() {
        CellMove move = unsettled;
        RehashableHashes store = able;
        if (move == null || store == null) {
            return;
        }
        Rehash now = store.rehash();
        if (!now.equals(rehash)) {
            setRehash(now);
            fingerprints.counts().countMove(move.size());
        }
        if (now.equals(move.before())) {
            move.giveUpAdded(fingerprints);
        } else {
            move.giveUpOld(fingerprints);
        }
        unsettled = null;
    }
}
