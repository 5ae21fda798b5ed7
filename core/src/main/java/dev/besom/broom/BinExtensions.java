package dev.besom.broom;

import dev.besom.math.BroomSizing;
import dev.besom.quotient.GroupSpill;

/**
 * The extensions of bins' slots, packed into the bits that their metadata leaves free, and for some bins a word more.
 *
 * <pre>
 *   code      | slot + 1, 7 bits | length - 1 ones and a zero | the extension's bits | slot + 1 | ... | 0 0 0 ...
 *
 *   in a bin of the usual size:   word 1: 33 bits   word 3: 32 bits   spilled: 6 bits less, and 64 in the spill
 * </pre>
 *
 * The extended slots are listed in ascending order; a number of 0 ends the list. An extension of two bits, the mean, takes
 * 11 bits. Where the list is empty, which one look at word 1 tells, a question is done.
 *
 * <p>Writing uses scratch space of the object: one writer at a time. Reading uses none.
 */
final class BinExtensions {

    private static final int SLOT_BITS = 7;
    private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;
    private static final int PLACE_BITS = GroupSpill.PLACE_BITS;
    private static final int HEADER_BITS = BroomSizing.HEADER_BITS;
    private static final int MOST_ENTRIES = 3 * Long.SIZE / (SLOT_BITS + 2) + 1;

    private final Bins bins;
    private final GroupSpill spill;
    private final int runsHigh;
    private final int slotsHigh;

    /** Bits of the code in word 1 of a bin that is not spilled. */
    private final int firstBits;

    /** Bits of the code in word 3. */
    private final int secondBits;

    private int size;
    private final int[] slotOf = new int[MOST_ENTRIES];
    private final long[] prefixOf = new long[MOST_ENTRIES];

    // The code as a string of bits, lowest first.
    private long code0;
    private long code1;
    private long code2;

    BinExtensions(Bins bins, GroupSpill spill) {
        this.bins = bins;
        this.spill = spill;
        this.runsHigh = bins.layout.runsHigh();
        this.slotsHigh = bins.layout.slotsHigh();
        this.firstBits = Long.SIZE - runsHigh - HEADER_BITS;
        this.secondBits = Long.SIZE - slotsHigh;
        if (firstBits <= PLACE_BITS) {
            throw new IllegalArgumentException("no room beside " + bins.layout.runs() + " runs");
        }
    }

    GroupSpill spill() {
        return spill;
    }

    /** Whether no slot of a bin is extended. */
    boolean isEmpty(int base) {
        return bins.words[base + 1] >>> (runsHigh + BinLayout.COUNT_BITS) == 0;
    }

    private boolean isSpilled(int base) {
        return (bins.words[base + 1] >>> (runsHigh + BinLayout.COUNT_BITS) & 1) != 0;
    }

    private int place(int base) {
        return (int) (bins.words[base + 1] >>> (runsHigh + HEADER_BITS)) & ((1 << PLACE_BITS) - 1);
    }

    /** Whether a slot's extension, which may be none, is a prefix of a word. */
    boolean isPrefix(int bin, int slot, long bits) {
        return isEmpty(bins.base(bin)) || Prefix.isOf(get(bin, slot), bits);
    }

    /** The extension of a slot. */
    long get(int bin, int slot) {
        int base = bins.base(bin);
        long first = bins.words[base + 1] >>> (runsHigh + HEADER_BITS);
        long second = bins.words[base + 3] >>> slotsHigh;
        int firstLength = firstBits;
        long third = 0;
        if (isSpilled(base)) {
            third = spill.get(bin, place(base));
            first >>>= PLACE_BITS;
            firstLength -= PLACE_BITS;
        }
        int both = firstLength + secondBits;
        long c0 = first | second << firstLength;
        long c1 = second >>> 1 >>> (Long.SIZE - 1 - firstLength);
        long c2 = 0;
        if (both < Long.SIZE) {
            c0 |= third << both;
            c1 = third >>> 1 >>> (Long.SIZE - 1 - both);
        } else {
            c1 |= third << (both - Long.SIZE);
            c2 = third >>> 1 >>> (2 * Long.SIZE - 1 - both);
        }
        while (true) {
            int next = (int) c0 & SLOT_MASK;
            if (next == 0 || next > slot + 1) {
                return Prefix.NONE;
            }
            c0 = c0 >>> SLOT_BITS | c1 << (Long.SIZE - SLOT_BITS);
            c1 = c1 >>> SLOT_BITS | c2 << (Long.SIZE - SLOT_BITS);
            c2 >>>= SLOT_BITS;
            int length = Long.numberOfTrailingZeros(~c0) + 1;
            c0 = c0 >>> length | c1 << (Long.SIZE - length);
            c1 = c1 >>> length | c2 << (Long.SIZE - length);
            c2 >>>= length;
            if (next == slot + 1) {
                return 1L << length | (c0 & ((1L << length) - 1));
            }
            c0 = c0 >>> length | c1 << (Long.SIZE - length);
            c1 = c1 >>> length | c2 << (Long.SIZE - length);
            c2 >>>= length;
        }
    }

