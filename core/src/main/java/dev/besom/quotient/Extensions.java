package dev.besom.quotient;

/**
 * Extensions: strings of bits that lengthen a fingerprint, held in a word as the bits, the first one lowest, below a
 * mark. The empty one is 0.
 *
 * <pre>
 *   empty:  0 ... 0 0 0 0        first bit 0, then 1, then 1:  0 ... 0 1 1 1 0
 *                                                                      mark
 * </pre>
 */
final class Extensions {

    /** Beyond it the mark would be the word's sign. */
    static final int MOST_LENGTH = 62;

    private Extensions() {}

    static int length(long extension) {
        return Long.SIZE - 1 - Long.numberOfLeadingZeros(extension | 1);
    }

    /** The bits without the mark. */
    static long bits(long extension) {
        return extension ^ Long.highestOneBit(extension);
    }

    /** The first bits of a word as an extension. */
    static long of(long bits, int length) {
        return length == 0 ? 0 : (bits & ((1L << length) - 1)) | (1L << length);
    }

    /** Whether a word starts with the extension's bits. */
    static boolean isPrefix(long extension, long bits) {
        long mark = Long.highestOneBit(extension | 1);
        return ((bits ^ extension) & (mark - 1)) == 0;
    }
}
