package dev.besom.compact;

import java.util.Arrays;

/**
 * A string of bits with its first bit highest, as Golomb-Rice codes stand in files and on networks, BIP 158's filters among
 * them.
 *
 * <pre>
 *   code of a gap    | as many 1 as its quotient | 0 | remainder of k bits, highest first |
 *
 *   bit i            bit 63 - i % 64 of word i / 64
 * </pre>
 */
final class RiceStream {

    private long[] words;
    private int length;

    RiceStream() {
        this.words = new long[16];
    }

    /** The words of the string; behind its end they are 0. */
    long[] words() {
        return words;
    }

    /** How many bits there are. */
    int length() {
        return length;
    }

    /** Makes the string empty. */
    RiceStream clear() {
        Arrays.fill(words, 0, wordsFor(length), 0);
        length = 0;
        return this;
    }

    /** Appends the code of a gap. */
    void append(long gap, int remainderBits) {
        for (long left = gap >>> remainderBits; left > 0; left -= Math.min(left, 63)) {
            int ones = (int) Math.min(left, 63);
            appendBits((1L << ones) - 1, ones);
        }
        appendBits(0, 1);
        appendBits(gap & ((1L << remainderBits) - 1), remainderBits);
    }

    /** Appends a number, highest bit first. */
    void appendBits(long value, int width) {
        if (wordsFor(length + width) >= words.length) {
            words = Arrays.copyOf(words, 2 * words.length);
        }
        int free = Long.SIZE - (length & 63);
        int at = length >>> 6;
        if (width <= free) {
            words[at] |= free == Long.SIZE && width == 0 ? 0 : value << (free - width);
        } else {
            words[at] |= value >>> (width - free);
            words[at + 1] |= value << (Long.SIZE - (width - free));
        }
        length += width;
    }

    /** Appends some bits of another string. */
    void append(long[] source, int from, int count) {
        int at = from;
        int left = count;
        while (left > 0) {
            int width = Math.min(left, Long.SIZE - 1);
            appendBits(window(source, at) >>> (Long.SIZE - width), width);
            at += width;
            left -= width;
        }
    }

    /** Writes the string over bits of other words from a place on; what is behind it there becomes 0. */
    void writeTo(long[] target, int from) {
        int first = from >>> 6;
        int shift = from & 63;
        long kept = shift == 0 ? 0 : target[first] & -1L << (Long.SIZE - shift);
        for (int word = first; word < target.length; word++) {
            int i = word - first;
            long high = i < words.length ? words[i] >>> shift : 0;
            long low = i > 0 && i <= words.length && shift > 0 ? words[i - 1] << (Long.SIZE - shift) : 0;
            target[word] = high | low | (i == 0 ? kept : 0);
        }
    }

    /** The string in bytes, the last one filled with 0. */
    byte[] toBytes() {
        byte[] bytes = new byte[(length + 7) >>> 3];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (words[i >>> 3] >>> (56 - ((i & 7) << 3)));
        }
        return bytes;
    }

    static int wordsFor(int bits) {
        return (bits + Long.SIZE - 1) >>> 6;
    }

    /** The 64 bits from a place on; behind the last word they are 0. */
    static long window(long[] words, int bit) {
        int at = bit >>> 6;
        int shift = bit & 63;
        long first = at < words.length ? words[at] << shift : 0;
        return at + 1 < words.length ? first | words[at + 1] >>> 1 >>> (63 - shift) : first;
    }

    /** The length of the unary part that begins at a place: how many ones, which is the quotient, before the 0. */
    static int quotient(long[] words, int bit, int end) {
        int at = bit;
        while (at < end) {
            int ones = Long.numberOfLeadingZeros(~window(words, at));
            at += ones;
            if (ones < Long.SIZE) {
                break;
            }
        }
        return Math.min(at, end) - bit;
    }

    /** The remainder that stands at a place. */
    static long remainder(long[] words, int bit, int remainderBits) {
        return window(words, bit) >>> (Long.SIZE - remainderBits);
    }
}