    /** Gives a slot another extension; false, and no change, if there is no room for it. */
    boolean set(int bin, int slot, long prefix) {
        load(bin);
        int at = 0;
        while (at < size && slotOf[at] < slot) {
            at++;
        }
        boolean isThere = at < size && slotOf[at] == slot;
        if (prefix == Prefix.NONE) {
            if (isThere) {
                remove(at);
            }
        } else {
            if (!isThere) {
                if (size == MOST_ENTRIES) {
                    return false;
                }
                System.arraycopy(slotOf, at, slotOf, at + 1, size - at);
                System.arraycopy(prefixOf, at, prefixOf, at + 1, size - at);
                size++;
            }
            slotOf[at] = slot;
            prefixOf[at] = prefix;
        }
        return store(bin);
    }

    /** Makes room for a slot that is new in a bin; it has no extension. */
    void opened(int bin, int slot) {
        if (!isEmpty(bins.base(bin))) {
            load(bin);
            for (int i = 0; i < size; i++) {
                slotOf[i] += slotOf[i] >= slot ? 1 : 0;
            }
            store(bin);
        }
    }

    /** Forgets the extension of a slot that is taken away. */
    void closed(int bin, int slot) {
        if (!isEmpty(bins.base(bin))) {
            load(bin);
            for (int i = size - 1; i >= 0 && slotOf[i] >= slot; i--) {
                if (slotOf[i] == slot) {
                    remove(i);
                } else {
                    slotOf[i]--;
                }
            }
            store(bin);
        }
    }

    /** The extended slots of a bin in ascending order, as a new array. */
    int[] extendedSlots(int bin) {
        load(bin);
        int[] slots = new int[size];
        System.arraycopy(slotOf, 0, slots, 0, size);
        return slots;
    }

    private void remove(int at) {
        System.arraycopy(slotOf, at + 1, slotOf, at, size - at - 1);
        System.arraycopy(prefixOf, at + 1, prefixOf, at, size - at - 1);
        size--;
    }

    /** Unpacks a bin's list into the scratch space. */
    private void load(int bin) {
        size = 0;
        int base = bins.base(bin);
        if (isEmpty(base)) {
            return;
        }
        loadCode(bin, base);
        for (int next = take(SLOT_BITS); next != 0; next = take(SLOT_BITS)) {
            int length = Long.numberOfTrailingZeros(~code0) + 1;
            if (length > Prefix.MOST_LENGTH || size == MOST_ENTRIES) {
                throw new IllegalStateException("bin " + bin + " has an extension of " + length + " bits");
            }
            skip(length);
            slotOf[size] = next - 1;
            prefixOf[size] = 1L << length | (code0 & ((1L << length) - 1));
            size++;
            skip(length);
        }
    }

    private void loadCode(int bin, int base) {
        clear();
        long first = bins.words[base + 1] >>> (runsHigh + HEADER_BITS);
        int at = firstBits;
        if (isSpilled(base)) {
            at -= PLACE_BITS;
            first >>>= PLACE_BITS;
        }
        put(first, 0);
        put(bins.words[base + 3] >>> slotsHigh, at);
        if (isSpilled(base)) {
            put(spill.get(bin, place(base)), at + secondBits);
        }
    }

    private int take(int bits) {
        int value = (int) code0 & (1 << bits) - 1;
        skip(bits);
        return value;
    }

    private void skip(int bits) {
        code0 = code0 >>> bits | code1 << (Long.SIZE - bits);
        code1 = code1 >>> bits | code2 << (Long.SIZE - bits);
        code2 >>>= bits;
    }

