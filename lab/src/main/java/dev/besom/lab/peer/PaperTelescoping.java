package dev.besom.lab.peer;

import dev.besom.AdaptationStatistics;
import dev.besom.FilterFullException;
import dev.besom.bits.FastRange;
import dev.besom.hash.Mix;
import java.util.Arrays;

/**
 * The telescoping filter as its paper describes it, to hold Besom's kinds against: remainders of 8 bits, selectors of a block in
 * an arithmetic code of 56 bits, no memory besides, every query decodes, and a block whose code has no room is emptied.
 *
 * <pre>
 *   block of 64 slots: | occupied 64 | run ends 64 | code 56 | offset 8 | 64 remainders of 8 bits |      704 bits, 11 a slot
 *
 *   offset    how many slots at the block's beginning hold keys whose quotients are in earlier blocks
 *   code      the low end of the interval of the block's selectors; 0 if all are 0
 * </pre>
 *
 * <p>The stored keys are kept in step with the slots, as in the paper: slot {@code s} belongs to {@code owners[s]}. A repair gives
 * the first slot that was hit its next selector, and no other.
 *
 * <p>Departures: offsets are whole numbers here, and counted as 8 bits; the code is the low end of its interval and not its middle,
 * which changes nothing in what has room. The remainders are pieces of this project's hash.
 *
 * <p>D. J. Lee, S. McCauley, S. Singh, M. Stein: Telescoping filter: a practical adaptive filter. ESA 2021, section 5 and appendix C.2.
 */
public final class PaperTelescoping implements Rival {

    private static final int SLOTS = 64;
    private static final int REMAINDER_BITS = 8;
    private static final int CODE_BITS = 56;
    private static final int OFFSET_BITS = 8;
    private static final int BLOCK_BITS = 2 * SLOTS + CODE_BITS + OFFSET_BITS + SLOTS * REMAINDER_BITS;
    private static final double LOAD = 0.95;

    /** The most blocks behind the last quotient, for what is pushed there. */
    private static final int MOST_SPARE_BLOCKS = 5;

    private static final int MOST_SELECTOR = 6;

    /** The remainders under all selectors are so many low bits of a word. */
    private static final int PIECES_BITS = (MOST_SELECTOR + 1) * REMAINDER_BITS;

    private static final long EACH_BYTE = 0x0101010101010101L;
    private static final long DOES_NOT_FIT = -1;

    private final int quotients;
    private final long seed;

    /** Whether every query decodes, as in the paper, or only one that some selector could let hit: the answers are the same. */
    private final boolean decodesAlways;

    private final long[] occupied;
    private final long[] runEnds;
    private final long[] codes;
    private final int[] offsets;
    private final byte[] remainders;

    /** The remote side: not counted as memory of the filter. */
    private final long[] owners;

    private final int[] scratch = new int[SLOTS];
    private int count;
    private long repairs;
    private long rebuilds;

    /** An empty filter for so many keys at a load of 0.95. */
    public PaperTelescoping(long capacity, long seed) {
        this(capacity, seed, true);
    }

    /** The same with queries that decode only where it matters: where answers are counted, and no times are taken. */
    public static PaperTelescoping forCounts(long capacity, long seed) {
        return new PaperTelescoping(capacity, seed, false);
    }

    private PaperTelescoping(long capacity, long seed, boolean decodesAlways) {
        this.decodesAlways = decodesAlways;
        int homes = Math.toIntExact((long) Math.ceil(capacity / LOAD / SLOTS));
        int blocks = homes + Math.min(MOST_SPARE_BLOCKS, 1 + homes / SLOTS);
        this.quotients = homes * SLOTS;
        this.seed = seed;
        this.occupied = new long[blocks];
        this.runEnds = new long[blocks];
        this.codes = new long[blocks];
        this.offsets = new int[blocks];
        this.remainders = new byte[blocks * SLOTS];
        this.owners = new long[blocks * SLOTS];
    }

    private int quotient(long hash) {
        return (int) FastRange.place(hash, quotients);
    }

    private byte remainder(long hash, int selector) {
        return (byte) (Mix.expand(hash, seed, 0) >>> (selector * REMAINDER_BITS));
    }

