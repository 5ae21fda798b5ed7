package dev.besom.quotient;

import dev.besom.adaptive.OrderedGrowth;
import dev.besom.adaptive.RunOwners;
import java.util.Arrays;

/**
 * Growth of the filters with tags: slots keep their tags, and with them all that was repaired. A part is a quotient of the
 * old filter.
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
 * <p>What the old filter knows of deleted keys means the same in the new one, which starts with a copy of it. A key that is
 * deleted before its turn has come is made known to the new filter as well.
 *
 * <p>Cost: an insert for each key.
 */
final class TagGrowth extends OrderedGrowth<TaggedFilter> {

    private final TaggedFilter from;

    /** The beginning of growth to another capacity. */
    TagGrowth(TaggedFilter from, long newCapacity) {
        super(from.emptied(newCapacity, from.stored), from.keys.slotCount());
        this.from = from;
        next().tombstones = from.tombstones.copy(newCapacity);
        next().inFlight.setPartial(from::count);
    }

    @Override
    protected void moveParts(long first, long last) {
        long[] hashes = from.stored.between(firstHash(first), lastHash(last));
        for (int start = 0; start < hashes.length; ) {
            long quotient = from.keys.quotient(hashes[start]);
            int behind = start + 1;
            while (behind < hashes.length && from.keys.quotient(hashes[behind]) == quotient) {
                behind++;
            }
            moveQuotient(quotient, Arrays.copyOfRange(hashes, start, behind));
            start = behind;
        }
        if (last == partCount() - 1) {
            next().inFlight.setWhole();
        }
    }

    private void moveQuotient(long quotient, long[] hashes) {
        if (!from.table.hasTags(quotient)) {
            for (long hash : hashes) {
                next().insertStored(hash);
            }
            return;
        }
        long[] all = hashes.clone();
        long[] withSlots = from.withSlots(hashes);
        long[] tags = tagsOf(quotient, withSlots);
        int at = 0;
        for (int i = 0; i < all.length; i++) {
            // Of equal hashes those come first that have slots; the others have no tags of their own.
            boolean hasSlot = at < withSlots.length && withSlots[at] == all[i];
            next().insertWithTag(all[i], hasSlot ? tags[at] : 0);
            at += hasSlot ? 1 : 0;
        }
    }

    /** The tags of a quotient's hashes. */
    private long[] tagsOf(long quotient, long[] hashes) {
        TaggedRun run = new TaggedRun(from, quotient, hashes);
        RunOwners owners = RunOwners.of(run);
        long[] tags = new long[hashes.length];
        for (int slot = 0; slot < run.slotCount(); slot++) {
            // Whether the owner is sure does not matter here: the new slot is made from the hash itself.
            if (owners.ownerOf(slot) >= 0) {
                tags[owners.ownerOf(slot)] = run.tag(slot);
            }
        }
        return tags;
    }

    @Override
    protected void deletedEarly(long hash) {
        next().remember(hash, from.tombstones.find(hash));
    }

    @Override
    protected boolean canRepair(long hash) {
        return hasMoved(next().keys.lastHash(next().keys.quotient(hash)));
    }
}
