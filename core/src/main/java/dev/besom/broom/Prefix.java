package dev.besom.broom;

/**
 * The extension of a fingerprint: so many of the bits that follow the remainder in its owner's hash, as a number with a
 * one before them.
 *
 * <pre>
 *   the bits that follow    1011 0010 ...      highest first
 *   prefix of length 3      1 101
 *   prefix of length 0      1
 * </pre>
 */
final class Prefix {

    /** No extension: a prefix of everything. */
    static final long NONE = 1;

    /** More would not fit beside the one. */
    static final int MOST_LENGTH = 62;

    private Prefix() {}

    /** The first bits of a word. */
    static long of(long bits, int length) {
        // Two shifts, as a shift by 64 is none.
        return 1L << length | bits >>> 1 >>> (Long.SIZE - 1 - length);
    }

    static int length(long prefix) {
        return Long.SIZE - 1 - Long.numberOfLeadingZeros(prefix);
    }

    static boolean isOf(long prefix, long bits) {
        return of(bits, length(prefix)) == prefix;
    }

    /** How many bits a prefix and a word have in common at the start. */
    static int shared(long prefix, long bits) {
        int length = length(prefix);
        return Math.min(length, sharedBits(prefix << 1 << (Long.SIZE - 1 - length), bits));
    }

    /** How many bits two words have in common at the start. */
    static int sharedBits(long bits, long other) {
        return Long.numberOfLeadingZeros(bits ^ other);
    }
}
