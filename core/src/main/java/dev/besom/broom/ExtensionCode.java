package dev.besom.broom;

import dev.besom.adaptive.Extensions;

/**
 * The extensions of slots as a string of bits, lowest bit of the first word first.
 *
 * <pre>
 *   code      | slot + 1 | length - 1 ones and a zero | the extension's bits | slot + 1 | ... | 0 0 0 ...
 * </pre>
 *
 * Extended slots are listed in ascending order; a number of 0 ends the list. With numbers of six bits an extension of two
 * bits, the mean, takes ten.
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

    /** How many words a code of so many bits takes. */
    static int words(int bits) {
        return (bits + Long.SIZE - 1) / Long.SIZE;
    }

    /** The extension of a slot, from a code of one word. */
    long find(long code, int slot) {
        long rest = code;
        int mask = noSlot();
        while (true) {
            int next = (int) rest & mask;
            if (next == 0 || next > slot + 1) {
                return Extensions.EMPTY;
            }
            rest >>>= slotBits;
            int length = Long.numberOfTrailingZeros(~rest) + 1;
            rest >>>= length;
            if (next == slot + 1) {
                return Extensions.ofBits(rest, length);
            }
            rest >>>= length;
        }
    }

    /** The extension of a slot, from the three words of a code; behind the code they are 0. */
    long find(long first, long second, long third, int slot) {
        long c0 = first;
        long c1 = second;
        long c2 = third;
        int mask = noSlot();
        while (true) {
            int next = (int) c0 & mask;
            if (next == 0 || next > slot + 1) {
                return Extensions.EMPTY;
            }
            c0 = c0 >>> slotBits | c1 << (Long.SIZE - slotBits);
            c1 = c1 >>> slotBits | c2 << (Long.SIZE - slotBits);
            c2 >>>= slotBits;
            int length = Long.numberOfTrailingZeros(~c0) + 1;
            c0 = c0 >>> length | c1 << (Long.SIZE - length);
            c1 = c1 >>> length | c2 << (Long.SIZE - length);
            c2 >>>= length;
            if (next == slot + 1) {
                return Extensions.ofBits(c0, length);
            }
            c0 = c0 >>> length | c1 << (Long.SIZE - length);
            c1 = c1 >>> length | c2 << (Long.SIZE - length);
            c2 >>>= length;
        }
    }

    /** The extension of a slot, from a code of any length that begins at a bit of an array and ends with it. */
    long find(long[] code, int from, int slot) {
        int at = from;
        for (int next = slotAt(code, at); next != 0 && next <= slot + 1; next = slotAt(code, at)) {
            int length = lengthAt(code, at);
            if (next == slot + 1) {
                return extensionAt(code, at, length);
            }
            at += slotBits + 2 * length;
        }
        return Extensions.EMPTY;
    }

    /** The number of a slot at a place of a code, one more than the slot's; 0 at the end. */
    int slotAt(long[] code, int at) {
        return (int) bitsAt(code, at) & noSlot();
    }

    /** The length of the extension whose slot is at a place of a code. */
    int lengthAt(long[] code, int at) {
        return Long.numberOfTrailingZeros(~bitsAt(code, at + slotBits)) + 1;
    }

    /** The extension whose slot is at a place of a code. */
    long extensionAt(long[] code, int at, int length) {
        return Extensions.ofBits(bitsAt(code, at + slotBits + length), length);
    }

    /** Puts a slot with its extension at a place of a code, from which on it is empty; returns where the next one begins. */
    int put(long[] code, int at, int slot, long extension) {
        int length = Extensions.length(extension);
        or(code, at, slot + 1);
        or(code, at + slotBits, (1L << (length - 1)) - 1);
        or(code, at + slotBits + length, Extensions.bits(extension));
        return at + slotBits + 2 * length;
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
