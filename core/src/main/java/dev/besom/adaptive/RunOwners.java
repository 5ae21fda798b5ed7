package dev.besom.adaptive;

import java.util.Arrays;

/**
 * Finds out which stored hash owns which slot of a run. A run is a multiset: all that is known of a slot is which hashes
 * could own it. An assignment of slots to hashes is a matching in the graph of "could own".
 *
 * <p>Where the store and the run hold the same keys, every complete matching serves: if a slot is rewritten for the
 * hash that it is matched with, each hash still has a slot of its own. Where one side is ahead of the other (a key that
 * is stored and not in the filter yet, or in the filter and not stored yet), some hashes or slots are left over, and a
 * slot may be the property of something that the matching does not show. Such a slot is not <i>sure</i>: it is the one
 * left over, or can be reached from what is left over along edges that are alternately outside and inside the
 * matching, that is, exchanged with it. Sure slots may be rewritten, others must be left alone.
 *
 * <p>A key that is not stored yet has a slot that no repair has touched, unless it has been here before. So touched slots
 * are matched first, and an untouched one is left over where there is a choice. Slots with the same contents need not be
 * told apart.
 *
 * <p>Runs have a slot or two, so plain augmenting paths do: C. Berge: Two theorems in graph theory. PNAS 1957. What can
 * be exchanged with what is left over is the decomposition of A. L. Dulmage and N. S. Mendelsohn: Coverings of bipartite
 * graphs. Canadian Journal of Mathematics 1958.
 */
public final class RunOwners {

    /** Which hash could own which slot. */
    public interface Graph {
        /** The slots of the run. */
        int slotCount();

        /** The stored hashes of its quotient. */
        int hashCount();

        /** Whether a slot looks as it would if a hash owned it. */
        boolean couldOwn(int hash, int slot);

        /** Whether a repair has changed the slot. */
        boolean isTouched(int slot);

        /** Whether two slots hold the same. */
        boolean areEqual(int slot, int other);
    }

    /** No slot, or no hash. */
    public static final int NONE = -1;

    /** There is a slot, and no telling which. */
    public static final int UNSURE = -2;

    private final Graph graph;
    private final int slotCount;
    private final int hashCount;
    private final int[] ownerOf;
    private final int[] slotOf;
    private final boolean[] unsure;

    private RunOwners(Graph graph, int hashesFirst) {
        this.graph = graph;
        this.slotCount = graph.slotCount();
        this.hashCount = graph.hashCount();
        this.ownerOf = new int[slotCount];
        this.slotOf = new int[hashCount];
        this.unsure = new boolean[slotCount];
        Arrays.fill(ownerOf, NONE);
        Arrays.fill(slotOf, NONE);
        matchAll(true, hashesFirst);
        matchAll(false, hashesFirst);
    }

    /** The owners of all slots of a run. */
    public static RunOwners of(Graph graph) {
        RunOwners owners = new RunOwners(graph, graph.hashCount());
        owners.markFromHashesLeftOver();
        owners.markFromSlotsLeftOver();
        return owners;
    }

    /**
     * The slot that the last hash of the graph owns for sure, given that it owns one and that each of the others keeps
     * its own; {@link #NONE} if there is none for it, and {@link #UNSURE} if it cannot be told from one that is left over.
     */
    public static int slotOfLast(Graph graph) {
        int last = graph.hashCount() - 1;
        RunOwners owners = new RunOwners(graph, last);
        if (!owners.matchHash(last, true) && !owners.matchHash(last, false)) {
            return NONE;
        }
        owners.markFromSlotsLeftOver();
        int slot = owners.slotOf[last];
        return owners.unsure[slot] ? UNSURE : slot;
    }

    /** The hash that a slot is matched with; -1 if it is left over. */
    public int ownerOf(int slot) {
        return ownerOf[slot];
    }

    /** Whether a slot may be rewritten for its owner. */
    public boolean isSure(int slot) {
        return !unsure[slot];
    }

