package dev.besom.broom;

import dev.besom.bits.PackedFields;
import dev.besom.bits.Select;
import dev.besom.bits.Words;

/**
 * Bins of one cache line, with the bits of {@link LineLayout}.
 *
 * <p>A change compares all slots of the bin at once, and finds out of those that are equal whether they are of the run, which
 * needs no select: a slot belongs to the run if as many runs end before the slot as there are before the run. Queries are in
 * {@link LineQueries}.
 *
 * <pre>
 *   slot                   word j, field k            slot = j * fields of a word + k
 *   its bit among equals   k * width + j              one bit of field k for each word
 * </pre>
 */
final class LineBins extends Bins {

    private static final int SHIFT = 3;
    private static final long ELSEWHERE = Long.MIN_VALUE;
    private static final int NONE = -1;

    private final int runs;
    private final int slots;
    private final int width;
    private final long runsMask;
    private final long slotsMask;
    private final int slotsFrom;
    private final int firstFreeBits;

    /** Slots of a word. */
    private final int fields;

    private final long lows;
    private final long highs;

    /** The bits of a word that its slots take. */
    private final long fieldsMask;

    /** The slot of each bit among equals. */
    private final byte[] slotOfBit = new byte[Long.SIZE];

    /** Empty bins. */
    LineBins(LineLayout layout, int binCount) {
        this(layout, binCount, Words.allocate(wordCount(layout, binCount)));
    }

    /** Takes over the words of bins. */
    LineBins(LineLayout layout, int binCount, long[] words) {
        super(layout, binCount, words);
        this.runs = layout.runs();
        this.slots = layout.slots();
        this.width = layout.width();
        this.runsMask = (1L << runs) - 1;
        this.slotsMask = (1L << slots) - 1;
        this.slotsFrom = layout.slotsFrom();
        this.firstFreeBits = layout.firstFreeBits();
        this.fields = PackedFields.perWord(width);
        this.lows = PackedFields.lows(width);
        this.highs = PackedFields.highs(width);
        this.fieldsMask = highs | (highs - lows) | lows;
        for (int word = 0; word < LineLayout.WORDS - slotsFrom; word++) {
            for (int field = 0; field < fields; field++) {
                slotOfBit[field * width + word] = (byte) (word * fields + field);
            }
        }
    }

    @Override
    int base(int bin) {
        return Words.LEAD + (bin << SHIFT);
    }

    @Override
    boolean isOccupied(int base, int run) {
        return (words[base] >>> run & 1) != 0;
    }

    /** Whether keys of a bin are elsewhere: those that follow its last run, and some of that run. */
    boolean hasElsewhere(int base) {
        return words[base] < 0;
    }

    void setElsewhere(int base, boolean has) {
        words[base] = has ? words[base] | ELSEWHERE : words[base] & ~ELSEWHERE;
    }

    /** The last run that has slots; -1 in an empty bin. */
    int lastRun(int base) {
        return Long.SIZE - 1 - Long.numberOfLeadingZeros(words[base] & runsMask);
    }

    /** Whether keys of a run may be elsewhere; of all runs that is one in thirty, so that a branch is foreseen. */
    boolean isElsewhere(int base, int run) {
        return (words[base] & ~(run - lastRun(base))) < 0;
    }

    /** A bit for each slot that has a value, of any run or not in use: see {@link #slotOf}. */
    long equal(int base, long value) {
        long[] all = words;
        long pattern = value * lows;
        int shift = width - 1 + slotsFrom;
        long equal = zeros(all[base + 3] ^ pattern) >>> (shift - 3)
                | zeros(all[base + 4] ^ pattern) >>> (shift - 4)
                | zeros(all[base + 5] ^ pattern) >>> (shift - 5)
                | zeros(all[base + 6] ^ pattern) >>> (shift - 6)
                | zeros(all[base + 7] ^ pattern) >>> (shift - 7);
        return slotsFrom == 2 ? equal | zeros(all[base + 2] ^ pattern) >>> (shift - 2) : equal;
    }

    private long zeros(long word) {
        return PackedFields.zeros(word, lows, highs);
    }

    /** The slot of the lowest bit among {@link #equal equals}. */
    int slotOf(long equal) {
        return slotOfBit[Long.numberOfTrailingZeros(equal)];
    }

    /** A slot of a run that holds a value; -1 if there is none. */
    int find(int base, int run, long value) {
        return isOccupied(base, run) ? findInBin(base, run, value) : NONE;
    }

    /** In a run that has slots: all slots of the bin are compared, and of those that are equal it is found out whether they are of the run. */
    private int findInBin(int base, int run, long value) {
        long equal = equal(base, value);
        if (equal != 0) {
            long ends = words[base + 1];
            int before = runsBefore(base, run);
            do {
                int slot = slotOf(equal);
                if (Long.bitCount(ends & ((1L << slot) - 1)) == before) {
                    return slot;
                }
                equal &= equal - 1;
            } while (equal != 0);
        }
        return NONE;
    }

    /** Whether a slot is one of a run that has any. */
    boolean isOfRun(int base, int run, int slot) {
        return Long.bitCount(words[base + 1] & ((1L << slot) - 1)) == runsBefore(base, run);
    }

    private int runsBefore(int base, int run) {
        return Long.bitCount(words[base] & ((1L << run) - 1));
    }

    @Override
    int runEnd(int base, int run) {
        // Of a run that has any there are enough ends before other bits follow.
        return Select.select(words[base + 1], runsBefore(base, run));
    }

