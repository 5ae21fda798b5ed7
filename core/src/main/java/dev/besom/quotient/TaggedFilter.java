package dev.besom.quotient;

import dev.besom.Adaptation;
import dev.besom.AdaptationStatistics;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.IncrementalGrowth;
import dev.besom.IncrementallyGrowableFilter;
import dev.besom.MalformedFilterException;
import dev.besom.StoredHashes;
import dev.besom.adaptive.RepairCounts;
import dev.besom.adaptive.RunOwners;
import dev.besom.adaptive.Tombstones;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.PersistentFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The writing half of the adaptive filters: insert, delete, repair, growth, images, and giving up old repairs where there
 * is no room for new ones. What a slot's tag means, and how questions are answered, is the matter of the filters built on
 * it; how tags are kept is that of {@link Tags}.
 *
 * <p>A run is a multiset, with nothing remote kept in step with its slots. {@link #repairHash(long)} reads the stored hashes
 * of one quotient, finds out which of them own the slots that were hit ({@link RunOwners}), and gives all those slots
 * their owners' next tag that tells them from the query.
 *
 * <p>Where a block has no room for a repair, and its spill neither, a quarter of the block's other tags is given up: their
 * slots get back what their owners had at first. Where tags move into a full block because a key comes or goes, one after
 * another is given up until they fit: such moves come and go, and need room for a tag or two. Which ones is left to chance,
 * so that nobody can aim at a repair; all others stay. The hashes for that come from one range read each time.
 *
 * <p>The tag of a key that is deleted is kept for a while ({@link Tombstones}), and given back to the key if it is inserted
 * again and its block has room: nobody gets known false positives back by having keys deleted and inserted again. Growth
 * in pieces takes that along; a filter that is built anew knows nothing, of these keys as of all others.
 */
abstract sealed class TaggedFilter implements IncrementallyGrowableFilter, PersistentFilter
        permits SelectorFilter, ExtensionFilter {

    private static final double DEFAULT_SPILL = 0.5;

    /** The parameters of an image that all have: those of the shape, the count and the spill. */
    static final int PARAMETER_COUNT = TableShape.PARAMETER_COUNT + 2;

    /** Sections of an image; the last one only where something is known of keys that have left. */
    private static final int SPILL_SECTION = 2;

    private static final int DEPARTED_SECTION = 3;

    private static final long NO_SLOT = -1;

    final TableShape shape;
    final double spillBitsPerKey;
    final StoredHashes stored;
    final QuotientKeys keys;
    final Slots slots;
    final Runs runs;
    final ShortRuns shortRuns;
    final Tags tags;
    private final long limit;
    private long count;

    /** What is known of keys that have left, by their hashes: magnitudes of tags. */
    Tombstones tombstones;

    private final RepairCounts counts = new RepairCounts();
    private long forgotten;

    TaggedFilter(TableShape shape, double spillBitsPerKey, StoredHashes stored, Slots slots, long count, Tags tags) {
        this.shape = shape;
        this.spillBitsPerKey = spillBitsPerKey;
        this.stored = stored;
        this.keys = shape.keys();
        this.slots = slots;
        this.runs = new Runs(slots);
        this.shortRuns = new ShortRuns(runs);
        this.tags = tags;
        this.limit = shape.limit();
        this.count = count;
        this.tombstones = new Tombstones(shape.capacity());
    }

    static double spill(FilterSpec spec, double most) {
        return spec.option("spill", DEFAULT_SPILL, 0, most);
    }

    /** Whether a question for a hash meets its own fingerprint in a slot with that remainder and tag. */
    abstract boolean isHit(long hash, long remainder, long tag);

    /** What a slot with a tag holds of its owner. */
    abstract long remainder(long owner, long tag);

    /** The least tag of an owner, from one on, under which its slot is not hit by a query, which is not the owner. */
    abstract long tagAgainst(long owner, long query, long from);

    /** The selector or the length that a tag stands for. */
    abstract int magnitude(long tag);

    /** The tag of an owner that has a magnitude. */
    abstract long tag(long owner, int magnitude);

    /** Whether a question for a hash is answered "maybe"; the quotient has a run. */
    abstract boolean isInRun(long hash, long quotient);

    abstract String kind();

    /** What an image has to say of the form of the tags. */
    abstract long[] formParameters();

    /** An empty filter of another capacity, alike in all else. */
    abstract TaggedFilter emptied(long newCapacity, StoredHashes newStored);

    @Override
    public abstract TaggedFilter grown(long newCapacity, StoredHashes newStored);

    @Override
    public final IncrementalGrowth growth(long newCapacity) {
        return new TagGrowth(this, newCapacity);
    }

    @Override
    public boolean insertHash(long hash) {
        boolean isNew = add(hash);
        if (!tombstones.isEmpty()) {
            giveBack(hash);
        }
        return isNew;
    }

    /** Gives the slot of a hash that was just added, the last of its run, the tag that the hash had when it left. */
    private void giveBack(long hash) {
        int magnitude = tombstones.take(hash, count);
        if (magnitude != 0 && !rewrite(runs.runEnd(keys.quotient(hash)), tag(hash, magnitude), hash)) {
            forgotten++;
        }
    }

    /** Gives a hash a slot with the tag 0, the last of its run; true if no slot looked like it. */
    private boolean add(long hash) {
        long quotient = keys.quotient(hash);
        if (count < limit && runs.isHomeFree(quotient)) {
            runs.openAtHome(quotient, remainder(hash, 0));
            count++;
            return true;
        }
        boolean isNew = true;
        long at;
        if (runs.isOccupied(quotient)) {
            isNew = !isInRun(hash, quotient);
            at = runs.runEnd(quotient) + 1;
        } else {
            at = runs.newRunAt(quotient);
        }
        long free = runs.firstFree(at);
        if (count >= limit || free >= slots.layout.totalSlots()) {
            throw new FilterFullException(fullMessage());
        }
        for (int full = tags.blockTooFullToOpen(at, free); full >= 0; full = tags.blockTooFullToOpen(at, free)) {
            if (!forgetOne(full) && !forgetOne(full - 1)) {
                throw new FilterFullException("block " + full + " has no room for repairs, and none can be given up");
            }
        }
        tags.open(at, free);
        runs.open(quotient, at, free, remainder(hash, 0), true);
        count++;
        return isNew;
    }

    /** Puts all stored hashes into this filter, which is empty. */
    final void fill() {
        RunAppender appender = new RunAppender(runs);
        stored.forEachBetween(0, -1L, hash -> {
            appender.append(keys.quotient(hash), remainder(hash, 0));
            count++;
        });
        appender.finish();
        if (count > limit) {
            throw new FilterFullException(fullMessage());
        }
    }

    /**
     * Takes out a slot of a hash that neither a stored hash nor a key under way needs. That works alike before and after
     * the hash is taken out of the store. Where there is no such slot the answer is false; a slot that is left behind
     * costs its memory, and a repair that meets it cannot be made. Of two equal hashes, take one out of the filter
     * before the store: if only one of their slots was repaired, the other might be that of a key under way.
     *
     * @return true if a slot was taken out
     */
    @Override
    public boolean deleteHash(long hash) {
        long quotient = keys.quotient(hash);
        if (!runs.isOccupied(quotient) || !isInRun(hash, quotient)) {
            return false;
        }
        long[] hashes = withLast(hash, readRange(quotient, quotient));
        while (true) {
            TaggedRun run = new TaggedRun(this, quotient, hashes);
            int owned = RunOwners.slotOfLast(run);
            if (owned < 0) {
                return false;
            }
            long at = run.start + owned;
            long last = runs.lastMoving(at);
            int full = tags.blockTooFullToClose(at, last);
            if (full < 0) {
                remember(hash, magnitude(run.tag(owned)));
                tags.close(at, last);
                runs.close(quotient, at, last);
                count--;
                return true;
            }
            // What is given up may have changed owners, so the slot is to be found anew.
            if (!forgetOne(full) && !forgetOne(full + 1)) {
                return false;
            }
        }
    }

    /** Keeps the magnitude of the tag of a hash that leaves, unless it is 0. */
    final void remember(long hash, int magnitude) {
        if (magnitude != 0) {
            tombstones.put(hash, magnitude, count);
        }
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

    @Override
    public Adaptation repairHash(long hash) {
        long quotient = keys.quotient(hash);
        if (!runs.isOccupied(quotient) || !isInRun(hash, quotient)) {
            return Adaptation.FIXED;
        }
        long[] hashes = readRange(quotient, quotient);
        boolean hasForgotten = false;
        TaggedRun run = new TaggedRun(this, quotient, hashes);
        for (int hit = run.firstHit(hash); hit >= 0; hit = run.firstHit(hash)) {
            RunOwners owners = RunOwners.of(run);
            if (!canBeTold(hash, run, owners)) {
                return counts.counted(Adaptation.INSEPARABLE);
            }
            long slot = run.start + hit;
            long owner = run.hash(owners.ownerOf(hit));
            if (!rewrite(slot, tagAgainst(owner, hash, run.tag(hit)), owner)) {
                hasForgotten = true;
                int block = SlotLayout.block(slot);
                if (forget(block, slot, hash, (tagCount(block) + 3) / 4) == 0
                        && !rewrite(slot, tagAgainst(owner, hash, 0), owner)) {
                    return counts.counted(Adaptation.INSEPARABLE);
                }
            }
            // What is rewritten or given up may have changed owners, so the run is read anew.
            run = new TaggedRun(this, quotient, hashes);
        }
        return counts.counted(hasForgotten ? Adaptation.FORGOT : Adaptation.FIXED);
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

    /** Gives a slot another tag of its owner; false, and no change, if the tag has no room. */
    final boolean rewrite(long slot, long tag, long owner) {
        if (!tags.set(slot, tag)) {
            return false;
        }
        slots.setRemainder(slot, remainder(owner, tag));
        return true;
    }

    /** Gives up one tag of a block; false if there is none that can be. */
    private boolean forgetOne(int block) {
        return block >= 0 && block < slots.layout.blockCount() && forget(block, NO_SLOT, 0, 1) > 0;
    }

    private int tagCount(int block) {
        long first = (long) block << SlotLayout.BLOCK_SHIFT;
        int tagged = 0;
        for (long slot = first; slot <= first + SlotLayout.SLOT_MASK; slot++) {
            tagged += tags.get(slot) == 0 ? 0 : 1;
        }
        return tagged;
    }

    /**
     * Gives up some of a block's tags, as far as the owners of its slots are certain.
     *
     * @param kept a slot that keeps its tag
     * @param query a hash that no slot that is given up may match then; without meaning where no slot is kept
     * @return how many tags became smaller
     */
    private int forget(int block, long kept, long query, int wanted) {
        long first = (long) block << SlotLayout.BLOCK_SHIFT;
        long last = first + SlotLayout.SLOT_MASK;
        long low = runs.occupiedFrom(first);
        for (long earlier = runs.occupiedBefore(first);
                earlier >= 0 && runs.runEnd(earlier) >= first;
                earlier = runs.occupiedBefore(earlier)) {
            low = earlier;
        }
        if (low > last) {
            return 0;
        }
        long[] hashes = readRange(low, Math.min(last, keys.slotCount - 1));
        List<TaggedRun> all = new ArrayList<>();
        int from = 0;
        for (long quotient = low; quotient <= last; quotient = runs.occupiedFrom(quotient + 1)) {
            while (from < hashes.length && keys.quotient(hashes[from]) < quotient) {
                from++;
            }
            int to = from;
            while (to < hashes.length && keys.quotient(hashes[to]) == quotient) {
                to++;
            }
            all.add(new TaggedRun(this, quotient, Arrays.copyOfRange(hashes, from, to)));
            from = to;
        }
        int done = 0;
        int turn = Math.floorMod(Mix.expand(forgotten, keys.seed, block), all.size());
        for (int i = 0; i < all.size() && done < wanted; i++) {
            done += forget(all.get((turn + i) % all.size()), first, last, kept, query, wanted - done);
        }
        forgotten += done;
        return done;
    }

    private int forget(TaggedRun run, long first, long last, long kept, long query, int most) {
        RunOwners owners = RunOwners.of(run);
        boolean meetsQuery = kept != NO_SLOT && run.quotient == keys.quotient(query);
        int done = 0;
        for (int i = 0; i < run.slotCount() && done < most; i++) {
            long slot = run.start + i;
            if (slot < first || slot > last || slot == kept || !run.isTouched(i) || !owners.isSure(i)) {
                continue;
            }
            long owner = run.hash(owners.ownerOf(i));
            if (meetsQuery && owner == query) {
                continue; // stored since the run was read
            }
            long tag = meetsQuery ? tagAgainst(owner, query, 0) : 0;
            if (tag < run.tag(i) && rewrite(slot, tag, owner)) {
                done++;
            }
        }
        return done;
    }

    /** The stored hashes of the quotients from one to another. */
    private long[] readRange(long low, long high) {
        counts.countRangeRead();
        return stored.between(keys.firstHash(low), keys.lastHash(high));
    }

    @Override
    public AdaptationStatistics adaptationStatistics() {
        return counts.statistics();
    }

    /** What selectors or extensions look like now; goes through the whole table. */
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
        return new TagStatistics(histogram, tags.spilledBlocks(), tags.spillInBits(), forgotten, tombstones.size());
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return ((slots.layout.wordCount() + slots.layout.offsetWordCount()) << 6)
                + tags.spillInBits()
                + tombstones.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        return QuotientSizing.fpp(count, keys.slotCount, keys.remainderBits);
    }

    @Override
    public FilterImage image() {
        long[] form = formParameters();
        long[] own = new long[2 + form.length];
        own[0] = count;
        own[1] = Double.doubleToRawLongBits(spillBitsPerKey);
        System.arraycopy(form, 0, own, 2, form.length);
        List<long[]> sections = new ArrayList<>(List.of(slots.words, slots.offsets, tags.spillSection()));
        if (!tombstones.isEmpty()) {
            sections.add(tombstones.section());
        }
        return new FilterImage(kind(), shape.parameters(own), sections);
    }

    static void checkForm(FilterImage image, int formParameterCount) {
        int parameterCount = PARAMETER_COUNT + formParameterCount;
        int sectionCount = image.sections().size();
        if (image.parameterCount() != parameterCount
                || (sectionCount != DEPARTED_SECTION && sectionCount != DEPARTED_SECTION + 1)) {
            throw new MalformedFilterException("a filter of the kind " + image.kind() + " has " + parameterCount
                    + " parameters and 3 or 4 sections");
        }
    }

    static long count(FilterImage image) {
        return image.parameter(TableShape.PARAMETER_COUNT);
    }

    static double spill(FilterImage image, double most) {
        double spill = image.doubleParameter(TableShape.PARAMETER_COUNT + 1);
        if (!(spill >= 0 && spill <= most)) {
            throw new MalformedFilterException("a spill of " + spill + " bits a key");
        }
        return spill;
    }

    /** Takes over what the image that this filter was made from has beside the table, and checks it all. */
    final void readBeside(FilterImage image) {
        try {
            tags.readSpill(image.sections().get(SPILL_SECTION));
            if (image.sections().size() > DEPARTED_SECTION) {
                tombstones = Tombstones.read(image.sections().get(DEPARTED_SECTION), shape.capacity());
                image.check(!tombstones.isEmpty(), "a section of tombstones without any");
            }
            checkInvariants();
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new MalformedFilterException("the table is damaged: " + e.getMessage(), e);
        }
    }

    /**
     * Checks the whole structure.
     *
     * @throws IllegalStateException if it is damaged; the message shows where
     */
    public void checkInvariants() {
        if (count > limit) {
            throw new IllegalStateException(count + " keys are counted where at most " + limit + " fit");
        }
        tags.check(RunCheck.usedSlots(runs, count));
    }

    private String fullMessage() {
        return count + " keys are in; " + keys.slotCount + " slots take at most " + limit;
    }
}
