package dev.besom.quotient;

import dev.besom.DeletableFilter;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.GrowableFilter;
import dev.besom.MalformedFilterException;
import dev.besom.MergeableFilter;
import dev.besom.StoredHashes;
import dev.besom.bits.Bitmaps;
import dev.besom.spi.FilterImage;
import dev.besom.spi.PersistentFilter;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * A quotient filter with rank and select: a multiset of fingerprints that can be asked, added to, taken from, counted,
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
 * of luck; offsets that are too large for their 8 bits are found by walking; duplicates are counted by repetition, not
 * by counters in slots, so a hash put in very often makes its run, and all that touches it, slow.
 *
 * <p>Cost: (r + 2.125) / load bits a key. A question reads one offset and one or two neighbouring cache lines; an insert
 * moves on average 1 / (2 * (1 - load)^2) slots, a word at a time. One writer at a time.
 *
 * <p>P. Pandey, M. A. Bender, R. Johnson and R. Patro: A general-purpose counting filter: making every bit count.
 * SIGMOD 2017. M. A. Bender and others: Don't thrash: how to cache your hash on flash. VLDB 2012.
 */
public final class QuotientFilter implements DeletableFilter, MergeableFilter, GrowableFilter, PersistentFilter {

    static final String KIND = "quotient";

    private static final int METADATA_WORDS = SlotLayout.TAGS;

    private final TableShape shape;
    private final QuotientKeys keys;
    private final Slots slots;
    private final Runs runs;
    private final ShortRuns shortRuns;
    private final long limit;
    private long count;

    QuotientFilter(TableShape shape) {
        this(shape, new Slots(shape.layout(METADATA_WORDS)), 0);
    }

    private QuotientFilter(TableShape shape, Slots slots, long count) {
        this.shape = shape;
        this.keys = shape.keys();
        this.slots = slots;
        this.runs = new Runs(slots);
        this.shortRuns = new ShortRuns(runs);
        this.limit = shape.limit();
        this.count = count;
    }

    /** An empty filter. */
    public static QuotientFilter make(FilterSpec spec) {
        return new QuotientFilter(TableShape.of(spec));
    }

    /**
     * A filter that holds all the stored hashes, made in one pass over them.
     *
     * @throws FilterFullException if they are more than fit
     */
    public static QuotientFilter build(FilterSpec spec, StoredHashes stored) {
        return build(TableShape.of(spec), stored);
    }

    @Override
    public QuotientFilter grown(long newCapacity, StoredHashes stored) {
        return build(shape.withCapacity(newCapacity), stored);
    }