    private void clear() {
        code0 = 0;
        code1 = 0;
        code2 = 0;
    }

    /** Puts bits into the code, above which and at which it is empty. */
    private void put(long bits, int at) {
        if (at < Long.SIZE) {
            code0 |= bits << at;
            code1 |= bits >>> 1 >>> (Long.SIZE - 1 - at);
        } else if (at < 2 * Long.SIZE) {
            code1 |= bits << at;
            code2 |= bits >>> 1 >>> (2 * Long.SIZE - 1 - at);
        } else {
            code2 |= bits << at;
        }
    }

    private long at(int position) {
        if (position >= 2 * Long.SIZE) {
            return code2 >>> position;
        }
        return position < Long.SIZE
                ? code0 >>> position | code1 << 1 << (Long.SIZE - 1 - position)
                : code1 >>> position | code2 << 1 << (2 * Long.SIZE - 1 - position);
    }

    /** Packs the scratch space into a bin; false, and no change, if it does not fit. */
    private boolean store(int bin) {
        int base = bins.base(bin);
        int needed = 0;
        for (int i = 0; i < size; i++) {
            needed += SLOT_BITS + 2 * Prefix.length(prefixOf[i]);
        }
        boolean wasSpilled = isSpilled(base);
        boolean spills = needed > firstBits + secondBits;
        if (spills
                && (needed > firstBits + secondBits - PLACE_BITS + Long.SIZE
                        || (!wasSpilled && spill.room(bin) == 0))) {
            return false;
        }
        int place = wasSpilled ? place(base) : 0;
        if (spills && !wasSpilled) {
            place = spill.take(bin);
        } else if (wasSpilled && !spills) {
            spill.release(bin, place);
        }
        pack();
        int first = spills ? firstBits - PLACE_BITS : firstBits;
        long header = bins.words[base + 1] & ((1L << (runsHigh + BinLayout.COUNT_BITS)) - 1);
        long code = code0 & (1L << first) - 1;
        if (spills) {
            code = (code << PLACE_BITS | place) << 1 | 1;
            spill.set(bin, place, at(first + secondBits));
        } else {
            code <<= 1;
        }
        bins.words[base + 1] = header | code << (runsHigh + BinLayout.COUNT_BITS);
        long ends = bins.words[base + 3] & (1L << slotsHigh) - 1;
        bins.words[base + 3] = ends | at(first) << slotsHigh;
        return true;
    }

    private void pack() {
        clear();
        int at = 0;
        for (int i = 0; i < size; i++) {
            int length = Prefix.length(prefixOf[i]);
            put(slotOf[i] + 1, at);
            put((1L << (length - 1)) - 1, at + SLOT_BITS);
            put(prefixOf[i] ^ 1L << length, at + SLOT_BITS + length);
            at += SLOT_BITS + 2 * length;
        }
    }

    /**
     * Checks one bin's list.
     *
     * @return whether the bin is spilled
     * @throws IllegalStateException if nothing could have written it
     */
    boolean check(int bin) {
        int base = bins.base(bin);
        boolean isSpilled = isSpilled(base);
        if (isSpilled && !spill.isUsed(bin, place(base))) {
            throw new IllegalStateException("bin " + bin + " is spilled to a free place");
        }
        long word1 = bins.words[base + 1];
        long word3 = bins.words[base + 3];
        long third = isSpilled ? spill.get(bin, place(base)) : 0;
        load(bin);
        int before = -1;
        for (int i = 0; i < size; i++) {
            if (slotOf[i] <= before || slotOf[i] >= bins.used(base)) {
                throw new IllegalStateException("bin " + bin + " extends slot " + slotOf[i] + " after " + before);
            }
            before = slotOf[i];
        }
        // What is packed again must be what was there, so that no bits hide behind the end of the list.
        int place = isSpilled ? place(base) : 0;
        boolean isSame = store(bin)
                && bins.words[base + 1] == word1
                && bins.words[base + 3] == word3
                && isSpilled(base) == isSpilled
                && (!isSpilled || (place(base) == place && spill.get(bin, place) == third));
        if (!isSame) {
            throw new IllegalStateException("bin " + bin + " has bits behind its extensions");
        }
        return isSpilled;
    }
}
