package dev.besom.broom;

import dev.besom.bits.FastRange;
import dev.besom.bits.PackedFields;
import dev.besom.bits.Select;

/**
 * Answers queries of bins with the bits of {@link LineLayout} and of what they have elsewhere.
 *
 * <pre>
 *   by run       find the run by select; compare its slots                         where select is an instruction and slots are bytes
 *   by value     compare all slots; ask of the first equal one whether it is of the run               elsewhere
 * </pre>
 *
 * Beyond the caches a branch on what was read waits for memory, and a wrong guess throws away the queries that follow and were
 * under way. So neither way branches before it knows the answer for all but a few: whether the run has slots at all, which is a
 * guess of two in three, is a mask like any other. Two branches are left. The first is "found": nearly never for keys that are
 * not stored, nearly always for those that are. The second is whether there is more to {@linkplain #search look at}: one query in
 * thirty for keys elsewhere, and few for runs of more than eight slots or for a second equal slot.
 *
 * <p>A slot belongs to a run if as many runs end before the slot as there are before the run; that needs no select.
 */
final class LineQueries {

    private static final long LOWS = PackedFields.lows(Byte.SIZE);
    private static final long HIGHS = PackedFields.highs(Byte.SIZE);

    /** Numbers of slots that are compared at once. */
    private static final int SHORT_CODE = 4;

    private final long[] words;
    private final long binCount;
    private final long runs;
    private final int width;
    private final int slotsFrom;
    private final long lows;
    private final long highs;
    private final long runsMask;
    private final long slotsMask;
    private final int slots;
    private final int firstFreeBits;

    /** The bits of word 0 that a code begins with; all 0 where no slot of the bin is extended. */
    private final long codeMask;

    /** Whether codes in bins have at most {@link #SHORT_CODE} extensions. */
    private final boolean hasShortCodes;

    private final long noSlot;

    /** The lowest and the highest bits of the numbers of a short code. */
    private final long numberLows;

    private final long numberHighs;

    /**
     * The slot of each bit among equals: in the word of slots j of w, field k has bit {@code (k + 1) * width - w + j}, so that the
     * lowest bit is of the lowest field.
     */
    private final byte[] slotOfBit = new byte[Long.SIZE];

    private final boolean findsRun;
    private final LineBins bins;
    private final PrimaryBins primary;
    private final OverflowPages overflow;

    LineQueries(PrimaryBins primary, OverflowPages overflow) {
        this.bins = primary.bins;
        this.primary = primary;
        this.overflow = overflow;
        LineLayout layout = (LineLayout) bins.layout;
        this.words = bins.words;
        this.binCount = bins.binCount;
        this.runs = layout.runs();
        this.width = layout.width();
        this.slotsFrom = layout.slotsFrom();
        this.lows = PackedFields.lows(width);
        this.highs = PackedFields.highs(width);
        this.runsMask = (1L << layout.runs()) - 1;
        this.slotsMask = (1L << layout.slots()) - 1;
        this.slots = layout.slots();
        this.firstFreeBits = layout.firstFreeBits();
        this.codeMask = Long.MAX_VALUE & ~runsMask;
        ExtensionCode form = ExtensionCode.forSlots(slots);
        this.noSlot = form.noSlot();
        long numbers = (1L << (SHORT_CODE * form.slotBits())) - 1;
        this.numberLows = PackedFields.lows(form.slotBits()) & numbers;
        this.numberHighs = PackedFields.highs(form.slotBits()) & numbers;
        this.hasShortCodes = slotsFrom == 2 && layout.freeBits() < (SHORT_CODE + 1) * form.leastSize();
        this.findsRun = Select.hasExpand() && width == Byte.SIZE;
        int fields = PackedFields.perWord(width);
        int slotWords = LineLayout.WORDS - slotsFrom;
        for (int word = 0; word < slotWords; word++) {
            for (int field = 0; field < fields; field++) {
                slotOfBit[(field + 1) * width - slotWords + word] = (byte) (word * fields + field);
            }
        }
    }

    /** Whether a fingerprint is a prefix of a hash. */
    boolean mightContain(long hash) {
        return findsRun ? mightContainByRun(hash) : mightContainByValue(hash);
    }

