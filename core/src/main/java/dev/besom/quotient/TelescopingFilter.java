package dev.besom.quotient;

import dev.besom.Adaptation;
import dev.besom.AdaptationStatistics;
import dev.besom.AdaptiveFilter;
import dev.besom.FilterFullException;
import dev.besom.FilterImage;
import dev.besom.FilterSpec;
import dev.besom.MalformedFilterException;
import dev.besom.PersistentFilter;
import dev.besom.StoredHashes;
import dev.besom.bits.Bitmaps;
import dev.besom.math.QuotientSizing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A telescoping filter: a quotient filter that repairs false positives by giving the slots that caused them another
 * remainder of the same key. Whatever was asked before, a question for a key that is not stored is answered "maybe" with
 * no more than the filter's rate, for as long as the selectors have room.
 *
 * <pre>
 *   block of 64 slots: | occupied 64 | run ends 64 | selectors | 64 remainders of r bits |      offsets: 8 bits a block
 *
 *   a slot with selector s holds remainder s of its key: the key's hash seen through a telescope s pieces further out
 * </pre>
 *
 * The selectors are a bitmap and unary values ({@link BitmapSelectors}) in the kind {@code telescoping}, and bytes
 * ({@link PlainSelectors}) in {@code telescoping-plain}. The rest of the picture and the terms are those of
 * {@link SlotLayout}, {@link Runs} and {@link QuotientKeys}.
 *
 * <p>A run is a multiset, with nothing remote kept in step with its slots. {@link #repair(long)} reads the stored hashes
 * of one quotient, finds out which of them own the slots that were hit ({@link RunOwners}), and gives all those slots
 * their owners' next remainder that differs from the query's.
 *
 * <p>Where the store is ahead of the filter, or the filter of the store, because inserts or deletes are under way, no key
 * is lost. A slot whose owner is not certain is left alone, and {@link #repair(long)} then says
 * {@link Adaptation#INSEPARABLE}. Only where each side is ahead of the other in one quotient at the same time, by keys
 * with the same fingerprint, nobody could tell them apart: keep to one order, the store first or the filter first.
 * {@link #delete(long)} works alike before and after the hash is taken out of the store, and takes out a slot that
 * neither a stored hash nor a key under way needs. Where there is no such slot it says false; a slot that is left
 * behind costs its memory and nothing else.
 *
 * <p>Departures from the paper: deletes; growth; every slot that was hit is repaired at once; remainders never come round
 * again; a block without room for its selectors spills, within a bound; and where that is full too, the selectors of
 * the block are taken back one by one, each slot's remainder derived anew from its owner, and nothing else is touched.
 *
 * <p>Cost: (r + 4.125) / load bits a key and, where blocks spill, up to the option's 0.5 more; the plain kind takes
 * (r + 10.125) / load. A question costs what it costs in a quotient filter and a look at the bitmap. One writer at a
 * time.
 *
 * <p>D. J. Lee, S. McCauley, S. Singh and M. Stein: Telescoping filter: a practical adaptive filter. ESA 2021.
 */
public final class TelescopingFilter implements AdaptiveFilter, PersistentFilter {

    static final String KIND = "telescoping";
    static final String PLAIN_KIND = "telescoping-plain";
    static final double DEFAULT_SPILL = 0.5;
    static final double MOST_SPILL = 16;

    private static final long NO_SLOT = -1;

    private final TableShape shape;
    private final double spillBitsPerKey;
    private final StoredHashes stored;
    private final QuotientKeys keys;
    private final Slots slots;
    private final Runs runs;
    private final Selectors selectors;
    /** The same as {@link #selectors} where they have this form, so that questions call no virtual method. */
    private final @Nullable BitmapSelectors bitmap;

    private final long limit;
    private long count;

    private long repairs;
    private long forgot;
    private long inseparable;
    private long rangeReads;
    private long forgottenSelectors;

    private TelescopingFilter(
            TableShape shape, boolean plain, double spillBitsPerKey, StoredHashes stored, Slots slots, long count) {
        this.shape = shape;
        this.spillBitsPerKey = spillBitsPerKey;
        this.stored = stored;
        this.keys = shape.keys();
        this.slots = slots;
        this.runs = new Runs(slots);
        this.bitmap = plain ? null : new BitmapSelectors(slots, spillBitsPerKey * shape.capacity());
        this.selectors = bitmap == null ? new PlainSelectors(slots) : bitmap;
        this.limit = shape.limit();
        this.count = count;
    }

    private static TelescopingFilter empty(TableShape shape, boolean plain, double spill, StoredHashes stored) {
        return new TelescopingFilter(shape, plain, spill, stored, new Slots(shape.layout(metadataWords(plain))), 0);
    }

    private static int metadataWords(boolean plain) {
        return plain ? PlainSelectors.METADATA_WORDS : BitmapSelectors.METADATA_WORDS;
    }

    /** An empty filter of the kind {@code telescoping}. */
    public static TelescopingFilter make(FilterSpec spec, StoredHashes stored) {
        double spill = spec.option("spill", DEFAULT_SPILL, 0, MOST_SPILL);
        return empty(TableShape.of(spec), false, spill, stored);
    }

    /** An empty filter of the kind {@code telescoping-plain}. */
    public static TelescopingFilter makePlain(FilterSpec spec, StoredHashes stored) {
        return empty(TableShape.of(spec), true, 0, stored);
    }

    /**
     * A filter of another capacity that holds all the stored hashes, made in one pass over them, with the options and
     * the seed of this one and without its repairs. Keys that are in this filter only are not in the new one: store
     * first, or let no insert be under way.
     *
     * @throws FilterFullException if the stored hashes are more than fit
     */
    public TelescopingFilter grown(long newCapacity) {
        TelescopingFilter filter = empty(shape.withCapacity(newCapacity), bitmap == null, spillBitsPerKey, stored);
        RunAppender appender = new RunAppender(filter.runs);
        QuotientKeys newKeys = filter.keys;
        stored.forEachBetween(0, -1L, hash -> {
            appender.append(newKeys.quotient(hash), newKeys.remainder(hash));
            filter.count++;
        });
        appender.finish();
        if (filter.count > filter.limit) {
            throw new FilterFullException(filter.fullMessage());
        }
        return filter;
    }

    @Override
    public boolean mightContain(long hash) {
        long quotient = keys.quotient(hash);
        return runs.isOccupied(quotient) && isInRun(hash, quotient);
    }

    @Override
    public void mightContain(long[] hashes, int from, int count, long[] result) {
        Bitmaps.checkBulk(hashes, from, count, result);
        for (int base = 0; base < count; base += Long.SIZE) {
            int first = from + base;
            int lanes = Math.min(Long.SIZE, count - base);
            long open = 0;
            for (int lane = 0; lane < lanes; lane++) {
                open |= runs.occupiedBit(keys.quotient(hashes[first + lane])) << lane;
            }
            long word = open;
            for (; open != 0; open &= open - 1) {
                int lane = Long.numberOfTrailingZeros(open);
                long hash = hashes[first + lane];
                if (!isInRun(hash, keys.quotient(hash))) {
                    word ^= 1L << lane;
                }
            }
            result[base >>> 6] = word;
        }
    }

    private boolean isInRun(long hash, long quotient) {
        BitmapSelectors bits = bitmap;
        long remainder = keys.remainder(hash);
        long end = runs.runEnd(quotient);
        long start = runs.runStart(quotient, end);
        for (long slot = end; slot >= start; slot--) {
            int selector = bits != null ? bits.get(slot) : selectors.get(slot);
            long asked = selector == 0 ? remainder : keys.remainder(hash, selector);
            if (slots.remainder(slot) == asked) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean insert(long hash) {
        long quotient = keys.quotient(hash);
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
        for (int full = selectors.blockTooFullToOpen(at, free);
                full >= 0;
                full = selectors.blockTooFullToOpen(at, free)) {
            if (forget(full) + forget(full - 1) == 0) {
                throw new FilterFullException(
                        "block " + full + " has no room for selectors, and none can be forgotten");
            }
        }
        selectors.open(at, free);
        runs.open(quotient, at, free, keys.remainder(hash), true);
        count++;
        return isNew;
    }

    @Override
    public boolean delete(long hash) {
        long quotient = keys.quotient(hash);
        if (!runs.isOccupied(quotient) || !isInRun(hash, quotient)) {
            return false;
        }
        long[] hashes = readRange(quotient, quotient);
        while (true) {
            TelescopedRun run = new TelescopedRun(keys, runs, selectors, quotient, hashes);
            int owned = run.slotOf(hash);
            if (owned < 0) {
                return false;
            }
            long at = run.start + owned;
            long last = runs.lastMoving(at);
            int full = selectors.blockTooFullToClose(at, last);
            if (full < 0) {
                selectors.close(at, last);
                runs.close(quotient, at, last);
                count--;
                return true;
            }
            // What is forgotten may have changed owners, so the slot is to be found anew.
            if (forget(full) + forget(full + 1) == 0) {
                return false;
            }
        }
    }

    @Override
    public Adaptation repair(long hash) {
        long quotient = keys.quotient(hash);
        if (!runs.isOccupied(quotient) || !isInRun(hash, quotient)) {
            return Adaptation.FIXED;
        }
        long[] hashes = readRange(quotient, quotient);
        long forgottenIn = NO_SLOT;
        TelescopedRun run = new TelescopedRun(keys, runs, selectors, quotient, hashes);
        for (int hit = run.firstHit(hash); hit >= 0; hit = run.firstHit(hash)) {
            RunOwners owners = RunOwners.of(run);
            if (!canBeTold(hash, run, owners)) {
                inseparable++;
                return Adaptation.INSEPARABLE;
            }
            long slot = run.start + hit;
            long owner = hashes[owners.ownerOf(hit)];
            if (!rewrite(slot, nextSelector(owner, run.selector(hit) + 1, hash), owner)) {
                if (forgottenIn != slot) {
                    forgottenIn = slot;
                    forget(SlotLayout.block(slot), slot, hash);
                } else if (!rewrite(slot, nextSelector(owner, 0, hash), owner)) {
                    inseparable++;
                    return Adaptation.INSEPARABLE;
                }
            }
            // What is rewritten or forgotten may have changed owners, so the run is read anew.
            run = new TelescopedRun(keys, runs, selectors, quotient, hashes);
        }
        repairs++;
        if (forgottenIn != NO_SLOT) {
            forgot++;
            return Adaptation.FORGOT;
        }
        return Adaptation.FIXED;
    }

    /** Whether no stored hash equals a query, and every slot that the query hits has a certain owner. */
    private static boolean canBeTold(long query, TelescopedRun run, RunOwners owners) {
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

    /** The first selector from one on under which a hash and a query, which are not equal, have different remainders. */
    private int nextSelector(long hash, int from, long query) {
        int selector = from;
        while (keys.remainder(hash, selector) == keys.remainder(query, selector)) {
            selector++;
        }
        return selector;
    }

    /** Gives a slot another remainder of its owner; false, and no change, if the selector has no room. */
    private boolean rewrite(long slot, int selector, long owner) {
        if (!selectors.set(slot, selector)) {
            return false;
        }
        slots.setRemainder(slot, keys.remainder(owner, selector));
        return true;
    }

    private int forget(int block) {
        return block < 0 || block >= slots.layout.blockCount() ? 0 : forget(block, NO_SLOT, 0);
    }

    /**
     * Takes back the selectors of a block, as far as the owners of its slots are certain, and writes the remainders that
     * the slots have then.
     *
     * @param kept a slot that keeps its selector
     * @param query a hash that none of the slots may match afterwards; without meaning where no slot is kept
     * @return how many selectors became smaller
     */
    private int forget(int block, long kept, long query) {
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
        int forgotten = 0;
        int from = 0;
        for (long quotient = low; quotient <= last; quotient = runs.occupiedFrom(quotient + 1)) {
            while (from < hashes.length && keys.quotient(hashes[from]) < quotient) {
                from++;
            }
            int to = from;
            while (to < hashes.length && keys.quotient(hashes[to]) == quotient) {
                to++;
            }
            TelescopedRun run =
                    new TelescopedRun(keys, runs, selectors, quotient, Arrays.copyOfRange(hashes, from, to));
            forgotten += forget(run, first, last, kept, query);
            from = to;
        }
        forgottenSelectors += forgotten;
        return forgotten;
    }

    private int forget(TelescopedRun run, long first, long last, long kept, long query) {
        RunOwners owners = RunOwners.of(run);
        int forgotten = 0;
        for (int i = 0; i < run.slotCount(); i++) {
            long slot = run.start + i;
            if (slot < first || slot > last || slot == kept || !run.isTouched(i) || !owners.isSure(i)) {
                continue;
            }
            long owner = run.hash(owners.ownerOf(i));
            int selector = kept == NO_SLOT || owner == query ? 0 : nextSelector(owner, 0, query);
            if (selector < run.selector(i) && rewrite(slot, selector, owner)) {
                forgotten++;
            }
        }
        return forgotten;
    }

    /** The stored hashes of the quotients from one to another. */
    private long[] readRange(long low, long high) {
        rangeReads++;
        return stored.between(keys.firstHash(low), keys.lastHash(high));
    }

    @Override
    public AdaptationStatistics adaptationStatistics() {
        return new AdaptationStatistics(repairs, forgot, inseparable, rangeReads);
    }

    /** What the selectors look like now; goes through the whole table. */
    public SelectorStatistics selectorStatistics() {
        List<Long> histogram = new ArrayList<>();
        RunWalk walk = new RunWalk(runs);
        while (walk.next()) {
            for (long slot = walk.start(); slot <= walk.end(); slot++) {
                int selector = selectors.get(slot);
                while (histogram.size() <= selector) {
                    histogram.add(0L);
                }
                histogram.set(selector, histogram.get(selector) + 1);
            }
        }
        return new SelectorStatistics(
                histogram, selectors.spilledBlocks(), selectors.spillInBits(), forgottenSelectors);
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return ((slots.layout.wordCount() + slots.layout.offsetWordCount()) << 6) + selectors.spillInBits();
    }

    @Override
    public double expectedFpp() {
        return QuotientSizing.fpp(count, keys.slotCount, keys.remainderBits);
    }

    @Override
    public FilterImage image() {
        return new FilterImage(
                bitmap == null ? PLAIN_KIND : KIND,
                shape.parameters(count, Double.doubleToRawLongBits(spillBitsPerKey)),
                List.of(slots.words, slots.offsets, selectors.spillSection()));
    }

    static TelescopingFilter read(FilterImage image, StoredHashes stored) {
        return read(image, false, stored);
    }

    static TelescopingFilter readPlain(FilterImage image, StoredHashes stored) {
        return read(image, true, stored);
    }

    private static TelescopingFilter read(FilterImage image, boolean plain, StoredHashes stored) {
        if (image.parameterCount() != TableShape.PARAMETER_COUNT + 2
                || image.sections().size() != 3) {
            throw new MalformedFilterException("a telescoping filter has 6 parameters and 3 sections");
        }
        TableShape shape = TableShape.of(image);
        double spill = image.doubleParameter(TableShape.PARAMETER_COUNT + 1);
        if (!(spill >= 0 && spill <= (plain ? 0 : MOST_SPILL))) {
            throw new MalformedFilterException("a spill of " + spill + " bits a key");
        }
        TelescopingFilter filter = new TelescopingFilter(
                shape,
                plain,
                spill,
                stored,
                shape.slots(image, metadataWords(plain)),
                image.parameter(TableShape.PARAMETER_COUNT));
        try {
            filter.readSpill(image.sections().get(2));
            filter.checkInvariants();
        } catch (IllegalStateException e) {
            throw new MalformedFilterException("the table is damaged: " + e.getMessage(), e);
        }
        return filter;
    }

    private void readSpill(long[] section) {
        if (bitmap != null) {
            bitmap.readSpill(section);
        } else if (section.length != selectors.spillSection().length) {
            throw new IllegalStateException("plain selectors do not spill");
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
        selectors.check(RunCheck.usedSlots(runs, count));
    }

    private String fullMessage() {
        return count + " keys are in; " + keys.slotCount + " slots take at most " + limit;
    }
}
