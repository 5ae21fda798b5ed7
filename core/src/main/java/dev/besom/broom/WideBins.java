package dev.besom.broom;

import dev.besom.bits.BitMoves;
import dev.besom.bits.PackedFields;
import dev.besom.bits.Select;
import dev.besom.bits.Words;

/**
 * Bins of up to two cache lines, with the bits of {@link WideLayout}.
 *
 * <p>A bin's slots in use are its first ones, so that a new one moves up at most all that follow it in the same bin, a
 * word at a time.
 */
final class WideBins extends Bins {

    private static final int SLOTS_FROM = WideLayout.METADATA_WORDS;

    private final int wordsPerBin;
    private final int slots;
    private final int width;
    private final long widthMask;
    private final int runsHigh;
    private final int slotsHigh;
    private final long slotsHighMask;

    /** How many slots are compared at once. */
    private final int fields;

    private final long lows;
    private final long highs;

    /** Empty bins. */
    WideBins(WideLayout layout, int binCount) {
        this(layout, binCount, Words.allocate(wordCount(layout, binCount)));
    }

    /** Takes over the words of bins. */
    WideBins(WideLayout layout, int binCount, long[] words) {
        super(layout, binCount, words);
        this.slots = layout.slots();
        this.wordsPerBin = layout.words();
        this.width = layout.width();
        this.widthMask = -1L >>> (Long.SIZE - width);
        this.runsHigh = layout.runsHigh();
        this.slotsHigh = layout.slotsHigh();
        this.slotsHighMask = (1L << slotsHigh) - 1;
        this.fields = PackedFields.perWord(width);
        this.lows = PackedFields.lows(width);
        this.highs = PackedFields.highs(width);
    }

    @Override
    int base(int bin) {
        return Words.LEAD + bin * wordsPerBin;
    }

    @Override
    boolean isOccupied(int base, int run) {
        return (words[base + (run >>> 6)] >>> run & 1) != 0;
    }

    /** How many keys of a bin are elsewhere. */
    int count(int base) {
        return (int) (words[base + 1] >>> runsHigh) & WideLayout.MOST_COUNT;
    }

    void addToCount(int base, int change) {
        words[base + 1] += (long) change << runsHigh;
    }

    @Override
    int firstFreeBits() {
        return Long.SIZE - runsHigh - WideLayout.COUNT_BITS;
    }

    @Override
    int freeBits() {
        return firstFreeBits() + Long.SIZE - slotsHigh;
    }

    @Override
    long firstFree(int base) {
        return words[base + 1] >>> (runsHigh + WideLayout.COUNT_BITS);
    }

    @Override
    long free(int base, int from) {
        int firstBits = firstFreeBits();
        long second = words[base + 3] >>> slotsHigh;
        return from < firstBits
                ? firstFree(base) >>> from | second << (firstBits - from)
                : from - firstBits < Long.SIZE ? second >>> (from - firstBits) : 0;
    }

    @Override
    void setFree(int base, long[] bits) {
        int shift = runsHigh + WideLayout.COUNT_BITS;
        words[base + 1] = (words[base + 1] & ((1L << shift) - 1)) | ExtensionCode.bitsAt(bits, 0) << shift;
        words[base + 3] = (words[base + 3] & slotsHighMask) | ExtensionCode.bitsAt(bits, firstFreeBits()) << slotsHigh;
    }

    @Override
    int runEnd(int base, int run) {
        return selectEnd(base, runsBefore(base, run));
    }

    private int runsBefore(int base, int run) {
        long below = (1L << run) - 1;
        // All ones where the run is in the second word.
        long second = -(run >>> 6);
        return Long.bitCount(words[base] & (below | second)) + Long.bitCount(words[base + 1] & below & second);
    }

    private int selectEnd(int base, int rank) {
        long ends = words[base + 2];
        int first = Long.bitCount(ends);
        return rank < first
                ? Select.select(ends, rank)
                : Long.SIZE + Select.select(words[base + 3] & slotsHighMask, rank - first);
    }

    @Override
    int runOf(int base, int slot) {
        int before = 0;
        for (int each = 0; each < slot; each++) {
            before += endsRun(base, each) ? 1 : 0;
        }
        int first = Long.bitCount(words[base]);
        return before < first
                ? Select.select(words[base], before)
                : Long.SIZE + Select.select(words[base + 1] & (1L << runsHigh) - 1, before - first);
    }

    @Override
    boolean startsRun(int base, int slot) {
        return slot == 0 || endsRun(base, slot - 1);
    }

    private boolean endsRun(int base, int slot) {
        return (words[base + 2 + (slot >>> 6)] >>> slot & 1) != 0;
    }

    /** The last slot of a run that holds a value; -1 if there is none. */
    int find(int base, int run, long value) {
        return isOccupied(base, run) ? findInRun(base, run, value) : -1;
    }

