package dev.besom.quotient;

import dev.besom.Adaptation;
import dev.besom.AdaptationStatistics;
import dev.besom.FilterFullException;
import dev.besom.IncrementalGrowth;
import dev.besom.IncrementallyGrowableFilter;
import dev.besom.StoredHashes;
import dev.besom.adaptive.InFlight;
import dev.besom.adaptive.RepairCounts;
import dev.besom.adaptive.RunOwners;
import dev.besom.adaptive.Tombstones;
import dev.besom.quotient.slots.BulkQueries;
import dev.besom.quotient.slots.QuotientKeys;
import dev.besom.quotient.slots.QuotientSizing;
import dev.besom.quotient.slots.RunAppender;
import dev.besom.quotient.slots.RunCheck;
import dev.besom.quotient.slots.RunWalk;
import dev.besom.quotient.slots.Runs;
import dev.besom.quotient.slots.SharedSlots;
import dev.besom.quotient.slots.ShortRuns;
import dev.besom.quotient.slots.Slots;
import dev.besom.quotient.tags.Tags;
import dev.besom.spi.PersistentFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The writing half of the adaptive filters: insert, delete and growth. What a slot's tag means, and how queries are
 * answered, is the matter of the filters built on it; how tags are kept is that of {@link Tags}, and how they change that
 * of {@link TagRepair}.
 *
 * <p>A run is a multiset, with nothing remote kept in step with its slots. Whose slot is whose is found out by
 * {@link RunOwners} where it matters: for repairs and deletes.
 *
 * <p>The tag of a key that is deleted is kept for a while ({@link Tombstones}), and given back to the key if it is inserted
 * again and its block has room: nobody gets known false positives back by having keys deleted and inserted again. Growth
 * in pieces takes that along; a filter that is built anew knows nothing, of these keys as of all others.
 *
 * <p>A hash that is inserted again and again has some slots, and then a counter ({@link SharedSlots}): a repair sees the
 * slots only, and all copies of one hash are told from a query by the same tag.
 */
