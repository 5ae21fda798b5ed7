package dev.besom.quotient;

import dev.besom.Adaptation;
import dev.besom.adaptive.RunOwners;
import dev.besom.hash.Mix;
import dev.besom.quotient.slots.Runs;
import dev.besom.quotient.slots.SlotLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Repairs of a filter with tags, and giving up old ones where there is no room for new ones.
 *
 * <p>A repair reads the stored hashes of one quotient, finds out which of them own the slots that the query hits
 * ({@link RunOwners}), and gives all those slots their owners' next tag that tells them from the query.
 *
 * <p>Where a block has no room for a repair, and its spill neither, a quarter of the block's other tags is given up: their
 * slots get back what their owners had at first. Where tags move into a full block because a key comes or goes, one after
 * another is given up until they fit: such moves come and go, and need room for a tag or two. Which ones is left to chance,
 * so that nobody can aim at a repair; all others stay. The hashes for that come from one range read each time.
 *
 * <p>Where the tags are {@linkplain dev.besom.quotient.tags.Tags#isMonotone() monotone} none is given up: a repair that
 * exceeds the memory that the user allows is refused.
 */
final class TagRepair {

    private static final long NO_SLOT = -1;

    private final TaggedFilter filter;
    private final TaggedTable table;
    private long forgotten;

    TagRepair(TaggedFilter filter) {
        this.filter = filter;
        this.table = filter.table;
    }

    /** How many tags were given up. */
    long forgotten() {
        return forgotten;
    }

    /** Counts a tag that was given up elsewhere. */
    void countForgotten() {
        forgotten++;
    }

    /** Tells the slots that a query hits from the query; their quotient has a run. */
    Adaptation repair(long query, long quotient) {
        long[] owning = filter.deletes.withWaiting(filter.readRange(quotient, quotient), quotient);
        boolean hasForgotten = false;
        TaggedRun run = new TaggedRun(filter, quotient, owning);
        while (run.nextHit(query, 0) >= 0) {
            RunOwners owners = RunOwners.of(run);
            if (!canBeTold(query, run, owners)) {
                return Adaptation.INSEPARABLE;
            }
            int full = tell(query, run, owners);
            if (full < 0) {
                break;
            }
            hasForgotten = true;
            long owner = run.hash(owners.ownerOf(full));
            if (table.tags.isMonotone() || !makeRoom(run.start + full, owner, query)) {
                return Adaptation.INSEPARABLE;
            }
            // What is given up may have changed owners, so the run is read anew.
            run = new TaggedRun(filter, quotient, owning);
        }
        return hasForgotten ? Adaptation.FORGOT : Adaptation.FIXED;
    }

    /**
     * Gives each slot that a query hits a tag that tells it from the query. All have certain owners, and keep them: no other
     * slot becomes less certain by it.
     *
     * @return the first slot of the run that has no room for its tag; -1 if there is none
     */
    private int tell(long query, TaggedRun run, RunOwners owners) {
        for (int hit = run.nextHit(query, 0); hit >= 0; hit = run.nextHit(query, hit + 1)) {
            long owner = run.hash(owners.ownerOf(hit));
            if (!filter.rewrite(run.start + hit, filter.tagAgainst(owner, query, run.tag(hit)), owner)) {
                return hit;
            }
        }
        return -1;
    }

    /**
     * Gives up tags so that a slot can be told from a query, or can be after a few more times. A slot whose next tag no
     * block could hold gives up its own; otherwise a quarter of the other tags of its block goes.
     *
     * @return false if nothing helps
     */
    private boolean makeRoom(long slot, long owner, long query) {
        int block = SlotLayout.block(slot);
        long next = filter.tagAgainst(owner, query, table.tags.get(slot));
        boolean helps = table.tags.fitsAlone(slot, next);
        if (helps && forget(block, (table.tagCount(block) + 3) / 4, new Kept(slot, query)) > 0) {
            return true;
        }
        long first = filter.tagAgainst(owner, query, 0);
        if (filter.rewrite(slot, first, owner)) {
            forgotten++;
            return true;
        }
        return table.tags.fitsAlone(slot, first)
                && forget(block, (table.tagCount(block) + 3) / 4, new Kept(slot, query)) > 0;
    }

    /** Whether no stored hash equals a query, and every slot that the query hits has a certain owner. */
    private static boolean canBeTold(long query, TaggedRun run, RunOwners owners) {
        for (int i = 0; i < run.hashCount(); i++) {
            if (run.hash(i) == query) {
                return false;
            }
        }
        for (int i = 0; i < run.slotCount(); i++) {
            if (run.isHit(query, i) && !owners.isSure(i)) {
                return false;
            }
        }
        return true;
    }

    /** Gives up one tag of a block; false if there is none that can be. */
    boolean forgetOne(int block) {
        return block >= 0 && block < table.slots.layout().blockCount() && forget(block, 1, Kept.NOTHING) > 0;
    }

    /**
     * What stays as it is while tags are given up.
     *
     * @param slot a slot that keeps its tag; {@link #NO_SLOT} if there is none
     * @param query a hash that no slot that is given up may match then; without meaning where no slot is kept
     */
    private record Kept(long slot, long query) {

        static final Kept NOTHING = new Kept(NO_SLOT, 0);

        /** Whether slots of a quotient may match the query. */
        boolean isMet(long quotient, TaggedTable table) {
            return slot != NO_SLOT && quotient == table.keys.quotient(query);
        }
    }

    /**
     * Gives up some of a block's tags, as far as the owners of its slots are certain.
     *
     * @return how many tags became smaller
     */
    private int forget(int block, int wanted, Kept kept) {
        List<TaggedRun> all = runsOf(block);
        if (all.isEmpty()) {
            return 0;
        }
        int done = 0;
        int turn = Math.floorMod(Mix.expand(forgotten, table.keys.seed(), block), all.size());
        for (int i = 0; i < all.size() && done < wanted; i++) {
            done += forget(all.get((turn + i) % all.size()), block, wanted - done, kept);
        }
        forgotten += done;
        return done;
    }

    /** The runs that have slots in a block, or a quotient there. */
    private List<TaggedRun> runsOf(int block) {
        Runs runs = table.runs;
        long first = (long) block << SlotLayout.BLOCK_SHIFT;
        long last = first + SlotLayout.SLOT_MASK;
        long low = runs.occupiedFrom(first);
        for (long earlier = runs.occupiedBefore(first);
                earlier >= 0 && runs.runEnd(earlier) >= first;
                earlier = runs.occupiedBefore(earlier)) {
            low = earlier;
        }
        List<TaggedRun> all = new ArrayList<>();
        if (low > last) {
            return all;
        }
        long[] hashes = filter.readRange(low, Math.min(last, table.keys.slotCount() - 1));
        int from = 0;
        for (long quotient = low; quotient <= last; quotient = runs.occupiedFrom(quotient + 1)) {
            while (from < hashes.length && table.keys.quotient(hashes[from]) < quotient) {
                from++;
            }
            int to = from;
            while (to < hashes.length && table.keys.quotient(hashes[to]) == quotient) {
                to++;
            }
            all.add(new TaggedRun(
                    filter, quotient, filter.deletes.withWaiting(Arrays.copyOfRange(hashes, from, to), quotient)));
            from = to;
        }
        return all;
    }

    private int forget(TaggedRun run, int block, int most, Kept kept) {
        RunOwners owners = RunOwners.of(run);
        boolean meetsQuery = kept.isMet(run.quotient, table);
        int done = 0;
        for (int i = 0; i < run.slotCount() && done < most; i++) {
            long slot = run.start + i;
            if (SlotLayout.block(slot) != block || slot == kept.slot() || !run.isTouched(i) || !owners.isSure(i)) {
                continue;
            }
            long owner = run.hash(owners.ownerOf(i));
            if (meetsQuery && owner == kept.query()) {
                continue; // stored since the run was read
            }
            long tag = meetsQuery ? filter.tagAgainst(owner, kept.query(), 0) : 0;
            if (tag < run.tag(i) && filter.rewrite(slot, tag, owner)) {
                done++;
            }
        }
        return done;
    }
}