    /**
     * The last slot of a run that has any that holds a value; -1 if there is none. As many slots as a word has room for are
     * compared at once, which is mostly the whole run; which of two words has its end is computed, not branched on.
     */
    private int findInRun(int base, int run, long value) {
        long[] all = words;
        long low = all[base + 2];
        int inLow = Long.bitCount(low);
        int rank = runsBefore(base, run);
        // All ones where the run ends in the second word.
        long second = (long) (inLow - 1 - rank) >> 31;
        long ends = (low & ~second) | (all[base + 3] & slotsHighMask & second);
        int first = (int) second & Long.SIZE;
        int endBit = Select.select(ends, rank - (inLow & (int) second));
        long before = ends & ((1L << endBit) - 1);
        int start = before != 0
                ? first + Long.SIZE - Long.numberOfLeadingZeros(before)
                : Long.SIZE - Long.numberOfLeadingZeros(low & second);
        long pattern = value * lows;
        for (int to = first + endBit + 1; to > start; to -= fields) {
            int from = Math.max(start, to - fields);
            int bit = from * width;
            int at = base + SLOTS_FROM + (bit >>> 6);
            // Behind the last word of all there is none; then nothing of it is needed.
            long slots = all[at] >>> bit | all[Math.min(at + 1, all.length - 1)] << 1 << (~bit & 63);
            long inRun = -1L >>> (Long.SIZE - (to - from) * width);
            long equal = PackedFields.zeros(slots ^ pattern, lows, highs) & inRun;
            if (equal != 0) {
                return from + Long.bitCount(lows & (-1L >>> Long.numberOfLeadingZeros(equal))) - 1;
            }
        }
        return -1;
    }

    @Override
    int used(int base) {
        long high = words[base + 3] & slotsHighMask;
        return high != 0
                ? 2 * Long.SIZE - Long.numberOfLeadingZeros(high)
                : Long.SIZE - Long.numberOfLeadingZeros(words[base + 2]);
    }

    @Override
    long slot(int base, int slot) {
        int bit = slot * width;
        int at = base + SLOTS_FROM + (bit >>> 6);
        long value = words[at] >>> bit;
        if ((bit & 63) + width > Long.SIZE) {
            value |= words[at + 1] << -bit;
        }
        return value & widthMask;
    }

    private void setSlot(int base, int slot, long value) {
        int bit = slot * width;
        int at = base + SLOTS_FROM + (bit >>> 6);
        words[at] = (words[at] & ~(widthMask << bit)) | value << bit;
        if ((bit & 63) + width > Long.SIZE) {
            words[at + 1] = (words[at + 1] & ~(widthMask >>> -bit)) | value >>> -bit;
        }
    }

    @Override
    int open(int base, int run, long value) {
        int used = used(base);
        boolean isOccupied = isOccupied(base, run);
        int before = runsBefore(base, run);
        int at = isOccupied ? selectEnd(base, before) + 1 : before == 0 ? 0 : selectEnd(base, before - 1) + 1;
        BitMoves.up(words, base + SLOTS_FROM, at * width, used * width, width);
        setSlot(base, at, value);
        openEnds(base, at);
        if (isOccupied) {
            flipEnd(base, at - 1);
        } else {
            words[base + (run >>> 6)] ^= 1L << run;
        }
        return at;
    }

    @Override
    void close(int base, int run, int slot) {
        int used = used(base);
        boolean startsRun = startsRun(base, slot);
        boolean endsRun = endsRun(base, slot);
        BitMoves.down(words, base + SLOTS_FROM, (slot + 1) * width, used * width, width);
        setSlot(base, used - 1, 0);
        if (endsRun) {
            if (startsRun) {
                words[base + (run >>> 6)] ^= 1L << run;
            } else {
                flipEnd(base, slot - 1);
            }
        }
        closeEnds(base, slot);
    }

    private void flipEnd(int base, int slot) {
        words[base + 2 + (slot >>> 6)] ^= 1L << slot;
    }

    /** Moves the ends from a slot on up by one, and sets that of the slot. */
    private void openEnds(int base, int slot) {
        long low = words[base + 2];
        long high = words[base + 3] & slotsHighMask;
        long rest = words[base + 3] & ~slotsHighMask;
        long below = (1L << slot) - 1;
        if (slot < Long.SIZE) {
            words[base + 2] = (low & below) | (low & ~below) << 1 | 1L << slot;
            words[base + 3] = rest | high << 1 | low >>> (Long.SIZE - 1);
        } else {
            words[base + 3] = rest | (high & below) | (high & ~below) << 1 | 1L << slot;
        }
    }

    /** Takes the end bit of a slot out and moves those above it down by one. */
    private void closeEnds(int base, int slot) {
        long low = words[base + 2];
        long high = words[base + 3] & slotsHighMask;
        long rest = words[base + 3] & ~slotsHighMask;
        long below = (1L << slot) - 1;
        if (slot < Long.SIZE) {
            words[base + 2] = (low & below) | (low >>> 1 & ~below) | high << (Long.SIZE - 1);
            words[base + 3] = rest | high >>> 1;
        } else {
            words[base + 3] = rest | (high & below) | (high >>> 1 & ~below);
        }
    }

    @Override
    void check(int bin) {
        int base = base(bin);
        int used = used(base);
        long occupiedHigh = words[base + 1] & (1L << runsHigh) - 1;
        int runs = Long.bitCount(words[base]) + Long.bitCount(occupiedHigh);
        int ends = Long.bitCount(words[base + 2]) + Long.bitCount(words[base + 3] & slotsHighMask);
        boolean isRunBeyond = layout.runs() < Long.SIZE && words[base] >>> layout.runs() != 0;
        if (used > slots || runs != ends || isRunBeyond) {
            throw new IllegalStateException(
                    "bin " + bin + " has " + runs + " runs with " + ends + " ends, and " + used + " slots in use");
        }
        for (int bit = used * width; bit < (wordsPerBin - SLOTS_FROM) * Long.SIZE; ) {
            if (words[base + SLOTS_FROM + (bit >>> 6)] >>> bit != 0) {
                throw new IllegalStateException("bin " + bin + " has bits behind its " + used + " slots in use");
            }
            bit = (bit | 63) + 1;
        }
    }
}
