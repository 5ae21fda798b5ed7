package dev.besom.quotient;

import dev.besom.IncrementalGrowth;
import dev.besom.adaptive.RunOwners;

/**
 * Growth of the filters with tags: slots keep their tags, and with them all that was repaired.
 *
 * <pre>
 *   old filter   | quotients that have moved | the others        |
 *                |             |             |
 *   new filter   | their keys, with their tags      |            |
 * </pre>
 *
 * What a slot holds depends on the hash and the tag alone, not on the number of slots. So keys and queries that are told
 * apart in the old filter are told apart in the new one. Only those that did not share a quotient before can be taken for
 * each other anew, which is one pair in six where a table grows by half.
 *
 * <p>A quotient of the new filter of which only a part has moved is not repaired: the store has hashes there that the
 * filter has not yet, and the filter may have keys that the store has not, and between them nobody can tell whose a slot
 * is.
 *
 * <p>What the old filter knows of keys that have left means the same in the new one, which starts with a copy of it. A key
 * whose turn has not come and that leaves is made known to the new filter as well.
 *
 * <p>Cost: an insert for each key.
 */
final class TagGrowth implements IncrementalGrowth {

    private final TaggedFilter from;
    private final TaggedFilter next;

    /** Quotients of the old filter below this one have moved. */
    private long moved;

    /** The beginning of growth to another capacity. */
    TagGrowth(TaggedFilter from, long newCapacity) {
        this.from = from;
        this.next = from.emptied(newCapacity, from.stored);
        next.tombstones = from.tombstones.copy(newCapacity);
    }

    /** Whether a hash belongs to the part that has moved. */
    boolean hasMoved(long hash) {
        return from.keys.quotient(hash) < moved;
    }

    @Override
    public boolean isAmongNext(long hash, long quotientCount) {
        long quotient = from.keys.quotient(hash);
        return quotient >= moved && quotient - moved < quotientCount;
    }

    @Override
    public boolean isComplete() {
        return moved == from.keys.slotCount;
    }

    @Override
    public TaggedFilter next() {
        return next;
    }

    @Override
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
                carry(hashes[i], tags.length == 0 ? 0 : tags[i - first]);
            }
            first = behind;
        }
        moved = end;
    }

    /** The tags of a quotient's hashes; an empty array where all are 0, as nearly everywhere. */
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

    private void carry(long hash, long tag) {
        next.insertHash(hash);
        if (tag != 0) {
            // Where there is no room for it, the repair is forgotten.
            next.rewrite(next.runs.runEnd(next.keys.quotient(hash)), tag, hash);
        }
    }

    @Override
    public void insertHash(long hash) {
        if (hasMoved(hash)) {
            next.insertHash(hash);
        }
    }

    @Override
    public void deleteHash(long hash) {
        if (hasMoved(hash)) {
            next.deleteHash(hash);
        } else {
            next.remember(hash, from.tombstones.find(hash));
        }
    }

    @Override
    public void repairHash(long hash) {
        if (hasMoved(next.keys.lastHash(next.keys.quotient(hash)))) {
            next.repairHash(hash);
        }
    }
}
