package dev.besom.quotient;

import dev.besom.DeletableFilter;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.GrowableFilter;
import dev.besom.MergeableFilter;
import dev.besom.StoredHashes;
import dev.besom.quotient.slots.BulkQueries;
import dev.besom.quotient.slots.QuotientKeys;
import dev.besom.quotient.slots.QuotientSizing;
import dev.besom.quotient.slots.RunAppender;
import dev.besom.quotient.slots.RunCheck;
import dev.besom.quotient.slots.RunWalk;
import dev.besom.quotient.slots.Runs;
import dev.besom.quotient.slots.SharedSlots;
import dev.besom.quotient.slots.ShortRuns;
import dev.besom.quotient.slots.SlotLayout;
import dev.besom.quotient.slots.Slots;
import dev.besom.quotient.slots.TableForm;
import dev.besom.quotient.slots.TableShape;
import dev.besom.quotient.slots.TagMarks;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.PersistentFilter;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * A quotient filter with rank and select: a multiset of fingerprints that can be queried, added to, taken from, counted,
 * listed in order, merged and, with the hashes at hand, rebuilt at another size.
 *
 * <pre>
 *   block of 64 slots: | occupied 64 | run ends 64 | 64 remainders of r bits |      offsets: 8 bits a block
 * </pre>
 *
 * The picture and the terms are those of {@link SlotLayout} and {@link Runs}. Remainders of a run are in ascending
 * order, so equal fingerprints are neighbours and the whole table is sorted.
 *
 * <p>Departures from the paper: any number of slots, by multiply-high addressing; spare slots behind the end instead
 * of luck; offsets that are too large for their 8 bits are found by walking; equal fingerprints are counted by repetition
 * up to eight, and by a counter beside the table ({@link SharedSlots}) from there on, not by counters in slots.
 *
 * <p>Cost: (r + 2.125) / load bits a key. A query reads one offset and one or two neighbouring cache lines; an insert
 * moves on average 1 / (2 * (1 - load)^2) slots, a word at a time. One writer at a time.
 *
 * <p>P. Pandey, M. A. Bender, R. Johnson and R. Patro: A general-purpose counting filter: making every bit count.
 * SIGMOD 2017. M. A. Bender and others: Don't thrash: how to cache your hash on flash. VLDB 2012.
 */
public final class QuotientFilter implements DeletableFilter, MergeableFilter, GrowableFilter, PersistentFilter {

    static final String KIND = "quotient";

    static final TableForm FORM = new TableForm(new ImageForm(KIND));

    private static final int METADATA_WORDS = SlotLayout.TAGS;

    /** How many copies of a fingerprint have slots of their own: about as many as take the memory of a counter. */
    private static final int OWN_SLOTS = 8;

    private final TableShape shape;
    private final QuotientKeys keys;
    private final Slots slots;
    private final Runs runs;
    private final ShortRuns shortRuns;
    private final BulkQueries bulk;
    private final long limit;

    /** Copies that have no slots of their own, by fingerprint. */
    private final SharedSlots shared;

    private long used;

    QuotientFilter(TableShape shape) {
        this(shape, new Slots(shape.layout(METADATA_WORDS)), new SharedSlots(), 0);
    }

    private QuotientFilter(TableShape shape, Slots slots, SharedSlots shared, long used) {
        this.shape = shape;
        this.keys = shape.keys();
        this.slots = slots;
        this.runs = new Runs(slots);
        this.shortRuns = new ShortRuns(runs);
        this.bulk = new BulkQueries(keys, shortRuns, TagMarks.NO_TAGS, this::mightContainHash);
        this.limit = shape.limit();
        this.shared = shared;
        this.used = used;
    }

    static QuotientFilter make(FilterSpec spec) {
        return new QuotientFilter(TableShape.of(spec));
    }

    @Override
    public QuotientFilter grown(long newCapacity, StoredHashes stored) {
        return build(shape.withCapacity(newCapacity), stored);
    }

    private static QuotientFilter build(TableShape shape, StoredHashes stored) {
        QuotientFilter filter = new QuotientFilter(shape);
        SortedRuns builder = new SortedRuns(filter);
        stored.forEachBetween(0, -1L, builder);
        builder.finish();
        if (filter.used > filter.limit) {
            throw new FilterFullException(filter.fullMessage());
        }
        return filter;
    }

