package dev.besom.quotient;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.adaptive.Tombstones;
import dev.besom.bits.Bitmaps;
import dev.besom.spi.FilterImage;
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
 * <p>Departures from the paper: deletes, after which a key that comes back is given the selector that it had; growth; every
 * slot that was hit is repaired at once; remainders never come round again; a block without room for its selectors spills,
 * within a bound; and where that is full too, a quarter of the block's selectors is given up for a repair, not all.
 *
 * <p>Cost: (r + 4.125) / load bits a key and, where blocks spill, up to the option's 0.5 more; the plain kind takes
 * (r + 10.125) / load. What is remembered of deleted keys adds what {@link Tombstones} says. A question costs what it costs in
 * a quotient filter and a look at the bitmap. One writer at a time.
 *
 * <p>D. J. Lee, S. McCauley, S. Singh and M. Stein: Telescoping filter: a practical adaptive filter. ESA 2021.
 */
public final class TelescopingFilter extends SelectorFilter {

    static final String KIND = "telescoping";
    static final String PLAIN_KIND = "telescoping-plain";

    private static final double MOST_SPILL = 16;

    /** The same as the tags where they have this form, so that questions call no virtual method. */
    private final @Nullable BitmapSelectors bitmap;

    private TelescopingFilter(
            TableShape shape, double spill, StoredHashes stored, Slots slots, long count, Tags selectors) {
        super(shape, spill, stored, slots, count, selectors);
        this.bitmap = selectors instanceof BitmapSelectors form ? form : null;
    }

    private static TelescopingFilter of(
            TableShape shape, boolean plain, double spill, StoredHashes stored, Slots slots, long count) {
        Tags selectors = plain ? new PlainSelectors(slots) : new BitmapSelectors(slots, spill * shape.capacity());
        return new TelescopingFilter(shape, spill, stored, slots, count, selectors);
    }

    private static TelescopingFilter empty(TableShape shape, boolean plain, double spill, StoredHashes stored) {
        return of(shape, plain, spill, stored, new Slots(shape.layout(metadataWords(plain))), 0);
    }

    private static int metadataWords(boolean plain) {
        return plain ? PlainSelectors.METADATA_WORDS : BitmapSelectors.METADATA_WORDS;
    }

    /** An empty filter of the kind {@code telescoping}. */
    public static TelescopingFilter make(FilterSpec spec, StoredHashes stored) {
        return empty(TableShape.of(spec), false, spill(spec, MOST_SPILL), stored);
    }

    /** An empty filter of the kind {@code telescoping-plain}. */
    public static TelescopingFilter makePlain(FilterSpec spec, StoredHashes stored) {
        return empty(TableShape.of(spec), true, 0, stored);
    }

    @Override
    public TelescopingFilter grown(long newCapacity, StoredHashes newStored) {
        TelescopingFilter filter = emptied(newCapacity, newStored);
        filter.fill();
        return filter;
    }

    @Override
    TelescopingFilter emptied(long newCapacity, StoredHashes newStored) {
        return empty(shape.withCapacity(newCapacity), bitmap == null, spillBitsPerKey, newStored);
    }

    static TelescopingFilter read(FilterImage image, StoredHashes stored) {
        return read(image, false, stored);
    }

    static TelescopingFilter readPlain(FilterImage image, StoredHashes stored) {
        return read(image, true, stored);
    }

    private static TelescopingFilter read(FilterImage image, boolean plain, StoredHashes stored) {
        checkForm(image, 0);
        TableShape shape = TableShape.of(image);
        double spill = spill(image, plain ? 0 : MOST_SPILL);
        TelescopingFilter filter =
                of(shape, plain, spill, stored, shape.slots(image, metadataWords(plain)), count(image));
        filter.readBeside(image);
        return filter;
    }

    @Override
    String kind() {
        return bitmap == null ? PLAIN_KIND : KIND;
    }

    @Override
    long[] formParameters() {
        return new long[0];
    }

    @Override
    public boolean mightContainHash(long hash) {
        long quotient = keys.quotient(hash);
        int place = shortRuns.find(quotient);
        if (place < 0) {
            return isInRun(hash, quotient);
        }
        if (isTagged(quotient, place)) {
            long start = ShortRuns.start(quotient, place);
            return isBetween(hash, start, start + ShortRuns.length(place) - 1);
        }
        return shortRuns.holds(quotient, place, keys.remainder(hash));
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

    /** Whether a slot of a short run has a selector above 0. */
    private boolean isTagged(long quotient, int place) {
        return bitmap != null
                ? shortRuns.bits(quotient, place, BitmapSelectors.BITMAP) != 0
                : ShortRuns.length(place) > 0;
    }

    @Override
    boolean isInRun(long hash, long quotient) {
        long end = runs.runEnd(quotient);
        return isBetween(hash, runs.runStart(quotient, end), end);
    }

    /** Whether one of the slots of a run holds the remainder that a hash has under the slot's selector. */
    private boolean isBetween(long hash, long start, long end) {
        BitmapSelectors bits = bitmap;
        long remainder = keys.remainder(hash);
        for (long slot = end; slot >= start; slot--) {
            int selector = bits != null ? bits.selector(slot) : (int) tags.get(slot);
            long asked = selector == 0 ? remainder : keys.remainder(hash, selector);
            if (slots.remainder(slot) == asked) {
                return true;
            }
        }
        return false;
    }
}
