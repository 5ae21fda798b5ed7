package dev.besom.quotient;

import dev.besom.FilterFullException;

/**
 * Grows a telescoping filter little by little, while it goes on answering and being changed, and keeps its repairs.
 *
 * <pre>
 *   old filter   | quotients that have moved | the others        |     answers every question
 *                |             |             |                   |
 *   new filter   | their keys, with their selectors |            |     answers none before the end
 * </pre>
 *
 * Whoever changes the old filter makes the same change in the new one for hashes that {@linkplain #hasMoved have moved};
 * the rest is read from the stored hashes when its turn comes. So a key must be in the old filter or the store at any
 * time, and one that is in the filter only must be put into the new one by whoever knows of it.
 *
 * <p>A remainder depends on the hash and the selector alone, not on the number of slots. So a slot keeps its selector, and
 * with it all that was repaired: keys and queries that are told apart in the old filter are told apart in the new one.
 * Only those that did not share a quotient before can be taken for each other anew, which is one pair in six where a
 * table grows by half.
 *
 * <p>Cost: an insert for each key. One thread at a time; the old filter must not change
 * while {@link #move} is under way, but may be asked.
 */
public final class TelescopingGrowth {

    private final TelescopingFilter from;
    private final TelescopingFilter next;

    /** Quotients of the old filter below this one have moved. */
    private long moved;

    /** The beginning of growth to another capacity. */
    public TelescopingGrowth(TelescopingFilter from, long newCapacity) {
        this.from = from;
        this.next = from.emptied(newCapacity);
    }

    /** Whether a hash belongs to the part that has moved. */
    public boolean hasMoved(long hash) {
        return from.keys.quotient(hash) < moved;
    }

    /** Whether a hash belongs to the part that {@link #move} moves next. */
    public boolean isAmongNext(long hash, long quotientCount) {
        long quotient = from.keys.quotient(hash);
        return quotient >= moved && quotient - moved < quotientCount;
    }

    public boolean isComplete() {
        return moved == from.keys.slotCount;
    }

    /** The new filter: whole if {@link #isComplete()}, and before that only for changes of what has moved. */
    public TelescopingFilter next() {
        return next;
    }

    /**
     * Moves the stored hashes of so many more quotients, with one range read. If that read fails nothing has changed.
     *
     * @throws FilterFullException if they are more than fit into the new filter, which is then of no use any more
     */
    public void move(long quotientCount) {
        if (isComplete()) {
            return;
        }
        long end = Math.min(from.keys.slotCount, moved + quotientCount);
        long[] hashes = from.stored.between(from.keys.firstHash(moved), from.keys.lastHash(end - 1));
        for (int first = 0; first < hashes.length; ) {
            long quotient = from.keys.quotient(hashes[first]);
            int behind = first + 1;
            while (behind < hashes.length && from.keys.quotient(hashes[behind]) == quotient) {
                behind++;
            }
            long[] tags = tagsOf(quotient, hashes, first, behind);
            for (int i = first; i < behind; i++) {
                insert(hashes[i], tags.length == 0 ? 0 : tags[i - first]);
            }
            first = behind;
        }
        moved = end;
    }

    /** The selectors of a quotient's hashes; an empty array where all are 0, as nearly everywhere. */
    private long[] tagsOf(long quotient, long[] hashes, int first, int behind) {
        if (!hasTags(quotient)) {
            return new long[0];
        }
        long[] own = new long[behind - first];
        System.arraycopy(hashes, first, own, 0, own.length);
        TaggedRun run = new TaggedRun(from, quotient, own);
        RunOwners owners = RunOwners.of(run);
        long[] tags = new long[own.length];
        for (int slot = 0; slot < run.slotCount(); slot++) {
            // Whether the owner is sure does not matter here: the new slot is made from the hash itself.
            if (owners.ownerOf(slot) >= 0) {
                tags[owners.ownerOf(slot)] = run.tag(slot);
            }
        }
        return tags;
    }

    private boolean hasTags(long quotient) {
        if (!from.runs.isOccupied(quotient)) {
            return false;
        }
        long end = from.runs.runEnd(quotient);
        for (long slot = from.runs.runStart(quotient, end); slot <= end; slot++) {
            if (from.tags.get(slot) != 0) {
                return true;
            }
        }
        return false;
    }

    private void insert(long hash, long tag) {
        next.insert(hash);
        if (tag != 0) {
            // Where there is no room for it, the repair is forgotten.
            next.rewrite(next.runs.runEnd(next.keys.quotient(hash)), tag, hash);
        }
    }
}