    @Override
    public boolean mightContainHash(long hash) {
        long quotient = keys.quotient(hash);
        long remainder = keys.remainder(hash);
        int place = shortRuns.find(quotient);
        return place >= 0 ? shortRuns.holds(quotient, place, remainder) : isInRun(quotient, remainder);
    }

    @Override
    public void mightContainHashes(long[] hashes, int from, int count, long[] result) {
        bulk.answer(hashes, from, count, result);
    }

    private boolean isInRun(long quotient, long remainder) {
        long end = runs.runEnd(quotient);
        long start = runs.runStart(quotient, end);
        for (long slot = end; slot >= start; slot--) {
            long stored = slots.remainder(slot);
            if (stored <= remainder) {
                return stored == remainder;
            }
        }
        return false;
    }

    /**
     * Puts a hash in once more; a hash that is in already then counts twice.
     *
     * @return true if no equal fingerprint was there
     */
    @Override
    public boolean insertHash(long hash) {
        long quotient = keys.quotient(hash);
        long remainder = keys.remainder(hash);
        if (used < limit && runs.isHomeFree(quotient)) {
            runs.openAtHome(quotient, remainder);
            used++;
            return true;
        }
        if (!runs.isOccupied(quotient)) {
            open(quotient, runs.newRunAt(quotient), remainder, true);
            return true;
        }
        long end = runs.runEnd(quotient);
        long start = runs.runStart(quotient, end);
        long at = end + 1;
        while (at > start && slots.remainder(at - 1) > remainder) {
            at--;
        }
        int copies = copiesBefore(at, start, remainder);
        boolean isShared = copies == OWN_SLOTS;
        if (!isShared || !shared.join(fingerprint(hash), 1)) {
            open(quotient, at, remainder, at > end);
            if (isShared) {
                shared.open(fingerprint(hash));
            }
        }
        return copies == 0;
    }

    /** How many of the slots before one hold a remainder, but no more than have slots of their own. */
    private int copiesBefore(long at, long start, long remainder) {
        int copies = 0;
        while (copies < OWN_SLOTS && at - 1 - copies >= start && slots.remainder(at - 1 - copies) == remainder) {
            copies++;
        }
        return copies;
    }

    private void open(long quotient, long at, long remainder, boolean endsRun) {
        long free = runs.firstFree(at);
        if (used >= limit || free >= slots.layout().totalSlots()) {
            throw new FilterFullException(fullMessage());
        }
        runs.open(quotient, at, free, remainder, endsRun);
        used++;
    }

    @Override
    public boolean deleteHash(long hash) {
        if (shared.leave(fingerprint(hash))) {
            return true;
        }
        long quotient = keys.quotient(hash);
        if (!runs.isOccupied(quotient)) {
            return false;
        }
        long remainder = keys.remainder(hash);
        long end = runs.runEnd(quotient);
        long start = runs.runStart(quotient, end);
        for (long slot = end; slot >= start; slot--) {
            if (slots.remainder(slot) == remainder) {
                runs.close(quotient, slot, runs.lastMoving(slot));
                used--;
                return true;
            }
        }
        return false;
    }

    /** How often the fingerprint of a hash is in the filter. */
    public long countOfHash(long hash) {
        long quotient = keys.quotient(hash);
        if (!runs.isOccupied(quotient)) {
            return 0;
        }
        long remainder = keys.remainder(hash);
        long found = 0;
        long end = runs.runEnd(quotient);
        for (long slot = runs.runStart(quotient, end); slot <= end; slot++) {
            if (slots.remainder(slot) == remainder) {
                found++;
            }
        }
        return found + shared.extra(fingerprint(hash));
    }

    /** The fingerprint of a hash as one number, below {@link #fingerprintCount()}. */
    public long fingerprint(long hash) {
        return fingerprint(keys.quotient(hash), keys.remainder(hash));
    }

    private long fingerprint(long quotient, long remainder) {
        return (quotient << keys.remainderBits()) | remainder;
    }