    private void matchAll(boolean touched, int hashLimit) {
        for (int slot = 0; slot < slotCount; slot++) {
            if (graph.isTouched(slot) == touched) {
                matchSlot(slot, hashLimit);
            }
        }
    }

    /** Finds an owner for a slot, by way of exchanges between the slots that have one. */
    private void matchSlot(int start, int hashLimit) {
        boolean[] seen = new boolean[hashLimit];
        int[] reachedFrom = new int[hashLimit];
        int[] queue = new int[slotCount];
        int queued = 0;
        queue[queued++] = start;
        for (int taken = 0; taken < queued; taken++) {
            int slot = queue[taken];
            for (int hash = 0; hash < hashLimit; hash++) {
                if (seen[hash] || !graph.couldOwn(hash, slot)) {
                    continue;
                }
                seen[hash] = true;
                reachedFrom[hash] = slot;
                if (slotOf[hash] == NONE) {
                    giveHashes(hash, reachedFrom);
                    return;
                }
                queue[queued++] = slotOf[hash];
            }
        }
    }

    private void giveHashes(int free, int[] reachedFrom) {
        int hash = free;
        while (hash != NONE) {
            int slot = reachedFrom[hash];
            int before = ownerOf[slot];
            ownerOf[slot] = hash;
            slotOf[hash] = slot;
            hash = before;
        }
    }

    /** Finds a slot for a hash, by way of exchanges between the hashes that have one. */
    private boolean matchHash(int start, boolean touched) {
        boolean[] seen = new boolean[slotCount];
        int[] reachedFrom = new int[slotCount];
        int[] queue = new int[hashCount];
        int queued = 0;
        queue[queued++] = start;
        for (int taken = 0; taken < queued; taken++) {
            int hash = queue[taken];
            for (int slot = 0; slot < slotCount; slot++) {
                if (seen[slot] || !graph.couldOwn(hash, slot)) {
                    continue;
                }
                seen[slot] = true;
                reachedFrom[slot] = hash;
                if (ownerOf[slot] != NONE) {
                    queue[queued++] = ownerOf[slot];
                } else if (graph.isTouched(slot) == touched) {
                    giveSlots(slot, reachedFrom);
                    return true;
                }
            }
        }
        return false;
    }

    private void giveSlots(int free, int[] reachedFrom) {
        int slot = free;
        while (slot != NONE) {
            int hash = reachedFrom[slot];
            int before = slotOf[hash];
            slotOf[hash] = slot;
            ownerOf[slot] = hash;
            slot = before;
        }
    }

    private void markFromHashesLeftOver() {
        int[] queue = new int[hashCount];
        boolean[] seen = new boolean[hashCount];
        int queued = 0;
        for (int hash = 0; hash < hashCount; hash++) {
            if (slotOf[hash] == NONE) {
                seen[hash] = true;
                queue[queued++] = hash;
            }
        }
        for (int taken = 0; taken < queued; taken++) {
            for (int slot = 0; slot < slotCount; slot++) {
                if (!graph.couldOwn(queue[taken], slot)) {
                    continue;
                }
                unsure[slot] = true;
                int owner = ownerOf[slot];
                if (owner != NONE && !seen[owner]) {
                    seen[owner] = true;
                    queue[queued++] = owner;
                }
            }
        }
    }

    private void markFromSlotsLeftOver() {
        int[] queue = new int[slotCount];
        boolean[] seen = new boolean[slotCount];
        int queued = 0;
        for (int slot = 0; slot < slotCount; slot++) {
            if (ownerOf[slot] == NONE) {
                seen[slot] = true;
                unsure[slot] = true;
                queue[queued++] = slot;
            }
        }
        for (int taken = 0; taken < queued; taken++) {
            for (int hash = 0; hash < hashCount; hash++) {
                int slot = slotOf[hash];
                if (slot != NONE
                        && !seen[slot]
                        && !graph.areEqual(slot, queue[taken])
                        && graph.couldOwn(hash, queue[taken])) {
                    seen[slot] = true;
                    unsure[slot] = true;
                    queue[queued++] = slot;
                }
            }
        }
    }
}
