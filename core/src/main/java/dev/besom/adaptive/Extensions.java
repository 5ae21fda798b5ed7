package dev.besom.adaptive;

/**
 * Extensions: strings of bits that lengthen a fingerprint by the bits that follow it in its key's hash. An extension is a
 * number: its bits, the first one highest, below a mark. The empty one is 0.
 *
 * <pre>
 *   word               1011 0010 ...      its bits are read from the highest down
 *   extension, length 3        0 ... 0 1 101
 *                                      mark
 *   extension, length 0        0 ... 0 0
 * </pre>
 *
 * Of one word's extensions a longer one is a larger number.
 */
public final class Extensions {

    /** No bits: a prefix of every word. */
    public static final long EMPTY = 0;

    /** Beyond it the mark would be the number's sign. */
    public static final int MOST_LENGTH = 62;

    private Extensions() {}

    /** The first bits of a word. */
    public static long of(long word, int length) {
        // Two shifts, as a shift by 64 is none.
        return length == 0 ? EMPTY : 1L << length | word >>> 1 >>> (Long.SIZE - 1 - length);
    }

    /** The extension whose {@linkplain #bits(long) bits} are the lowest bits of a number. */
    public static long ofBits(long bits, int length) {
        return length == 0 ? EMPTY : 1L << length | (bits & ((1L << length) - 1));
    }

    /** How many bits an extension has. */
    public static int length(long extension) {
        return Long.SIZE - 1 - Long.numberOfLeadingZeros(extension | 1);
    }

    /** The bits without the mark, the last one lowest. */
    public static long bits(long extension) {
        return extension ^ Long.highestOneBit(extension);
    }

    /** Whether a word starts with an extension's bits. */
    public static boolean isPrefix(long extension, long word) {
        int aboveMark = Long.numberOfLeadingZeros(extension | 1);
        return ((extension << 1 << aboveMark) ^ word) >>> 1 >>> aboveMark == 0;
    }

    /** How many bits an extension and a word have in common at the start. */
    public static int shared(long extension, long word) {
        int aboveMark = Long.numberOfLeadingZeros(extension | 1);
        return Math.min(Long.SIZE - 1 - aboveMark, sharedBits(extension << 1 << aboveMark, word));
    }

    /** How many bits two words have in common at the start. */
    public static int sharedBits(long word, long other) {
        return Long.numberOfLeadingZeros(word ^ other);
    }
}