    private static boolean bit(long[] words, int at) {
        return (words[at >>> 6] >>> at & 1) != 0;
    }

    /** The end of the last run whose quotient is at most this; before the quotient where there is none that reaches it. */
    private int lastEnd(int quotient) {
        int block = quotient >>> 6;
        int runs = Long.bitCount(occupied[block] << (SLOTS - 1 - (quotient & (SLOTS - 1))));
        int at = (block << 6) + offsets[block];
        return runs == 0 ? at - 1 : nthEnd(at, runs);
    }

    /** The n-th run end from a slot on. */
    private int nthEnd(int from, int n) {
        int block = from >>> 6;
        long ends = runEnds[block] & -1L << from;
        int left = n;
        while (Long.bitCount(ends) < left) {
            left -= Long.bitCount(ends);
            ends = runEnds[++block];
        }
        for (int i = 1; i < left; i++) {
            ends &= ends - 1;
        }
        return (block << 6) + Long.numberOfTrailingZeros(ends);
    }

    private int runStart(int quotient) {
        return quotient == 0 ? 0 : Math.max(quotient, lastEnd(quotient - 1) + 1);
    }

    @Override
    public boolean mightContainHash(long hash) {
        return firstHit(hash) >= 0;
    }

    /** The first slot of the run that looks like the hash; -1 if there is none. */
    private int firstHit(long hash) {
        int quotient = quotient(hash);
        if (!bit(occupied, quotient)) {
            return -1;
        }
        int start = runStart(quotient);
        int end = lastEnd(quotient);
        if (!decodesAlways && !couldHit(hash, start, end)) {
            return -1;
        }
        int decoded = -1;
        int[] selectors = scratch;
        for (int slot = start; slot <= end; slot++) {
            if (slot >>> 6 != decoded) {
                decoded = slot >>> 6;
                decode(codes[decoded], selectors, 0);
            }
            if (remainders[slot] == remainder(hash, selectors[slot & (SLOTS - 1)])) {
                return slot;
            }
        }
        return -1;
    }

