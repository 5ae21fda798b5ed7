package dev.besom.fuse;

import dev.besom.bits.Words;
import java.util.Arrays;
import java.util.function.LongToIntFunction;

/**
 * The equations of one layer while it is built.
 *
 * <p>Buckets are taken from left to right, and the keys of a bucket from its last start to its first. What is to the left
 * of a bucket's middle has mostly been filled by the buckets before it, so the keys that find no slot of their own are those
 * with the first starts. When one fails, all keys of the bucket up to a threshold beyond it are given to the next layer, and
 * those of them that were in are taken out again, last come, first gone.
 */
final class RibbonSystem {

    private static final int NO_SLOT = -1;

    private final int width;
    private final int slots;
    private final LongToIntFunction payloads;
    private final long[] rows;
    private final int[] results;
    private final long[] bumped;

    /** The slots of a bucket's keys in the order of their inserts. */
    private int[] taken = new int[512];

    private long[] next = new long[64];
    private int nextCount;

    /** A layer whose hashes have their fingerprints. */
    RibbonSystem(int width, int slots) {
        this(width, slots, hash -> (int) RibbonLayer.fingerprint(RibbonLayer.scattered(hash), width));
    }

    /**
     * A layer.
     *
     * @param payloads what the slots of a hash are to give, in {@code width} bits
     */
    RibbonSystem(int width, int slots, LongToIntFunction payloads) {
        this.width = width;
        this.slots = slots;
        this.payloads = payloads;
        this.rows = new long[slots];
        this.results = new int[slots];
        this.bumped = new long[(int) ((RibbonLayer.bucketCount(slots) + 31) >>> 5)];
    }

    /**
     * Takes in what it can of some hashes.
     *
     * @param sorted in ascending unsigned order
     * @param bumps whether hashes may be left for the next layer
     * @return whether all others are in: false only if none may be left
     */
    boolean add(long[] sorted, int count, boolean bumps) {
        int from = 0;
        while (from < count) {
            long bucket = RibbonLayer.start(sorted[from], slots) >>> RibbonLayer.BUCKET_BITS;
            int to = from + 1;
            while (to < count && RibbonLayer.start(sorted[to], slots) >>> RibbonLayer.BUCKET_BITS == bucket) {
                to++;
            }
            int failed = addBucket(sorted, from, to);
            if (failed >= from) {
                if (!bumps) {
                    return false;
                }
                bump(sorted, from, to, failed, bucket);
            }
            from = to;
        }
        return true;
    }

    /** Inserts the hashes from the last to the first; returns the index of the first that fails, or one below {@code from}. */
    private int addBucket(long[] sorted, int from, int to) {
        if (to - from > taken.length) {
            taken = new int[Math.max(to - from, 2 * taken.length)];
        }
        for (int i = to - 1; i >= from; i--) {
            int slot = (int) RibbonLayer.start(sorted[i], slots);
            long row = RibbonLayer.coefficients(RibbonLayer.scattered(sorted[i]));
            int result = payloads.applyAsInt(sorted[i]);
            while (rows[slot] != 0) {
                row ^= rows[slot];
                result ^= results[slot];
                if (row == 0) {
                    break;
                }
                int zeros = Long.numberOfTrailingZeros(row);
                slot += zeros;
                row >>>= zeros;
            }
            if (row == 0) {
                if (result != 0) {
                    return i;
                }
                taken[to - 1 - i] = NO_SLOT; // it follows from the others, as an equal hash does
            } else {
                rows[slot] = row;
                results[slot] = result;
                taken[to - 1 - i] = slot;
            }
        }
        return from - 1;
    }

    private void bump(long[] sorted, int from, int to, int failed, long bucket) {
        long offset = RibbonLayer.start(sorted[failed], slots) & (RibbonLayer.BUCKET - 1);
        int code = 1;
        while (RibbonLayer.bumpedStarts(code) <= offset) {
            code++;
        }
        int threshold = RibbonLayer.bumpedStarts(code);
        int end = failed + 1;
        while (end < to && (RibbonLayer.start(sorted[end], slots) & (RibbonLayer.BUCKET - 1)) < threshold) {
            end++;
        }
        for (int i = failed + 1; i < end; i++) {
            int slot = taken[to - 1 - i];
            if (slot != NO_SLOT) {
                rows[slot] = 0;
                results[slot] = 0;
            }
        }
        bumped[(int) (bucket >>> 5)] |= (long) code << (bucket << 1);
        if (nextCount + end - from > next.length) {
            next = Arrays.copyOf(next, Math.max(2 * next.length, nextCount + end - from));
        }
        System.arraycopy(sorted, from, next, nextCount, end - from);
        nextCount += end - from;
    }

    /** The hashes that are left for the next layer. */
    long[] next() {
        return Arrays.copyOf(next, nextCount);
    }

    /** Solves the equations from the last slot to the first; slots without one are 0. */
    RibbonLayer solve() {
        long[] words = Words.allocate((long) width * (slots / Long.SIZE + 1));
        long[] columns = new long[width];
        for (int slot = slots - 1; slot >= 0; slot--) {
            long row = rows[slot] >>> 1;
            int result = results[slot];
            boolean isFree = rows[slot] == 0;
            for (int bit = 0; bit < width; bit++) {
                long solved = isFree ? 0 : (Long.bitCount(row & columns[bit]) ^ (result >>> bit)) & 1;
                columns[bit] = columns[bit] << 1 | solved;
            }
            if ((slot & 63) == 0) {
                System.arraycopy(columns, 0, words, Words.LEAD + (slot >>> 6) * width, width);
            }
        }
        return new RibbonLayer(width, slots, bumped, words);
    }
}
