package dev.besom.broom;

import dev.besom.adaptive.Extensions;

/**
 * The extensions of slots as a string of bits, lowest bit of the first word first.
 *
 * <pre>
 *   code      | slot + 1 | slot + 1 | ... --&gt;  0 0 0  &lt;-- ... | length - 1 ones and a zero | the extension's bits |
 *             ^ numbers, from the start                         extensions, from the end, their first bits highest ^
 * </pre>
 *
 * Extended slots are listed in ascending order, and their extensions in the same order. A number of 0 ends the list, and so does
 * want of room for another one. With numbers of six bits an extension of two bits, the mean, takes ten. All numbers come first, so that
 * a query compares them at once with that of its slot, and looks at no extension where none is equal ({@link LineQueries}).
 *
 * @param slotBits the width of a slot's number
 */
record ExtensionCode(int slotBits) {

    /** For so many slots. */
    static ExtensionCode forSlots(int slots) {
        // One more, as numbers start from 1, and another that no slot has.
        return new ExtensionCode(Integer.SIZE - Integer.numberOfLeadingZeros(slots + 1));
    }

    /** A number that no slot has. */
    int noSlot() {
        return (1 << slotBits) - 1;
    }

    /** The bits that the code of one extension takes. */
    int sizeOf(long extension) {
        return slotBits + 2 * Extensions.length(extension);
    }

    /** The bits that the code of the shortest extension takes. */
    int leastSize() {
        return slotBits + 2;
    }

    /** How many words a code of so many bits takes. */
    static int words(int bits) {
        return (bits + Long.SIZE - 1) / Long.SIZE;
    }

    /**
     * The extension of a slot, from a code in one word.
     *
     * @param size bits of the code, from 1 to 64
     */
    long find(long code, int size, int slot) {
        long numbers = code;
        long extensions = code << (Long.SIZE - size);
        int mask = noSlot();
        for (int left = size; left >= leastSize(); ) {
            int next = (int) numbers & mask;
            if (next == 0 || next > slot + 1) {
                return Extensions.EMPTY;
            }
            int length = Long.numberOfLeadingZeros(~extensions) + 1;
            if (next == slot + 1) {
                return Extensions.of(extensions << length, length);
            }
            numbers >>>= slotBits;
            extensions <<= 2 * length;
            left -= slotBits + 2 * length;
        }
        return Extensions.EMPTY;
    }

    /**
     * The extension of a slot, from a code in three words.
     *
     * @param size bits of the code, from 1 to 192
     */
    long find(long first, long second, long third, int size, int slot) {
        int low = 0;
        int high = size;
        int mask = noSlot();
        while (high - low >= leastSize()) {
            int next = (int) bitsAt(first, second, third, low) & mask;
            if (next == 0 || next > slot + 1) {
                return Extensions.EMPTY;
            }
            int length = Long.numberOfLeadingZeros(~bitsBelow(first, second, third, high)) + 1;
            if (next == slot + 1) {
                return Extensions.of(bitsBelow(first, second, third, high - length), length);
            }
            low += slotBits;
            high -= 2 * length;
        }
        return Extensions.EMPTY;
    }

    private static long bitsAt(long first, long second, long third, int at) {
        int word = at >>> 6;
        long low = word == 0 ? first : word == 1 ? second : third;
        long high = word == 0 ? second : word == 1 ? third : 0;
        return low >>> at | high << 1 << (Long.SIZE - 1 - (at & 63));
    }

    private static long bitsBelow(long first, long second, long third, int end) {
        return end >= Long.SIZE ? bitsAt(first, second, third, end - Long.SIZE) : first << (Long.SIZE - end);
    }

    /** The extension of a slot, from a code that is between two bits of an array. */
    long find(long[] code, int from, int to, int slot) {
        int low = from;
        int high = to;
        while (high - low >= leastSize()) {
            int next = slotAt(code, low);
            if (next == 0 || next > slot + 1) {
                return Extensions.EMPTY;
            }
            int length = lengthBelow(code, high);
            if (next == slot + 1) {
                return extensionBelow(code, high, length);
            }
            low += slotBits;
            high -= 2 * length;
        }
        return Extensions.EMPTY;
    }

    /** The number of a slot at a place of a code, one more than the slot's; 0 at the end. */
    int slotAt(long[] code, int at) {
        return (int) bitsAt(code, at) & noSlot();
    }

    /** The length of the extension that ends before a place of a code. */
    static int lengthBelow(long[] code, int end) {
        return Long.numberOfLeadingZeros(~bitsBelow(code, end)) + 1;
    }

    /** The extension that ends before a place of a code. */
    static long extensionBelow(long[] code, int end, int length) {
        return Extensions.of(bitsBelow(code, end - length), length);
    }

    /** Puts an extension before a place of a code where that is empty; returns where the next one ends. */
    static int putBelow(long[] code, int end, long extension) {
        int length = Extensions.length(extension);
        or(code, end - length, (1L << length) - 2);
        or(code, end - 2 * length, Extensions.bits(extension));
        return end - 2 * length;
    }

    /** The 64 bits of a code before a place; before its start they are 0. */
    private static long bitsBelow(long[] code, int end) {
        return end >= Long.SIZE ? bitsAt(code, end - Long.SIZE) : bitsAt(code, 0) << (Long.SIZE - end);
    }

    /** The 64 bits of a code from a place on; behind its end they are 0. */
    static long bitsAt(long[] code, int at) {
        int word = at >>> 6;
        long low = word < code.length ? code[word] >>> at : 0;
        long high = word + 1 < code.length ? code[word + 1] : 0;
        return low | high << 1 << (Long.SIZE - 1 - (at & 63));
    }

    /** Puts bits at a place of a code where it is empty; what is behind its end must be 0. */
    static void or(long[] code, int at, long bits) {
        int word = at >>> 6;
        if (bits << at != 0) {
            code[word] |= bits << at;
        }
        long high = bits >>> 1 >>> (Long.SIZE - 1 - (at & 63));
        if (high != 0) {
            code[word + 1] |= high;
        }
    }

    /** Whether two codes are the same string, whatever zeros follow it. */
    static boolean areEqual(long[] code, long[] other) {
        for (int i = 0; i < Math.max(code.length, other.length); i++) {
            if ((i < code.length ? code[i] : 0) != (i < other.length ? other[i] : 0)) {
                return false;
            }
        }
        return true;
    }
}
