package dev.besom.quotient;

import dev.besom.adaptive.RunOwners;
import dev.besom.adaptive.WaitingDeletes;
import java.util.Arrays;

/**
 * Deletes of a filter with tags, and the second try of those that could not be made at once.
 *
 * <p>The slot of a hash is found among those that the other hashes of its quotient leave over ({@link RunOwners}): hashes that
 * are stored, in flight, or wait to be deleted. Where another slot that is left over could be its own as well, and differs, the
 * delete waits ({@link WaitingDeletes}) until the other has gone.
 */
final class TagDeletes {

    private final TaggedFilter filter;
    private final TagRepair repair;
    private final WaitingDeletes waiting = new WaitingDeletes();

    TagDeletes(TaggedFilter filter, TagRepair repair) {
        this.filter = filter;
        this.repair = repair;
    }

    WaitingDeletes waiting() {
        return waiting;
    }

    /** Takes out a slot of a hash, of which one looks like it; false if there is none, or the delete has to wait. */
    boolean delete(long hash) {
        long quotient = filter.keys.quotient(hash);
        long[] known = filter.readRange(quotient, quotient);
        if (waiting.contains(hash) && !contains(known, hash)) {
            return false;
        }
        waiting.mark(hash, false);
        int owned = remove(hash, withLast(hash, withWaiting(known, quotient)));
        if (owned == RunOwners.NONE) {
            return false;
        }
        filter.inFlight.deleted(hash);
        if (owned == RunOwners.UNSURE) {
            waiting.add(hash);
        }
        return owned >= 0;
    }

    /**
     * Takes out the slot of a hash.
     *
     * @param hashes the hashes that can own slots of its quotient; it is the last of them
     * @return the slot's place in its run, {@link RunOwners#NONE} if there is none, or {@link RunOwners#UNSURE}
     */
    private int remove(long hash, long[] hashes) {
        while (true) {
            TaggedRun run = new TaggedRun(filter, filter.keys.quotient(hash), hashes);
            int owned = RunOwners.slotOfLast(run);
            if (owned < 0) {
                return owned;
            }
            long at = run.start + owned;
            long last = filter.runs.lastMoving(at);
            int full = filter.tags.blockTooFullToClose(at, last);
            if (full < 0) {
                filter.close(hash, at, last);
                return owned;
            }
            // What is given up may have changed owners, so the slot is to be found anew.
            if (!repair.forgetOne(full) && !repair.forgetOne(full + 1)) {
                return RunOwners.UNSURE;
            }
        }
    }

    /** Tries the delete that has waited longest again, if any does. */
    void retry() {
        WaitingDeletes.Delete delete = waiting.next();
        if (delete == null) {
            return;
        }
        long hash = delete.hash();
        int owned = RunOwners.NONE;
        boolean isKnown = false;
        if (filter.mayOwn(hash)) {
            long quotient = filter.keys.quotient(hash);
            long[] known = filter.readRange(quotient, quotient);
            isKnown = contains(known, hash);
            // A hash that waits is among the hashes once more than it is known.
            owned = remove(hash, withLast(hash, withWaiting(known, quotient)));
        }
        // A key that is to leave, and has no other copy, has to leave the store first.
        if (owned == RunOwners.UNSURE || (owned == RunOwners.NONE && isKnown && !delete.isBack())) {
            waiting.postponeNext();
        } else {
            waiting.dropNext();
        }
    }

    /** Adds the hashes of a quotient whose deletes wait to the others of the quotient. */
    long[] withWaiting(long[] hashes, long quotient) {
        if (waiting.isEmpty()) {
            return hashes;
        }
        long[] more = waiting.all().stream()
                .mapToLong(WaitingDeletes.Delete::hash)
                .filter(hash -> filter.keys.quotient(hash) == quotient)
                .toArray();
        long[] all = Arrays.copyOf(hashes, hashes.length + more.length);
        System.arraycopy(more, 0, all, hashes.length, more.length);
        return all;
    }

    /** The hashes with one at the end: moved there if it is among them, added if not. */
    private static long[] withLast(long hash, long[] hashes) {
        for (int i = 0; i < hashes.length; i++) {
            if (hashes[i] == hash) {
                hashes[i] = hashes[hashes.length - 1];
                hashes[hashes.length - 1] = hash;
                return hashes;
            }
        }
        long[] more = Arrays.copyOf(hashes, hashes.length + 1);
        more[hashes.length] = hash;
        return more;
    }

    private static boolean contains(long[] hashes, long hash) {
        return Arrays.stream(hashes).anyMatch(each -> each == hash);
    }
}