    /** The same for slots of eight bits. */
    boolean mightContainByRun(long hash) {
        long inBin = hash * binCount;
        int run = (int) FastRange.place(inBin, runs);
        int base = bins.base((int) FastRange.place(hash, binCount));
        long head = words[base];
        long ends = words[base + 1] & slotsMask;
        // A run without slots has some end or none; 64, which says so, becomes 0.
        int end = Select.select(ends, runsBefore(head, run)) & (Long.SIZE - 1);
        int length = end + 1 - Long.SIZE + Long.numberOfLeadingZeros(ends & ((1L << end) - 1));
        // The eight bytes up to the end of the run.
        int at = base + slotsFrom + (end >>> 3);
        int lastBit = end << 3 | 7;
        long bytes = words[at] << ~lastBit | words[at - 1] >>> 1 >>> lastBit;
        long fraction = inBin * runs;
        long pattern = (fraction >>> (Long.SIZE - Byte.SIZE)) * LOWS;
        long isOccupied = -(head >>> run & 1);
        long equal = PackedFields.zeros(bytes ^ pattern, LOWS, HIGHS) & lastBytes(length) & isOccupied;
        if (equal != 0) {
            int slot = end - Long.numberOfLeadingZeros(equal) / Byte.SIZE;
            return (head & codeMask) == 0 || isPrefix(hash, slot, fraction << Byte.SIZE);
        }
        return (elsewhere(head, run) | ((Long.BYTES - length) & isOccupied)) < 0 && search(hash);
    }

    /** The last of a word's bytes, so many of them, or all. */
    private static long lastBytes(int count) {
        return -1L << -(Math.min(count, Long.BYTES) << 3);
    }

    private static int runsBefore(long head, int run) {
        return Long.bitCount(head & ((1L << run) - 1));
    }

    /** Negative if keys of a run may be elsewhere. */
    private long elsewhere(long head, int run) {
        int lastRun = Long.SIZE - 1 - Long.numberOfLeadingZeros(head & runsMask);
        return head & ~(run - lastRun);
    }

    /** The same for slots of any width. */
    boolean mightContainByValue(long hash) {
        long inBin = hash * binCount;
        int run = (int) FastRange.place(inBin, runs);
        int base = bins.base((int) FastRange.place(hash, binCount));
        long fraction = inBin * runs;
        long head = words[base];
        long equal = equal(base, fraction >>> -width) & -(head >>> run & 1);
        int slot = slotOfBit[Long.numberOfTrailingZeros(equal) & (Long.SIZE - 1)];
        int between = Long.bitCount(words[base + 1] & ((1L << slot) - 1)) - runsBefore(head, run);
        long isNone = (~equal & (equal - 1)) >>> (Long.SIZE - 1);
        if ((between | isNone) == 0) {
            return (head & codeMask) == 0 || isPrefix(hash, slot, fraction << width);
        }
        return ((elsewhere(head, run) & Long.MIN_VALUE) | (equal & (equal - 1))) != 0 && search(hash);
    }

    /** A bit for each slot that has a value, of any run or not in use. Bits above the lowest may be set without a reason. */
    private long equal(int base, long value) {
        long pattern = value * lows;
        long equal = slotsFrom == 2 ? zeros(words[base + 2] ^ pattern) >>> 1 : 0;
        equal = (equal | zeros(words[base + 3] ^ pattern)) >>> 1;
        equal = (equal | zeros(words[base + 4] ^ pattern)) >>> 1;
        equal = (equal | zeros(words[base + 5] ^ pattern)) >>> 1;
        equal = (equal | zeros(words[base + 6] ^ pattern)) >>> 1;
        return equal | zeros(words[base + 7] ^ pattern);
    }

    private long zeros(long word) {
        return PackedFields.roughZeros(word, lows, highs);
    }

    /** For a hash whose remainder a slot of its run has: whether that slot's fingerprint is a prefix of it, or any other. */
    private boolean isPrefix(long hash, int slot, long following) {
        int bin = (int) FastRange.place(hash, binCount);
        return (hasShortCodes && !mayBeExtended(bins.base(bin), slot))
                || primary.extensions.isPrefix(bin, slot, following)
                || search(hash);
    }

    /**
     * Whether a slot of a bin with a code may have an extension. Short codes have no more than {@value #SHORT_CODE} numbers of slots,
     * which are compared at once: how many of them come before that of the slot is a guess that is wrong too often. What follows the
     * numbers is compared too, and is equal now and then.
     */
    private boolean mayBeExtended(int base, int slot) {
        long first = (words[base] & codeMask) >>> (int) runs;
        long code = first >>> 1 | words[base + 1] >>> slots << (firstFreeBits - 1);
        long equal = PackedFields.roughZeros(code ^ (slot + 1) * numberLows, numberLows, numberHighs);
        // A code that is not all in the bin begins with a bit 1, or is a number that no slot has.
        return (equal | (first & 1)) != 0 || code == noSlot;
    }

    /** Looks at all slots of a hash's run, and at what is elsewhere. */
    private boolean search(long hash) {
        int bin = (int) FastRange.place(hash, binCount);
        int run = (int) FastRange.place(hash * binCount, runs);
        long fraction = hash * binCount * runs;
        long remainder = fraction >>> -width;
        long following = fraction << width;
        return primary.isAnyPrefix(bin, run, remainder, following)
                || (bins.isElsewhere(bins.base(bin), run) && overflow.mightContain(bin, run, remainder, following));
    }
}