    @Override
    int runOf(int base, int slot) {
        return Select.select(words[base] & runsMask, Long.bitCount(words[base + 1] & ((1L << slot) - 1)));
    }

    @Override
    boolean startsRun(int base, int slot) {
        return slot == 0 || endsRun(base, slot - 1);
    }

    private boolean endsRun(int base, int slot) {
        return (words[base + 1] >>> slot & 1) != 0;
    }

    @Override
    int used(int base) {
        return Long.SIZE - Long.numberOfLeadingZeros(words[base + 1] & slotsMask);
    }

    @Override
    long slot(int base, int slot) {
        return words[base + slotsFrom + slot / fields] >>> (slot % fields * width) & ((1L << width) - 1);
    }

    @Override
    int open(int base, int run, long value) {
        long head = words[base];
        long ends = words[base + 1];
        int before = Long.bitCount(head & ((1L << run) - 1));
        boolean isOccupied = (head >>> run & 1) != 0;
        // The slot behind the run's last one, or behind that of the run before.
        int rank = isOccupied ? before : before - 1;
        int at = rank < 0 ? 0 : Select.select(ends & slotsMask, rank) + 1;
        openSlot(base, at, value);
        long moving = ends & slotsMask & (-1L << at);
        // The slot before is the run's last one no more.
        long last = isOccupied ? 1L << (at - 1) : 0;
        words[base] = head | 1L << run;
        words[base + 1] = ((ends ^ moving) & ~last) | moving << 1 | 1L << at;
        return at;
    }

    /** Moves the slots from one on up by one, and gives that one a value. */
    private void openSlot(int base, int slot, long value) {
        int word = base + slotsFrom + slot / fields;
        int bit = slot % fields * width;
        int top = (fields - 1) * width;
        long moving = words[word] & (-1L << bit);
        long carry = moving >>> top;
        words[word] = (words[word] ^ moving) | ((moving << width | value << bit) & fieldsMask);
        for (word++; word < base + LineLayout.WORDS; word++) {
            long before = words[word];
            words[word] = (before << width & fieldsMask) | carry;
            carry = before >>> top;
        }
    }

    @Override
    void close(int base, int run, int slot) {
        long ends = words[base + 1];
        boolean endsRun = endsRun(base, slot);
        if (endsRun && startsRun(base, slot)) {
            words[base] ^= 1L << run;
        } else if (endsRun) {
            ends |= 1L << (slot - 1);
        }
        long moving = ends & slotsMask & (-1L << slot);
        words[base + 1] = (ends ^ moving) | (moving & ~(1L << slot)) >>> 1;
        closeSlot(base, slot);
    }

    /** Moves the slots behind one down by one. */
    private void closeSlot(int base, int slot) {
        int word = base + slotsFrom + slot / fields;
        int bit = slot % fields * width;
        int top = (fields - 1) * width;
        long moving = words[word] & (-1L << bit);
        words[word] = (words[word] ^ moving) | (moving >>> bit >>> width << bit);
        for (; word + 1 < base + LineLayout.WORDS; word++) {
            long next = words[word + 1];
            words[word] |= (next & ((1L << width) - 1)) << top;
            words[word + 1] = next >>> width;
        }
    }

    @Override
    int firstFreeBits() {
        return firstFreeBits;
    }

    @Override
    int freeBits() {
        return ((LineLayout) layout).freeBits();
    }

    @Override
    long firstFree(int base) {
        return (words[base] & ~ELSEWHERE) >>> runs;
    }

    @Override
    long free(int base, int from) {
        long second = words[base + 1] >>> slots;
        if (from < firstFreeBits && slotsFrom == 2) {
            return firstFree(base) >>> from | second << (firstFreeBits - from);
        }
        long third = slotsFrom == 2 ? 0 : words[base + 2];
        int secondFrom = firstFreeBits - from;
        return at(firstFree(base), -from) | at(second, secondFrom) | at(third, secondFrom + Long.SIZE - slots);
    }

    /** Bits shifted up to a place; down if that is negative. */
    private static long at(long bits, int place) {
        return Math.abs(place) >= Long.SIZE ? 0 : place < 0 ? bits >>> -place : bits << place;
    }

    @Override
    void setFree(int base, long[] bits) {
        long first = ExtensionCode.bitsAt(bits, 0) << runs & ~ELSEWHERE;
        words[base] = (words[base] & (runsMask | ELSEWHERE)) | first;
        words[base + 1] = (words[base + 1] & slotsMask) | ExtensionCode.bitsAt(bits, firstFreeBits) << slots;
        if (slotsFrom > 2) {
            words[base + 2] = ExtensionCode.bitsAt(bits, firstFreeBits + Long.SIZE - slots);
        }
    }

    @Override
    void check(int bin) {
        int base = base(bin);
        int used = used(base);
        int occupied = Long.bitCount(words[base] & runsMask);
        int ends = Long.bitCount(words[base + 1] & slotsMask);
        if (occupied != ends) {
            throw new IllegalStateException("bin " + bin + " has " + occupied + " runs with " + ends + " ends");
        }
        for (int word = 0; word < LineLayout.WORDS - slotsFrom; word++) {
            int here = Math.max(0, Math.min(fields, used - word * fields));
            long inUse = here == 0 ? 0 : -1L >>> (Long.SIZE - here * width);
            if ((words[base + slotsFrom + word] & ~inUse) != 0) {
                throw new IllegalStateException("bin " + bin + " has bits behind its " + used + " slots in use");
            }
        }
    }
}
