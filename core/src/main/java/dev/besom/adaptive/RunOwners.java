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
 * told apart: what is matched are hashes and contents, and contents take as many hashes as there are slots that hold them.
 *
 * <pre>
 *   hashes      h0    h1    h2    h3          h0 and h1 look alike, and so do h2 and h3
 *                |  \/ |     |  \/ |
 *                |  /\ |     |  /\ |
 *   contents    A, two slots   B    C         each named by the first slot that holds it
 * </pre>
 *
 * <p>Cost: runs have a slot or two. But whoever stores hashes that are none, and share their upper bits, makes a run of
 * them all. A hash could own one contents for each length of tag in the run, so there are few edges for each hash; and they are
 * gone through once for each length of a shortest path, of which there are at most about twice the square root of the
 * number of hashes, and in fact a few. {@link #steps()} counts them.
 *
 * <p>C. Berge: Two theorems in graph theory. PNAS 1957. J. E. Hopcroft and R. M. Karp: An n^5/2 algorithm for maximum
 * matchings in bipartite graphs. SIAM Journal on Computing 1973. What can be exchanged with what is left over is the
 * decomposition of A. L. Dulmage and N. S. Mendelsohn: Coverings of bipartite graphs. Canadian Journal of Mathematics 1958.
 */
public final class RunOwners {

    /** Which hash could own which slot. */
    public interface Graph {
        /** The slots of the run. */
        int slotCount();

        /** The stored hashes of its quotient. */
        int hashCount();

        /** The first slot that holds the same as a slot. */
        int firstLike(int slot);

        /**
         * The slots that look as they would if a hash owned them, of those with the same contents the first.
         *
         * @param slots takes them
         * @return how many there are
         */
        int collectOwnable(int hash, int[] slots);

        /** Whether a repair has changed the slot. */
        boolean isTouched(int slot);
    }

    /** No slot, or no hash. */
    public static final int NONE = -1;

    /** There is a slot, and no telling which. */
    public static final int UNSURE = -2;

    private final Graph graph;
    private final int slotCount;
    private final int hashCount;

    /** The contents of each slot. */
    private final int[] firstLike;

    /** Slots of contents that have no owner. */
    private final int[] room;

    /** The contents that each hash could own, and the hashes that could own each contents. */
    private final Edges ownable;

    private final Edges claimants;

    /** The contents that a hash is matched with. */
    private final int[] contentsOf;

    /** The length of a shortest path from contents with room to others; {@link #NONE} if there is none that is of use. */
    private final int[] layer;

    private final int[] queue;

    /** Contents that a hash which is left over could own, by way of exchanges. */
    private final boolean[] wanted;

    /** Hashes that could own a slot that is left over, by way of exchanges. */
    private final boolean[] exchangeable;

    private int[] ownerOf = {};
    private long steps;

    private RunOwners(Graph graph, int hashesFirst) {
        this.graph = graph;
        this.slotCount = graph.slotCount();
        this.hashCount = graph.hashCount();
        this.firstLike = new int[slotCount];
        this.room = new int[slotCount];
        for (int slot = 0; slot < slotCount; slot++) {
            firstLike[slot] = graph.firstLike(slot);
            room[firstLike[slot]]++;
        }
        this.ownable = Edges.of(graph);
        this.claimants = ownable.reversed(slotCount);
        this.contentsOf = new int[hashCount];
        this.layer = new int[slotCount];
        this.queue = new int[Math.max(slotCount, hashCount)];
        this.wanted = new boolean[slotCount];
        this.exchangeable = new boolean[hashCount];
        Arrays.fill(contentsOf, NONE);
        matchSlots(true, hashesFirst);
        matchSlots(false, hashesFirst);
    }

    /** The owners of all slots of a run. */
    public static RunOwners of(Graph graph) {
        RunOwners owners = new RunOwners(graph, graph.hashCount());
        owners.markFromHashesLeftOver();
        owners.markFromSlotsLeftOver();
        owners.ownerOf = owners.owners();
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
        return owners.exchangeable[last] ? UNSURE : owners.contentsOf[last];
    }

    /** The hash that a slot is matched with; -1 if it is left over. */
    public int ownerOf(int slot) {
        return ownerOf[slot];
    }

    /** Whether a slot may be rewritten for its owner. */
    public boolean isSure(int slot) {
        int owner = ownerOf[slot];
        return owner != NONE && !wanted[firstLike[slot]] && !exchangeable[owner];
    }

    /** How many edges were looked at. */
    public long steps() {
        return steps;
    }

    /** Spreads the hashes that contents are matched with over the slots that hold them. */
    private int[] owners() {
        int[] nextAlike = new int[slotCount];
        int[] lastSeen = new int[slotCount];
        for (int slot = slotCount - 1; slot >= 0; slot--) {
            // A first slot comes before all others that hold the same, so it is where the chain of them starts.
            nextAlike[slot] = lastSeen[firstLike[slot]];
            lastSeen[firstLike[slot]] = slot;
        }
        int[] owners = new int[slotCount];
        Arrays.fill(owners, NONE);
        for (int hash = 0; hash < hashCount; hash++) {
            if (contentsOf[hash] != NONE) {
                int slot = lastSeen[contentsOf[hash]];
                lastSeen[contentsOf[hash]] = nextAlike[slot];
                owners[slot] = hash;
            }
        }
        return owners;
    }

    private boolean isContents(int slot) {
        return firstLike[slot] == slot;
    }

    /** Finds owners for as many slots as possible that are touched, or are not, by way of exchanges between all of them. */
    private void matchSlots(boolean touched, int hashLimit) {
        int[] path = new int[slotCount];
        int[] by = new int[slotCount];
        while (findLayers(touched, hashLimit)) {
            int[] next = claimants.starts.clone();
            for (int slot = 0; slot < slotCount; slot++) {
                while (layer[slot] == 0 && room[slot] > 0 && findHash(slot, hashLimit, next, path, by)) {
                    room[slot]--;
                }
            }
        }
    }

    /** Measures how far contents are from those that have room; false if no hash is free that they could take. */
    private boolean findLayers(boolean touched, int hashLimit) {
        Arrays.fill(layer, NONE);
        int queued = 0;
        for (int slot = 0; slot < slotCount; slot++) {
            if (isContents(slot) && room[slot] > 0 && graph.isTouched(slot) == touched) {
                layer[slot] = 0;
                queue[queued++] = slot;
            }
        }
        int mostLayer = Integer.MAX_VALUE;
        for (int taken = 0; taken < queued && layer[queue[taken]] <= mostLayer; taken++) {
            int contents = queue[taken];
            for (int at = claimants.start(contents); at < claimants.end(contents); at++) {
                steps++;
                int hash = claimants.target(at);
                int other = hash < hashLimit ? contentsOf[hash] : contents;
                if (other == NONE) {
                    mostLayer = layer[contents];
                } else if (layer[other] == NONE) {
                    layer[other] = layer[contents] + 1;
                    queue[queued++] = other;
                }
            }
        }
        return mostLayer != Integer.MAX_VALUE;
    }

    /**
     * Gives contents one more hash, which others may lose that get another one, along a shortest path to a hash that is free.
     *
     * @param next which of their edges contents try next; those before are of no use any more
     * @param path takes contents, from the first to those that get the free hash
     * @param by takes the hashes that they get from the next ones
     */
    private boolean findHash(int first, int hashLimit, int[] next, int[] path, int[] by) {
        int depth = 0;
        path[0] = first;
        while (depth >= 0) {
            int contents = path[depth];
            if (next[contents] == claimants.end(contents)) {
                depth--;
                continue;
            }
            steps++;
            int hash = claimants.target(next[contents]++);
            if (hash >= hashLimit) {
                continue;
            }
            int other = contentsOf[hash];
            by[depth] = hash;
            if (other == NONE) {
                for (int at = depth; at >= 0; at--) {
                    contentsOf[by[at]] = path[at];
                }
                return true;
            }
            if (layer[other] == layer[contents] + 1) {
                path[++depth] = other;
            }
        }
        return false;
    }

    /** Finds a slot for a hash, by way of exchanges between the hashes that have one. */
    private boolean matchHash(int start, boolean touched) {
        int[] reachedFrom = new int[slotCount];
        Arrays.fill(reachedFrom, NONE);
        int queued = 0;
        queue[queued++] = start;
        for (int taken = 0; taken < queued; taken++) {
            int hash = queue[taken];
            for (int at = ownable.start(hash); at < ownable.end(hash); at++) {
                int contents = ownable.target(at);
                if (reachedFrom[contents] != NONE) {
                    continue;
                }
                reachedFrom[contents] = hash;
                if (room[contents] > 0 && graph.isTouched(contents) == touched) {
                    room[contents]--;
                    give(contents, reachedFrom);
                    return true;
                }
                queued = queueOwners(contents, queued);
            }
        }
        return false;
    }

    private void give(int free, int[] reachedFrom) {
        int contents = free;
        while (contents != NONE) {
            int hash = reachedFrom[contents];
            int before = contentsOf[hash];
            contentsOf[hash] = contents;
            contents = before;
        }
    }

    /** Puts the hashes that contents are matched with into the queue; returns how many there are in it. */
    private int queueOwners(int contents, int queuedBefore) {
        int queued = queuedBefore;
        for (int at = claimants.start(contents); at < claimants.end(contents); at++) {
            steps++;
            int hash = claimants.target(at);
            if (contentsOf[hash] == contents) {
                queue[queued++] = hash;
            }
        }
        return queued;
    }

    private void markFromHashesLeftOver() {
        int queued = 0;
        for (int hash = 0; hash < hashCount; hash++) {
            if (contentsOf[hash] == NONE) {
                queue[queued++] = hash;
            }
        }
        for (int taken = 0; taken < queued; taken++) {
            int hash = queue[taken];
            for (int at = ownable.start(hash); at < ownable.end(hash); at++) {
                int contents = ownable.target(at);
                if (!wanted[contents]) {
                    wanted[contents] = true;
                    queued = queueOwners(contents, queued);
                }
            }
        }
    }

    private void markFromSlotsLeftOver() {
        boolean[] seen = new boolean[slotCount];
        int queued = 0;
        for (int slot = 0; slot < slotCount; slot++) {
            if (room[slot] > 0) {
                seen[slot] = true;
                queue[queued++] = slot;
            }
        }
        for (int taken = 0; taken < queued; taken++) {
            int contents = queue[taken];
            for (int at = claimants.start(contents); at < claimants.end(contents); at++) {
                steps++;
                int hash = claimants.target(at);
                int other = contentsOf[hash];
                if (other == NONE || other == contents) {
                    continue;
                }
                exchangeable[hash] = true;
                if (!seen[other]) {
                    seen[other] = true;
                    queue[queued++] = other;
                }
            }
        }
    }

    /** Lists of numbers, one behind the other: for each hash the contents, or for each contents the hashes. */
    private static final class Edges {

        private final int[] starts;
        private final int[] targets;

        private Edges(int[] starts, int[] targets) {
            this.starts = starts;
            this.targets = targets;
        }

        static Edges of(Graph graph) {
            int hashCount = graph.hashCount();
            int[] starts = new int[hashCount + 1];
            int[] targets = new int[2 * hashCount];
            int[] found = new int[graph.slotCount()];
            int size = 0;
            for (int hash = 0; hash < hashCount; hash++) {
                int count = graph.collectOwnable(hash, found);
                if (size + count > targets.length) {
                    targets = Arrays.copyOf(targets, 2 * (size + count));
                }
                System.arraycopy(found, 0, targets, size, count);
                size += count;
                starts[hash + 1] = size;
            }
            return new Edges(starts, Arrays.copyOf(targets, size));
        }

        /** The same edges from their other ends, of which there are so many. */
        Edges reversed(int count) {
            int[] otherStarts = new int[count + 1];
            for (int target : targets) {
                otherStarts[target + 1]++;
            }
            for (int i = 0; i < count; i++) {
                otherStarts[i + 1] += otherStarts[i];
            }
            int[] next = otherStarts.clone();
            int[] sources = new int[targets.length];
            for (int source = 0; source + 1 < starts.length; source++) {
                for (int at = starts[source]; at < starts[source + 1]; at++) {
                    sources[next[targets[at]]++] = source;
                }
            }
            return new Edges(otherStarts, sources);
        }

        int start(int number) {
            return starts[number];
        }

        int end(int number) {
            return starts[number + 1];
        }

        int target(int at) {
            return targets[at];
        }
    }
}
