package dev.besom.broom;

import dev.besom.adaptive.GroupSpill;
import java.util.Arrays;

/**
 * The extensions of bins' slots, packed into the bits that their metadata leaves free, for some bins with a word more, and
 * for few in a list elsewhere.
 *
 * <pre>
 *   code      | slot + 1, 7 bits | length - 1 ones and a zero | the extension's bits | slot + 1 | ... | 0 0 0 ...
 *
 *   in a bin of the usual size:   word 1: 33 bits   word 3: 32 bits   spilled: 6 bits less, and 64 in the spill
 *   code of a bin with a list:    | 127, 7 bits | 0 0 0 ...
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
    private static final int MOST_ENTRIES = BinLayout.MOST;

    /** A number that no slot has: the extensions are in a list of the spill. */
    private static final int IN_LIST = SLOT_MASK;

    private static final long[] NO_LIST = {};

    private final Bins bins;
    private final BinSpill spill;
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

    BinExtensions(Bins bins, BinSpill spill) {
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

    BinSpill spill() {
        return spill;
    }

    /** Whether no slot of a bin is extended. */
    boolean isEmpty(int base) {
        return bins.words[base + 1] >>> (runsHigh + BinLayout.COUNT_BITS) == 0;
    }

    private boolean isSpilled(int base) {
        return (bins.words[base + 1] >>> (runsHigh + BinLayout.COUNT_BITS) & 1) != 0;
    }

    private boolean isListed(int base) {
        return (bins.words[base + 1] >>> (runsHigh + BinLayout.COUNT_BITS) & (SLOT_MASK << 1 | 1)) == IN_LIST << 1;
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
            third = spill.word(bin, place(base));
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
                return next == IN_LIST ? listed(bin, slot) : Prefix.NONE;
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

    /** The extension of a slot of a bin with a list. */
    private long listed(int bin, int slot) {
        long[] list = spill.list(bin);
        int next = slotAt(list, 0);
        for (int at = 0; next != 0 && next <= slot + 1; next = slotAt(list, at)) {
            int length = lengthAt(list, at);
            if (next == slot + 1) {
                return prefixAt(list, at, length);
            }
            at += SLOT_BITS + 2 * length;
        }
        return Prefix.NONE;
    }

    /** The number of a slot at a place of a list, one more than the slot's; 0 at the end. */
    private static int slotAt(long[] list, int at) {
        return (int) bitsAt(list, at) & SLOT_MASK;
    }

    private static int lengthAt(long[] list, int at) {
        return Long.numberOfTrailingZeros(~bitsAt(list, at + SLOT_BITS)) + 1;
    }

    private static long prefixAt(long[] list, int at, int length) {
        return 1L << length | (bitsAt(list, at + SLOT_BITS + length) & ((1L << length) - 1));
    }

    /** The bits of a list from a place on; behind its end there are zeros. */
    private static long bitsAt(long[] list, int at) {
        int word = at >>> 6;
        long low = word < list.length ? list[word] >>> at : 0;
        long high = word + 1 < list.length ? list[word + 1] : 0;
        return low | high << 1 << (Long.SIZE - 1 - (at & 63));
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

    /** The lengths of all extensions of all bins together. */
    long totalBits() {
        long bits = 0;
        for (int bin = 0; bin < bins.binCount; bin++) {
            load(bin);
            for (int i = 0; i < size; i++) {
                bits += Prefix.length(prefixOf[i]);
            }
        }
        return bits;
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
        if (isListed(base)) {
            loadList(bin);
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

    private void loadList(int bin) {
        long[] list = spill.list(bin);
        int at = 0;
        for (int next = slotAt(list, 0); next != 0; next = slotAt(list, at)) {
            int length = lengthAt(list, at);
            if (length > Prefix.MOST_LENGTH || size == MOST_ENTRIES) {
                throw new IllegalStateException("bin " + bin + " has an extension of " + length + " bits");
            }
            slotOf[size] = next - 1;
            prefixOf[size] = prefixAt(list, at, length);
            size++;
            at += SLOT_BITS + 2 * length;
        }
    }

    /** The scratch space as a list. */
    private long[] newList(int bits) {
        long[] list = new long[(bits + Long.SIZE - 1) / Long.SIZE];
        int at = 0;
        for (int i = 0; i < size; i++) {
            int length = Prefix.length(prefixOf[i]);
            or(list, at, slotOf[i] + 1);
            or(list, at + SLOT_BITS, (1L << (length - 1)) - 1);
            or(list, at + SLOT_BITS + length, prefixOf[i] ^ 1L << length);
            at += SLOT_BITS + 2 * length;
        }
        return list;
    }

    private static void or(long[] list, int at, long bits) {
        list[at >>> 6] |= bits << at;
        long high = bits >>> 1 >>> (Long.SIZE - 1 - (at & 63));
        if (high != 0) {
            list[(at >>> 6) + 1] |= high;
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
            put(spill.word(bin, place(base)), at + secondBits);
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

    /** What the scratch space takes as a code. */
    private int codeBits() {
        int bits = 0;
        for (int i = 0; i < size; i++) {
            bits += SLOT_BITS + 2 * Prefix.length(prefixOf[i]);
        }
        return bits;
    }

    /** Packs the scratch space into a bin; false, and no change, if it does not fit. */
    private boolean store(int bin) {
        int base = bins.base(bin);
        int needed = codeBits();
        boolean wasSpilled = isSpilled(base);
        boolean wasListed = isListed(base);
        int given = wasListed ? spill.listSize(bin) : wasSpilled ? spill.freedBy(bin, place(base)) : 0;
        boolean fits = needed <= firstBits + secondBits;
        boolean spills = !fits
                && needed <= firstBits + secondBits - PLACE_BITS + Long.SIZE
                && (wasSpilled || spill.hasRoomForWord(bin, given));
        boolean lists = !fits && !spills;
        long[] list = lists ? newList(needed) : NO_LIST;
        if (lists && !spill.hasRoomForList(list.length, given)) {
            return false;
        }
        if (wasListed && !lists) {
            spill.removeList(bin);
        }
        int place = wasSpilled ? place(base) : 0;
        if (wasSpilled && !spills) {
            spill.releaseWord(bin, place);
        } else if (spills && !wasSpilled) {
            place = spill.takeWord(bin);
        }
        if (lists) {
            spill.setList(bin, list);
            setCode(base, (long) IN_LIST << 1, 0);
            return true;
        }
        pack();
        int first = spills ? firstBits - PLACE_BITS : firstBits;
        long code = code0 & (1L << first) - 1;
        if (spills) {
            code = (code << PLACE_BITS | place) << 1 | 1;
            spill.setWord(bin, place, at(first + secondBits));
        } else {
            code <<= 1;
        }
        setCode(base, code, at(first));
        return true;
    }

    /** Writes what is beside runs and beside ends of runs. */
    private void setCode(int base, long first, long second) {
        long header = bins.words[base + 1] & ((1L << (runsHigh + BinLayout.COUNT_BITS)) - 1);
        bins.words[base + 1] = header | first << (runsHigh + BinLayout.COUNT_BITS);
        long ends = bins.words[base + 3] & (1L << slotsHigh) - 1;
        bins.words[base + 3] = ends | second << slotsHigh;
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
     * Checks one bin's extensions.
     *
     * @return whether the bin has a word or a list in the spill
     * @throws IllegalStateException if nothing could have written them
     */
    boolean check(int bin) {
        int base = bins.base(bin);
        boolean isSpilled = isSpilled(base);
        if (isSpilled && !spill.isWordUsed(bin, place(base))) {
            throw new IllegalStateException("bin " + bin + " is spilled to a free place");
        }
        load(bin);
        int before = -1;
        for (int i = 0; i < size; i++) {
            if (slotOf[i] <= before || slotOf[i] >= bins.used(base) || prefixOf[i] <= Prefix.NONE) {
                throw new IllegalStateException("bin " + bin + " extends slot " + slotOf[i] + " after " + before);
            }
            before = slotOf[i];
        }
        if (hidesBits(bin, base)) {
            throw new IllegalStateException("bin " + bin + " has bits behind its extensions");
        }
        return isSpilled || isListed(base);
    }

    /** Whether what is packed again would not be what was there. */
    private boolean hidesBits(int bin, int base) {
        long word1 = bins.words[base + 1];
        long word3 = bins.words[base + 3];
        if (isListed(base)) {
            return word1 >>> (runsHigh + BinLayout.COUNT_BITS) != IN_LIST << 1
                    || word3 >>> slotsHigh != 0
                    || !Arrays.equals(newList(codeBits()), spill.list(bin));
        }
        boolean isSpilled = isSpilled(base);
        int place = isSpilled ? place(base) : 0;
        long third = isSpilled ? spill.word(bin, place) : 0;
        return !store(bin)
                || bins.words[base + 1] != word1
                || bins.words[base + 3] != word3
                || isSpilled(base) != isSpilled
                || (isSpilled && (place(base) != place || spill.word(bin, place) != third));
    }

    /**
     * Checks the spill, after all bins.
     *
     * @param spilled how many bins have a word or a list there
     * @throws IllegalStateException if it has others
     */
    void checkSpill(int spilled) {
        if (spilled != spill.size()) {
            throw new IllegalStateException(spilled + " bins are spilled, to " + spill.size() + " places");
        }
    }
}