    /** Whether a fingerprint is in the filter. */
    public boolean holds(long fingerprint) {
        long quotient = fingerprint >>> keys.remainderBits();
        if (!runs.isOccupied(quotient)) {
            return false;
        }
        long remainder = fingerprint & slots.remainderMask();
        long end = runs.runEnd(quotient);
        for (long slot = runs.runStart(quotient, end); slot <= end; slot++) {
            if (slots.remainder(slot) == remainder) {
                return true;
            }
        }
        return false;
    }

    /** How many different fingerprints there are. */
    public long fingerprintCount() {
        return keys.slotCount() << keys.remainderBits();
    }

    /** The smallest hash, in unsigned order, with the quotient of a hash. */
    public long firstAlike(long hash) {
        return keys.firstHash(keys.quotient(hash));
    }

    /** The largest hash, in unsigned order, with the quotient of a hash. */
    public long lastAlike(long hash) {
        return keys.lastHash(keys.quotient(hash));
    }

    /** Takes fingerprints one by one. */
    @FunctionalInterface
    public interface FingerprintConsumer {
        /** A fingerprint. */
        void accept(long quotient, long remainder);
    }

    /** Gives every fingerprint, as often as it is in, in ascending order of quotient and remainder. */
    public void forEachFingerprint(FingerprintConsumer action) {
        RunWalk walk = new RunWalk(runs);
        while (walk.next()) {
            for (long slot = walk.start(); slot <= walk.end(); slot++) {
                long remainder = slots.remainder(slot);
                action.accept(walk.quotient(), remainder);
                boolean isLast = slot == walk.end() || slots.remainder(slot + 1) != remainder;
                long more = isLast ? shared.extra(fingerprint(walk.quotient(), remainder)) : 0;
                for (long copy = 0; copy < more; copy++) {
                    action.accept(walk.quotient(), remainder);
                }
            }
        }
    }

    /** Adds every fingerprint of the other filter as often as it has it, in one ordered pass over both. */
    @Override
    public void mergeFrom(MergeableFilter other) {
        if (!(other instanceof QuotientFilter that)) {
            throw new IllegalArgumentException("a quotient filter does not merge with a "
                    + other.getClass().getSimpleName());
        }
        requireSame("slot counts", keys.slotCount(), that.keys.slotCount());
        requireSame("remainder widths", keys.remainderBits(), that.keys.remainderBits());
        requireSame("seeds", keys.seed(), that.keys.seed());
        long sum = used + that.used;
        if (sum > limit) {
            throw new FilterFullException(
                    "the filters hold " + sum + " fingerprints; at most " + limit + " fit into one");
        }
        Slots merged = new Slots(slots.layout());
        Merge.append(runs, that.runs, new Runs(merged));
        System.arraycopy(merged.words(), 0, slots.words(), 0, merged.words().length);
        System.arraycopy(merged.offsets(), 0, slots.offsets(), 0, merged.offsets().length);
        shared.addAll(that.shared);
        used = sum;
    }

    private static void requireSame(String what, long mine, long others) {
        if (mine != others) {
            throw new IllegalArgumentException(what + " differ: " + mine + " and " + others);
        }
    }

    @Override
    public long count() {
        return used + shared.extra();
    }

    @Override
    public long sizeInBits() {
        return ((slots.layout().wordCount() + slots.layout().offsetWordCount()) << 6) + shared.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        return QuotientSizing.fpp((double) used, keys.slotCount(), keys.remainderBits());
    }

    @Override
    public FilterImage image() {
        return FORM.write(shape, slots, shared, count()).image();
    }

    static QuotientFilter read(FilterImage image) {
        TableShape shape = FORM.shape(image);
        SharedSlots shared = FORM.sharedSlots(image);
        QuotientFilter filter = new QuotientFilter(
                shape, FORM.slots(image, shape, METADATA_WORDS), shared, FORM.usedSlots(image, shared));
        image.checkInvariants(filter::checkInvariants);
        return filter;
    }

