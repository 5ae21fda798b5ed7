package dev.besom.cuckoo;

import java.util.Arrays;

/**
 * Finds room for a key whose slots are all taken: the shortest row of fingerprints of which each can move to the slot of the
 * next, and the last to a free one. Nothing moves before the row is complete, so an insert that fails has changed nothing,
 * and there is never a fingerprint without a slot.
 *
 * <pre>
 *   new key  --&gt;  slot of A  --&gt;  slot of B  --&gt;  free slot       first B moves, then A, then the new key is written
 *
 *   reached   | slots of the new key | slots that their fingerprints may move to | ... each once, in the order of distance
 *   table     where in {@code reached} a slot is, by open addressing. An entry counts only if it points to what is there and
 *             that points back, so nothing has to be cleared before the next search
 * </pre>
 *
 * The search goes by breadth, and looks whether a fingerprint can move to a free slot as soon as it is reached. No more slots
 * are looked at than in a random walk, and far fewer are written. A free slot that is one move away, which most are, is found
 * without noting anything.
 *
 * <p>Cost: 24 bytes for each slot that the longest search has reached so far, in powers of two.
 */
final class KickSearch {

    /** What fingerprints can move where. */
    interface Moves {

        /** {@link #collect} found a slot that is free, and it is the only one that it gave. */
        int FREE = -1;

        /**
         * Where the fingerprint of a slot may move to.
         *
         * @param slots takes the slots; there is room for {@link #MOST_MOVES}
         * @return how many there are, none of them free; or {@link #FREE} if one is, which is the only one given then
         */
        int collect(long slot, long[] slots);

        /** Moves a fingerprint to a free slot, which {@link #collect} gave for it. */
        void move(long from, long to);
    }

    /** The most slots that a fingerprint may move to. */
    static final int MOST_MOVES = 8;

    private static final int NONE = -1;
    private static final int FIRST_LENGTH = 64;
    private static final long SCATTER = 0x9E3779B97F4A7C15L;

    private final Moves moves;
    private final int mostSlots;
    private final long[] next = new long[MOST_MOVES];
    private final long[] afterNext = new long[MOST_MOVES];
    private long[] reached = {};
    private int[] parents = {};
    private int[] entries = {};
    private int[] table = {};
    private int tableShift;
    private int size;

    /**
     * @param mostSlots how many slots are reached before the search ends without success
     */
    KickSearch(Moves moves, int mostSlots) {
        this.moves = moves;
        this.mostSlots = mostSlots;
    }

    /**
     * Frees one of some slots, all of which are taken.
     *
     * @param starts the slots
     * @param startCount how many they are
     * @return the slot that is free now; -1, and no change, if none was found
     */
    long free(long[] starts, int startCount) {
        size = 0;
        for (int i = 0; i < startCount; i++) {
            if (moves.collect(starts[i], next) == Moves.FREE) {
                moves.move(starts[i], next[0]);
                return starts[i];
            }
        }
        return freeByMoves(starts, startCount);
    }

    /** {@link #free} where no free slot is one move away. */
    long freeByMoves(long[] starts, int startCount) {
        size = 0;
        int at = find(starts, startCount);
        if (at == NONE) {
            return NONE;
        }
        for (; parents[at] != NONE; at = parents[at]) {
            moves.move(reached[parents[at]], reached[at]);
        }
        return reached[at];
    }

    /** How many slots the last search has reached, if it has failed. */
    int reachedCount() {
        return size;
    }

    /** A slot that the last search has reached, if it has failed. */
    long reached(int index) {
        return reached[index];
    }

    /** The index of a free slot that was reached, which is not one move away; -1 if there is none. */
    private int find(long[] starts, int startCount) {
        for (int i = 0; i < startCount; i++) {
            reach(starts[i], NONE);
        }
        for (int parent = 0; parent < size && size < mostSlots; parent++) {
            int found = moves.collect(reached[parent], next);
            for (int i = 0; i < found; i++) {
                if (reach(next[i], parent) && moves.collect(next[i], afterNext) == Moves.FREE) {
                    reach(afterNext[0], size - 1);
                    return size - 1;
                }
            }
        }
        return NONE;
    }

    /** Notes a slot; false if it was noted before. */
    private boolean reach(long slot, int parent) {
        if (size == reached.length) {
            lengthen();
        }
        int entry = entry(slot);
        if (isOf(entry)) {
            return false;
        }
        reached[size] = slot;
        parents[size] = parent;
        entries[size] = entry;
        table[entry] = size++;
        return true;
    }

    /** The entry of a slot in the table, or where it would be. */
    private int entry(long slot) {
        int entry = (int) ((slot * SCATTER) >>> tableShift);
        while (isOf(entry) && reached[table[entry]] != slot) {
            entry = (entry + 1) & (table.length - 1);
        }
        return entry;
    }

    private boolean isOf(int entry) {
        int index = table[entry];
        return index < size && entries[index] == entry;
    }

    private void lengthen() {
        int length = Math.max(FIRST_LENGTH, 2 * size);
        reached = Arrays.copyOf(reached, length);
        parents = Arrays.copyOf(parents, length);
        entries = new int[length];
        table = new int[2 * length];
        tableShift = Long.numberOfLeadingZeros(table.length) + 1;
        int all = size;
        for (size = 0; size < all; size++) {
            int entry = entry(reached[size]);
            entries[size] = entry;
            table[entry] = size;
        }
    }
}