abstract sealed class TaggedFilter implements IncrementallyGrowableFilter, PersistentFilter
        permits SelectorFilter, ExtensionFilter {

    /** How many copies of a hash have slots of their own: few, as a repair gives each of them a tag. */
    private static final int OWN_SLOTS = 2;

    final TaggedTable table;
    final StoredHashes stored;
    final QuotientKeys keys;
    final Slots slots;
    final Runs runs;
    final ShortRuns shortRuns;
    final Tags tags;
    private final long limit;
    private final BulkQueries bulk;
    private final TagRepair repair;
    private final RepairCounts counts = new RepairCounts();
    private long used;

    /** Keys that may not be stored yet. */
    final InFlight inFlight;

    final TagDeletes deletes;

    /** Copies that have no slots of their own, by hash. */
    SharedSlots shared = new SharedSlots();

    /** What is known of deleted keys, by their hashes: magnitudes of tags. */
    Tombstones tombstones;

    TaggedFilter(TaggedTable table, StoredHashes stored) {
        this.table = table;
        this.stored = stored;
        this.keys = table.keys;
        this.slots = table.slots;
        this.runs = table.runs;
        this.shortRuns = table.shortRuns;
        this.tags = table.tags;
        this.limit = table.limit();
        this.bulk = new BulkQueries(keys, shortRuns, tags.marks(), this::mightContainHash);
        this.inFlight = new InFlight(stored, counts);
        this.repair = new TagRepair(this);
        this.deletes = new TagDeletes(this, repair);
        this.tombstones = new Tombstones(table.shape.capacity());
    }

    /** Takes over what an image has beside the table and its tags. */
    final void restore(SharedSlots newShared, Tombstones newTombstones, long newUsed) {
        shared = newShared;
        tombstones = newTombstones;
        used = newUsed;
    }

    /** Whether a query for a hash meets its own fingerprint in a slot with that remainder and tag. */
    abstract boolean isHit(long hash, long remainder, long tag);

    /** What a slot with a tag holds of its owner. */
    abstract long remainder(long owner, long tag);

    /** The least tag of an owner, from one on, under which its slot is not hit by a query, which is not the owner. */
    abstract long tagAgainst(long owner, long query, long from);

    /** The selector or the length that a tag stands for. */
    abstract int magnitude(long tag);

    /** The tag of an owner that has a magnitude. */
    abstract long tag(long owner, int magnitude);

    /** Whether a query for a hash is answered "maybe"; the quotient has a run. */
    abstract boolean isInRun(long hash, long quotient);

    /** An empty filter of another capacity, alike in all else. */
    abstract TaggedFilter emptied(long newCapacity, StoredHashes newStored);

    @Override
    public abstract TaggedFilter grown(long newCapacity, StoredHashes newStored);

    @Override
    public final IncrementalGrowth growth(long newCapacity) {
        return new TagGrowth(this, newCapacity);
    }

    @Override
    public final void mightContainHashes(long[] hashes, int from, int count, long[] result) {
        bulk.answer(hashes, from, count, result);
    }

    @Override
    public boolean insertHash(long hash) {
        inFlight.makeRoom(count(), hash, mayOwn(hash));
        boolean isNew = insertStored(hash);
        inFlight.inserted(hash);
        deletes.waiting().mark(hash, true);
        return isNew;
    }

    /** Inserts a hash that is stored already; true if no slot looked like it. */
    final boolean insertStored(long hash) {
        long before = used;
        boolean isNew = add(hash);
        if (used != before && !tombstones.isEmpty()) {
            giveBack(hash);
        }
        return isNew;
    }

    /** Inserts a stored hash that has a tag in another filter. Where there is no room for the tag, it is forgotten. */
    final void insertWithTag(long hash, long tag) {
        long before = used;
        insertStored(hash);
        if (tag != 0 && used != before) {
            rewrite(runs.runEnd(keys.quotient(hash)), tag, hash);
        }
    }

    /** Gives the slot of a hash that was just added, the last of its run, the tag that the hash had when it left. */
    private void giveBack(long hash) {
        int magnitude = tombstones.take(hash, count());
        if (magnitude != 0 && !rewrite(runs.runEnd(keys.quotient(hash)), tag(hash, magnitude), hash)) {
            repair.countForgotten();
        }
    }

    /**
     * Gives a hash a slot with the tag 0, the last of its run, or a share in one where it has many already.
     *
     * @return true if no slot looked like it
     */
    private boolean add(long hash) {
        long quotient = keys.quotient(hash);
        if (used < limit && runs.isHomeFree(quotient)) {
            runs.openAtHome(quotient, remainder(hash, 0));
            used++;
            return true;
        }
        if (!runs.isOccupied(quotient)) {
            open(hash, quotient, runs.newRunAt(quotient));
            return true;
        }
        if (!isInRun(hash, quotient)) {
            open(hash, quotient, runs.runEnd(quotient) + 1);
            return true;
        }
        if (!shared.join(hash, 1)) {
            boolean isShared = hasManySlots(hash, quotient);
            open(hash, quotient, runs.runEnd(quotient) + 1);
            if (isShared) {
                shared.open(hash);
            }
        }
        return false;
    }

    /** Whether so many slots look like a hash that the next one is to be shared. */
    private boolean hasManySlots(long hash, long quotient) {
        long end = runs.runEnd(quotient);
        long start = runs.runStart(quotient, end);
        int found = 0;
        for (long slot = end; slot >= start && found < OWN_SLOTS; slot--) {
            found += isHit(hash, slots.remainder(slot), tags.get(slot)) ? 1 : 0;
        }
        return found == OWN_SLOTS;
    }

    private void open(long hash, long quotient, long at) {
        long free = runs.firstFree(at);
        if (used >= limit || free >= slots.layout().totalSlots()) {
            throw new FilterFullException(fullMessage());
        }
        for (int full = tags.blockTooFullToOpen(at, free); full >= 0; full = tags.blockTooFullToOpen(at, free)) {
            if (!repair.forgetOne(full) && !repair.forgetOne(full - 1)) {
                throw new FilterFullException("block " + full + " has no room for repairs, and none can be given up");
            }
        }
        tags.open(at, free);
        runs.open(quotient, at, free, remainder(hash, 0), true);
        used++;
    }

    /** Puts all stored hashes into this filter, which is empty. */
    final void fill() {
        Filler filler = new Filler();
        stored.forEachBetween(0, -1L, filler::accept);
        filler.appender.finish();
        if (used > limit) {
            throw new FilterFullException(fullMessage());
        }
    }

    /** Fills the table from hashes in ascending order. */
    private final class Filler {

        private final RunAppender appender = new RunAppender(runs);
        private long last;
        private int copies;

        void accept(long hash) {
            copies = used > 0 && hash == last ? Math.min(copies + 1, OWN_SLOTS + 1) : 0;
            last = hash;
            if (copies > OWN_SLOTS) {
                shared.join(hash, 1);
                return;
            }
            appender.append(keys.quotient(hash), remainder(hash, 0));
            used++;
            if (copies == OWN_SLOTS) {
                shared.open(hash);
            }
        }
    }

    /**
     * Takes out a slot of a hash that neither a stored hash nor a key in flight needs. That works alike before and after
     * the hash is taken out of the store. Where there is no such slot the answer is false. It is false too where a slot cannot
     * be told from that of another key that leaves: then it is taken out by a later delete or repair. Of two equal hashes,
     * take one out of the filter before the store: if only one of their slots was repaired, the other might be that of a key
     * that leaves.
     *
     * @return true if a slot was taken out
     */
    @Override
    public boolean deleteHash(long hash) {
        deletes.retry();
        // Of a shared slot that only one copy is left of, nothing is counted any more, whether it can be closed or not:
        // what
        // is left behind may become the slot of another hash.
        if (shared.leave(hash)) {
            inFlight.deleted(hash);
            return true;
        }
        return mayOwn(hash) && deletes.delete(hash);
    }

    /** Whether a slot looks like that of a hash. */
    final boolean mayOwn(long hash) {
        long quotient = keys.quotient(hash);
        return runs.isOccupied(quotient) && isInRun(hash, quotient);
    }

    /** Takes out a slot of a hash. */
    final void close(long hash, long slot, long lastMoving) {
        remember(hash, magnitude(tags.get(slot)));
        tags.close(slot, lastMoving);
        runs.close(keys.quotient(hash), slot, lastMoving);
        used--;
    }

    /** Keeps the magnitude of the tag of a hash that leaves, unless it is 0. */
    final void remember(long hash, int magnitude) {
        if (magnitude != 0) {
            tombstones.put(hash, magnitude, count());
        }
    }

    @Override
    public Adaptation repairHash(long hash) {
        if (!mayOwn(hash)) {
            return Adaptation.FIXED;
        }
        deletes.retry();
        return counts.counted(repair.repair(hash, keys.quotient(hash)));
    }

    /** Gives a slot another tag of its owner; false, and no change, if the tag has no room. */
    final boolean rewrite(long slot, long tag, long owner) {
        if (!tags.set(slot, tag)) {
            return false;
        }
        slots.setRemainder(slot, remainder(owner, tag));
        return true;
    }

    /**
     * The hashes of the quotients from one to another that are stored or in flight, ascending, without copies that have no
     * slot of their own.
     */
    final long[] readRange(long low, long high) {
        counts.countRangeRead();
        long first = keys.firstHash(low);
        long last = keys.lastHash(high);
        return withSlots(inFlight.with(stored.between(first, last), first, last));
    }

    /** Of hashes in ascending order, those that have slots of their own. */
    final long[] withSlots(long[] hashes) {
        if (shared.isEmpty()) {
            return hashes;
        }
        int kept = 0;
        for (int first = 0; first < hashes.length; ) {
            int behind = first + 1;
            while (behind < hashes.length && hashes[behind] == hashes[first]) {
                behind++;
            }
            // However many copies the store has, one of them owns the slot that they share.
            long own = Math.max(1, behind - first - shared.extra(hashes[first]));
            for (long copy = 0; copy < own; copy++) {
                hashes[kept++] = hashes[first];
            }
            first = behind;
        }
        return kept == hashes.length ? hashes : Arrays.copyOf(hashes, kept);
    }

    @Override
    public AdaptationStatistics adaptationStatistics() {
        return counts.statistics();
    }

    /** What selectors or extensions look like; goes through the whole table. */
    public TagStatistics tagStatistics() {
        List<Long> histogram = new ArrayList<>();
        RunWalk walk = new RunWalk(runs);
        while (walk.next()) {
            for (long slot = walk.start(); slot <= walk.end(); slot++) {
                int magnitude = magnitude(tags.get(slot));
                while (histogram.size() <= magnitude) {
                    histogram.add(0L);
                }
                histogram.set(magnitude, histogram.get(magnitude) + 1);
            }
        }
        return new TagStatistics(
                histogram, tags.spilledBlocks(), tags.spillInBits(), repair.forgotten(), tombstones.size());
    }

    @Override
    public long count() {
        return used + shared.extra();
    }

    @Override
    public long sizeInBits() {
        return table.sizeInBits() + tombstones.sizeInBits() + shared.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        return QuotientSizing.fpp(used - warded(), keys.slotCount(), keys.remainderBits());
    }

    /** The parts of all slots that tags keep queries from which have the slot's remainder. */
    abstract double warded();

    /**
     * Checks the whole structure.
     *
     * @throws IllegalStateException if it is damaged; the message shows where
     */
    public void checkInvariants() {
        if (used > limit) {
            throw new IllegalStateException(used + " slots are in use where at most " + limit + " may be");
        }
        tags.check(RunCheck.usedSlots(runs, used));
        shared.forEach((hash, copies) -> {
            if (!mightContainHash(hash)) {
                throw new IllegalStateException(copies + " copies of a hash share a slot that is not there");
            }
        });
    }

    private String fullMessage() {
        return used + " keys are in; " + keys.slotCount() + " slots take at most " + limit;
    }
}