    private static QuotientFilter build(TableShape shape, StoredHashes stored) {
        QuotientFilter filter = new QuotientFilter(shape);
        SortedRuns builder = new SortedRuns(filter.runs, filter.keys);
        stored.forEachBetween(0, -1L, builder);
        filter.count = builder.finish();
        if (filter.count > filter.limit) {
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
        Bitmaps.checkBulk(hashes, from, count, result);
        for (int base = 0; base < count; base += Long.SIZE) {
            int first = from + base;
            int hashCount = Math.min(Long.SIZE, count - base);
            long open = shortRuns.occupiedBits(keys, hashes, first, hashCount, result, base >>> 6);
            long word = open;
            for (; open != 0; open &= open - 1) {
                int lane = Long.numberOfTrailingZeros(open);
                if (!mightContainHash(hashes[first + lane])) {
                    word ^= 1L << lane;
                }
            }
            result[base >>> 6] = word;
        }
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
        if (count < limit && runs.isHomeFree(quotient)) {
            runs.openAtHome(quotient, remainder);
            count++;
            return true;
        }
        boolean isNew = true;
        boolean endsRun = true;
        long at;
        if (runs.isOccupied(quotient)) {
            long end = runs.runEnd(quotient);
            long start = runs.runStart(quotient, end);
            at = end + 1;
            while (at > start) {
                long before = slots.remainder(at - 1);
                if (before <= remainder) {
                    isNew = before != remainder;
                    break;
                }
                at--;
            }
            endsRun = at > end;
        } else {
            at = runs.newRunAt(quotient);
        }
        long free = runs.firstFree(at);
        if (count >= limit || free >= slots.layout.totalSlots()) {
            throw new FilterFullException(fullMessage());
        }
        runs.open(quotient, at, free, remainder, endsRun);
        count++;
        return isNew;
    }

    @Override
    public boolean deleteHash(long hash) {
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
                count--;
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
        return found;
    }

    /** The fingerprint of a hash as one number, below {@link #fingerprintCount()}. */
    public long fingerprint(long hash) {
        return (keys.quotient(hash) << keys.remainderBits) | keys.remainder(hash);
    }

    /** How many different fingerprints there are. */
    public long fingerprintCount() {
        return keys.slotCount << keys.remainderBits;
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
        void accept(long quotient, long remainder);
    }

    /** Gives every fingerprint, as often as it is in, in ascending order of quotient and remainder. */
    public void forEachFingerprint(FingerprintConsumer action) {
        RunWalk walk = new RunWalk(runs);
        while (walk.next()) {
            for (long slot = walk.start(); slot <= walk.end(); slot++) {
                action.accept(walk.quotient(), slots.remainder(slot));
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
        requireSame("slot counts", keys.slotCount, that.keys.slotCount);
        requireSame("remainder widths", keys.remainderBits, that.keys.remainderBits);
        requireSame("seeds", keys.seed, that.keys.seed);
        long sum = count + that.count;
        if (sum > limit) {
            throw new FilterFullException(
                    "the filters hold " + sum + " fingerprints; at most " + limit + " fit into one");
        }
        Slots merged = new Slots(slots.layout);
        Merge.append(runs, that.runs, new Runs(merged));
        System.arraycopy(merged.words, 0, slots.words, 0, merged.words.length);
        System.arraycopy(merged.offsets, 0, slots.offsets, 0, merged.offsets.length);
        count = sum;
    }

    private static void requireSame(String what, long mine, long others) {
        if (mine != others) {
            throw new IllegalArgumentException(what + " differ: " + mine + " and " + others);
        }
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return (slots.layout.wordCount() + slots.layout.offsetWordCount()) << 6;
    }

    @Override
    public double expectedFpp() {
        return QuotientSizing.fpp(count, keys.slotCount, keys.remainderBits);
    }

    @Override
    public FilterImage image() {
        return new FilterImage(KIND, shape.parameters(count), List.of(slots.words, slots.offsets));
    }

    static QuotientFilter read(FilterImage image) {
        if (image.parameterCount() != TableShape.PARAMETER_COUNT + 1
                || image.sections().size() != 2) {
            throw new MalformedFilterException("a quotient filter has 5 parameters and 2 sections");
        }
        TableShape shape = TableShape.of(image);
        QuotientFilter filter = new QuotientFilter(
                shape, shape.slots(image, METADATA_WORDS), image.parameter(TableShape.PARAMETER_COUNT));
        try {
            filter.checkInvariants();
        } catch (IllegalStateException e) {
            throw new MalformedFilterException("the table is damaged: " + e.getMessage(), e);
        }
        return filter;
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
        RunCheck.usedSlots(runs, count);
        RunWalk walk = new RunWalk(runs);
        while (walk.next()) {
            for (long slot = walk.start(); slot < walk.end(); slot++) {
                if (slots.remainder(slot) > slots.remainder(slot + 1)) {
                    throw new IllegalStateException(
                            "slot " + slot + " is out of order" + RunCheck.dump(runs, SlotLayout.block(slot)));
                }
            }
        }
    }

    private String fullMessage() {
        return count + " fingerprints are in; " + keys.slotCount + " slots take at most " + limit;
    }

    /** Turns hashes in ascending order into sorted runs. */
    private static final class SortedRuns implements LongConsumer {

        private final RunAppender appender;
        private final QuotientKeys keys;
        private long[] run = new long[16];
        private int runLength;
        private long quotient = -1;
        private long appended;

        SortedRuns(Runs runs, QuotientKeys keys) {
            this.appender = new RunAppender(runs);
            this.keys = keys;
        }

        @Override
        public void accept(long hash) {
            long next = keys.quotient(hash);
            if (next != quotient) {
                appendRun();
                quotient = next;
            }
            if (runLength == run.length) {
                run = Arrays.copyOf(run, runLength * 2);
            }
            run[runLength++] = keys.remainder(hash);
        }

        /** Writes what is left; returns how many hashes there were. */
        long finish() {
            appendRun();
            appender.finish();
            return appended;
        }

        private void appendRun() {
            if (runLength > 1) {
                Arrays.sort(run, 0, runLength);
            }
            for (int i = 0; i < runLength; i++) {
                appender.append(quotient, run[i]);
            }
            appended += runLength;
            runLength = 0;
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
                    appendRun(appender, a, left.slots, a.start());
                    hasA = a.next();
                } else if (!hasA || b.quotient() < a.quotient()) {
                    appendRun(appender, b, right.slots, b.start());
                    hasB = b.next();
                } else {
                    appendBoth(appender, a, left.slots, b, right.slots);
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
