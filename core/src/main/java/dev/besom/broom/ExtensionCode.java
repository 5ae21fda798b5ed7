package dev.besom.broom;

import dev.besom.adaptive.Extensions;

/**
 * The extensions of a bin's slots as a string of bits, lowest bit of the first word first.
 *
 * <pre>
 *   code      | slot + 1, 7 bits | length - 1 ones and a zero | the extension's bits | slot + 1 | ... | 0 0 0 ...
 * </pre>
 *
 * Extended slots are listed in ascending order; a number of 0 ends the list. An extension of two bits, the mean, takes
 * 11 bits.
 */
final class ExtensionCode {

    static final int SLOT_BITS = 7;

    /** A number that no slot has. */
    static final int NO_SLOT = (1 << SLOT_BITS) - 1;

    private ExtensionCode() {}

    /** The bits that the code of one extension takes. */
    static int sizeOf(long extension) {
        return SLOT_BITS + 2 * Extensions.length(extension);
    }

    /** How many words a code of so many bits takes. */
    static int words(int bits) {
        return (bits + Long.SIZE - 1) / Long.SIZE;
    }

    /** The extension of a slot, from the three words of a code; behind the code they are 0. */
    static long find(long first, long second, long third, int slot) {
        long c0 = first;
        long c1 = second;
        long c2 = third;
        while (true) {
            int next = (int) c0 & NO_SLOT;
            if (next == 0 || next > slot + 1) {
                return Extensions.EMPTY;
            }
            c0 = c0 >>> SLOT_BITS | c1 << (Long.SIZE - SLOT_BITS);
            c1 = c1 >>> SLOT_BITS | c2 << (Long.SIZE - SLOT_BITS);
            c2 >>>= SLOT_BITS;
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

    /** The extension of a slot, from a code of any length. */
    static long find(long[] code, int slot) {
        int next = slotAt(code, 0);
        for (int at = 0; next != 0 && next <= slot + 1; next = slotAt(code, at)) {
            int length = lengthAt(code, at);
            if (next == slot + 1) {
                return extensionAt(code, at, length);
            }
            at += SLOT_BITS + 2 * length;
        }
        return Extensions.EMPTY;
    }

    /** The number of a slot at a place of a code, one more than the slot's; 0 at the end. */
    static int slotAt(long[] code, int at) {
        return (int) bitsAt(code, at) & NO_SLOT;
    }

    /** The length of the extension whose slot is at a place of a code. */
    static int lengthAt(long[] code, int at) {
        return Long.numberOfTrailingZeros(~bitsAt(code, at + SLOT_BITS)) + 1;
    }

    /** The extension whose slot is at a place of a code. */
    static long extensionAt(long[] code, int at, int length) {
        return Extensions.ofBits(bitsAt(code, at + SLOT_BITS + length), length);
    }

    /** Puts a slot with its extension at a place of a code, from which on it is empty; returns where the next one begins. */
    static int put(long[] code, int at, int slot, long extension) {
        int length = Extensions.length(extension);
        or(code, at, slot + 1);
        or(code, at + SLOT_BITS, (1L << (length - 1)) - 1);
        or(code, at + SLOT_BITS + length, Extensions.bits(extension));
        return at + SLOT_BITS + 2 * length;
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
