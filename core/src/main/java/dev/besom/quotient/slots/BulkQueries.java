package dev.besom.quotient.slots;

import static dev.besom.quotient.slots.SlotLayout.BLOCK_SHIFT;
import static dev.besom.quotient.slots.SlotLayout.OCCUPIED;

import dev.besom.bits.Bitmaps;
import dev.besom.bits.Words;
import java.util.function.LongPredicate;

/**
 * Many queries at once, 64 at a time. A first pass finds out which quotients have runs: its reads of memory overlap, and
 * prefetch the remainders. A second pass compares remainders where the run is {@linkplain ShortRuns short} and has no
 * tags; whatever else there is goes to the filter's single query.
 */
public final class BulkQueries {

    private final QuotientKeys keys;
    private final ShortRuns shortRuns;
    private final TagMarks marks;
    private final LongPredicate query;
    private final long[] words;
    private final int stride;
    private final int metadataWords;
    private final int remainderBits;

    /** @param query the filter's query for one hash */
    public BulkQueries(QuotientKeys keys, ShortRuns shortRuns, TagMarks marks, LongPredicate query) {
        Slots slots = shortRuns.slots();
        this.keys = keys;
        this.shortRuns = shortRuns;
        this.marks = marks;
        this.query = query;
        this.words = slots.words;
        this.stride = slots.stride;
        this.metadataWords = slots.metadataWords;
        this.remainderBits = slots.remainderBits;
    }

    /** What {@link dev.besom.MembershipFilter#mightContainHashes(long[], int, int, long[])} answers. */
    public void answer(long[] hashes, int from, int count, long[] result) {
        Bitmaps.checkBulk(hashes, from, count, result);
        for (int base = 0; base < count; base += Long.SIZE) {
            int at = base >>> 6;
            long open = prefetch(hashes, from + base, Math.min(Long.SIZE, count - base), result, at);
            result[at] = answer(hashes, from + base, open);
        }
    }

    /** Keeps those of the open lanes whose hashes the filter might contain. */
    private long answer(long[] hashes, int first, long open) {
        long word = open;
        for (long lanes = open; lanes != 0; lanes &= lanes - 1) {
            int lane = Long.numberOfTrailingZeros(lanes);
            if (!isThere(hashes[first + lane])) {
                word ^= 1L << lane;
            }
        }
        return word;
    }

    private boolean isThere(long hash) {
        long quotient = keys.quotient(hash);
        int place = shortRuns.find(quotient);
        if (place < 0 || !shortRuns.isUntagged(quotient, place, marks)) {
            return query.test(hash);
        }
        return shortRuns.holds(quotient, place, keys.remainder(hash));
    }

    /**
     * A bit for each of up to 64 hashes: whether its quotient has a run. What the reads of the remainders give goes to a
     * word of the result for a moment, lest the compiler leave them out.
     */
    private long prefetch(long[] hashes, int first, int hashCount, long[] result, int at) {
        long bits = 0;
        long touched = 0;
        for (int lane = 0; lane < hashCount; lane++) {
            long quotient = keys.quotient(hashes[first + lane]);
            int base = Words.LEAD + (int) (quotient >>> BLOCK_SHIFT) * stride;
            bits |= (words[base + OCCUPIED] >>> quotient & 1) << lane;
            int bit = SlotLayout.inBlock(quotient) * remainderBits;
            touched ^= words[base + metadataWords + (bit >>> 6)];
        }
        result[at] = touched;
        return bits;
    }
}