    /**
     * Checks the whole structure.
     *
     * @throws IllegalStateException if it is damaged; the message shows where
     */
    public void checkInvariants() {
        if (used > limit) {
            throw new IllegalStateException(used + " slots are in use where at most " + limit + " may be");
        }
        RunCheck.usedSlots(runs, used);
        RunWalk walk = new RunWalk(runs);
        int sharedFound = 0;
        while (walk.next()) {
            for (long slot = walk.start(); slot <= walk.end(); slot++) {
                boolean isLast = slot == walk.end();
                if (!isLast && slots.remainder(slot) > slots.remainder(slot + 1)) {
                    throw new IllegalStateException(
                            "slot " + slot + " is out of order" + RunCheck.dump(runs, SlotLayout.block(slot)));
                }
                if (isLast || slots.remainder(slot) < slots.remainder(slot + 1)) {
                    sharedFound += shared.has(fingerprint(walk.quotient(), slots.remainder(slot))) ? 1 : 0;
                }
            }
        }
        if (sharedFound != shared.size()) {
            throw new IllegalStateException(shared.size() + " slots are shared where " + sharedFound + " are there");
        }
    }

    private String fullMessage() {
        return used + " fingerprints are in; " + keys.slotCount() + " slots take at most " + limit;
    }

    /** Turns hashes in ascending order into sorted runs of an empty filter. */
    private static final class SortedRuns implements LongConsumer {

        private final QuotientFilter filter;
        private final RunAppender appender;
        private long[] run = new long[16];
        private int runLength;
        private long quotient = -1;

        SortedRuns(QuotientFilter filter) {
            this.filter = filter;
            this.appender = new RunAppender(filter.runs);
        }

        @Override
        public void accept(long hash) {
            long next = filter.keys.quotient(hash);
            if (next != quotient) {
                appendRun();
                quotient = next;
            }
            if (runLength == run.length) {
                run = Arrays.copyOf(run, runLength * 2);
            }
            run[runLength++] = filter.keys.remainder(hash);
        }

        /** Writes what is left. */
        void finish() {
            appendRun();
            appender.finish();
        }

        private void appendRun() {
            if (runLength > 1) {
                Arrays.sort(run, 0, runLength);
            }
            int copies = 0;
            for (int i = 0; i < runLength; i++) {
                copies = i > 0 && run[i] == run[i - 1] ? copies + 1 : 0;
                append(run[i], copies);
            }
            runLength = 0;
        }

        /** @param copies equal ones before it */
        private void append(long remainder, int copies) {
            if (copies > OWN_SLOTS) {
                filter.shared.join(filter.fingerprint(quotient, remainder), 1);
                return;
            }
            appender.append(quotient, remainder);
            filter.used++;
            if (copies == OWN_SLOTS) {
                filter.shared.open(filter.fingerprint(quotient, remainder));
            }
        }
    }

    /** One ordered pass over two tables. */
    private static final class Merge {

        private Merge() {}

        static void append(Runs left, Runs right, Runs into) {
            RunAppender appender = new RunAppender(into);
            RunWalk a = new RunWalk(left);
            RunWalk b = new RunWalk(right);
            boolean hasA = a.next();
            boolean hasB = b.next();
            while (hasA || hasB) {
                if (!hasB || (hasA && a.quotient() < b.quotient())) {
                    appendRun(appender, a, left.slots(), a.start());
                    hasA = a.next();
                } else if (!hasA || b.quotient() < a.quotient()) {
                    appendRun(appender, b, right.slots(), b.start());
                    hasB = b.next();
                } else {
                    appendBoth(appender, a, left.slots(), b, right.slots());
                    hasA = a.next();
                    hasB = b.next();
                }
            }
            appender.finish();
        }

        private static void appendBoth(RunAppender appender, RunWalk a, Slots left, RunWalk b, Slots right) {
            long slotA = a.start();
            long slotB = b.start();
            while (slotA <= a.end() && slotB <= b.end()) {
                long remainderA = left.remainder(slotA);
                long remainderB = right.remainder(slotB);
                if (remainderA <= remainderB) {
                    appender.append(a.quotient(), remainderA);
                    slotA++;
                } else {
                    appender.append(a.quotient(), remainderB);
                    slotB++;
                }
            }
            appendRun(appender, a, left, slotA);
            appendRun(appender, b, right, slotB);
        }

        private static void appendRun(RunAppender appender, RunWalk walk, Slots slots, long from) {
            for (long slot = from; slot <= walk.end(); slot++) {
                appender.append(walk.quotient(), slots.remainder(slot));
            }
        }
    }
}