    /** Whether one of the slots holds the hash's remainder under some selector. */
    private boolean couldHit(long hash, int start, int end) {
        long pieces = Mix.expand(hash, seed, 0);
        for (int slot = start; slot <= end; slot++) {
            long differences = (pieces ^ ((remainders[slot] & 0xFF) * EACH_BYTE)) | (-1L << PIECES_BITS);
            if (((differences - EACH_BYTE) & ~differences & (EACH_BYTE << 7)) != 0) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void learnMissing(long hash) {
        int slot = firstHit(hash);
        if (slot < 0 || owners[slot] == hash) {
            return;
        }
        repairs++;
        int block = slot >>> 6;
        int[] selectors = new int[SLOTS];
        decode(codes[block], selectors, 0);
        selectors[slot & (SLOTS - 1)]++;
        long code = encode(selectors, 0);
        if (code == DOES_NOT_FIT) {
            rebuilds++;
            empty(block);
            Arrays.fill(selectors, 0);
            selectors[slot & (SLOTS - 1)] = 1;
            code = encode(selectors, 0);
        }
        codes[block] = code;
        remainders[slot] = remainder(owners[slot], selectors[slot & (SLOTS - 1)]);
    }

    /** Gives up all selectors of a block. */
    private void empty(int block) {
        codes[block] = 0;
        for (int slot = block << 6; slot < (block + 1) << 6; slot++) {
            remainders[slot] = remainder(owners[slot], 0);
        }
    }

    @Override
    public boolean insertHash(long hash) {
        boolean isNew = !mightContainHash(hash);
        int quotient = quotient(hash);
        int at = Math.max(quotient, lastEnd(quotient) + 1);
        int free = firstFree(at);
        shift(at, free);
        for (int block = (quotient >>> 6) + 1; block <= free >>> 6; block++) {
            offsets[block]++;
        }
        if (bit(occupied, quotient)) {
            runEnds[(at - 1) >>> 6] &= ~(1L << (at - 1));
        }
        occupied[quotient >>> 6] |= 1L << quotient;
        runEnds[at >>> 6] |= 1L << at;
        owners[at] = hash;
        remainders[at] = remainder(hash, 0);
        count++;
        return isNew;
    }

    private int firstFree(int from) {
        int slot = from;
        while (slot < owners.length) {
            int end = slot < quotients ? lastEnd(slot) : lastEnd(quotients - 1);
            if (end < slot) {
                return slot;
            }
            slot = end + 1;
        }
        throw new FilterFullException("no free slot behind " + from);
    }

    /** Moves the slots from one on to before a free one by one, with their run ends and selectors. */
    private void shift(int from, int free) {
        int first = from >>> 6;
        int last = free >>> 6;
        int[] selectors = new int[(last - first + 1) * SLOTS];
        boolean hasSelectors = false;
        for (int block = first; block <= last; block++) {
            hasSelectors |= codes[block] != 0;
            decode(codes[block], selectors, (block - first) * SLOTS);
        }
        System.arraycopy(remainders, from, remainders, from + 1, free - from);
        System.arraycopy(owners, from, owners, from + 1, free - from);
        for (int slot = free; slot > from; slot--) {
            long end = bit(runEnds, slot - 1) ? 1L << slot : 0;
            runEnds[slot >>> 6] = (runEnds[slot >>> 6] & ~(1L << slot)) | end;
        }
        runEnds[from >>> 6] &= ~(1L << from);
        if (hasSelectors) {
            int base = from - (first << 6);
            System.arraycopy(selectors, base, selectors, base + 1, free - from);
            selectors[base] = 0;
            for (int block = first; block <= last; block++) {
                long code = encode(selectors, (block - first) * SLOTS);
                if (code == DOES_NOT_FIT) {
                    rebuilds++;
                    empty(block);
                } else {
                    codes[block] = code;
                }
            }
        }
    }

    /** How much of an interval a selector takes. */
    private static long share(long range, int selector) {
        return switch (selector) {
            case 0 -> (range >> 1) + (range >> 2) + (range >> 5);
            case 1 -> (range >> 3) + (range >> 4) + (range >> 7) + (range >> 9);
            case 2 -> (range >> 6) + (range >> 8);
            case 3 -> (range >> 10) + (range >> 11);
            case 4 -> (range >> 14) + (range >> 16);
            case 5 -> (range >> 19) + (range >> 20) + (range >> 23);
            default -> range;
        };
    }

    private static long encode(int[] selectors, int from) {
        long low = 0;
        long range = 1L << CODE_BITS;
        for (int i = from; i < from + SLOTS; i++) {
            if (selectors[i] > MOST_SELECTOR) {
                return DOES_NOT_FIT;
            }
            long start = 0;
            for (int below = 0; below < selectors[i]; below++) {
                start += share(range, below);
            }
            low += start;
            range = Math.min(share(range, selectors[i]), range - start);
            if (range < 2) {
                return DOES_NOT_FIT;
            }
        }
        return low;
    }

    /** Decodes all selectors of a block, whatever the code is. */
    private static void decode(long code, int[] selectors, int into) {
        long rest = code;
        long range = 1L << CODE_BITS;
        for (int i = 0; i < SLOTS; i++) {
            int selector = 0;
            long left = range;
            long share = share(range, 0);
            while (rest >= share) {
                rest -= share;
                left -= share;
                selector++;
                share = Math.min(share(range, selector), left);
            }
            selectors[into + i] = selector;
            range = share;
        }
    }

    /** How many slots have a selector of 0, 1, 2 and so on up to 6. */
    public long[] selectorCounts() {
        long[] counts = new long[MOST_SELECTOR + 1];
        int[] selectors = new int[SLOTS];
        for (long code : codes) {
            decode(code, selectors, 0);
            for (int selector : selectors) {
                counts[selector]++;
            }
        }
        counts[0] -= owners.length - count;
        return counts;
    }

    /** Repairs, and those of them that emptied a block. */
    @Override
    public AdaptationStatistics adaptationStatistics() {
        return new AdaptationStatistics(repairs, rebuilds, 0, repairs);
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long sizeInBits() {
        return (long) codes.length * BLOCK_BITS;
    }

    @Override
    public double expectedFpp() {
        return -Math.expm1(-(count / (double) quotients) * Math.scalb(1.0, -REMAINDER_BITS));
    }
}
