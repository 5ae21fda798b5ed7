package dev.besom.quotient;

/**
 * Packs the extensions of a block's 64 slots into one number of 56 bits.
 *
 * <p>An extension is a string of bits. It is held in a word as the bits, the first one lowest, below a mark:
 *
 * <pre>
 *   length 0:  0 ... 0 0 0 1        length 3, first bit 0, then 1, then 1:  0 ... 0 1 1 1 0
 *                          mark                                                    mark
 * </pre>
 *
 * <p>Every code keeps three promises: the number 0 stands for 64 extensions of length 0; extensions that cannot be
 * packed are refused by {@link #DOES_NOT_FIT}, never packed wrongly; what was packed comes out again.
 */
sealed interface ExtensionCode permits EnumerativeExtensionCode, ShiftExtensionCode {

    /** Slots of a block. */
    int SLOTS = 64;

    /** Bits of a code: a word less the 8 bits that a block's offset takes. */
    int BITS = 56;

    /** What {@link #encode(long[])} answers where 56 bits are not enough; no code is negative. */
    long DOES_NOT_FIT = -1;

    /** The extension of length 0. */
    long EMPTY = 1;

    /** The code of 64 extensions, or {@link #DOES_NOT_FIT}. */
    long encode(long[] extensions);

    /** Writes all 64 extensions of a code. */
    void decode(long code, long[] extensions);

    /** The extension of one slot; at once where the code is 0. */
    long extensionAt(long code, int slot);

    static int length(long extension) {
        return Long.SIZE - 1 - Long.numberOfLeadingZeros(extension);
    }

    /** The first bits of a word as an extension. */
    static long extension(long bits, int length) {
        return (bits & ((1L << length) - 1)) | (1L << length);
    }

    /** Whether a word starts with the extension's bits. */
    static boolean isPrefix(long extension, long bits) {
        long mark = Long.highestOneBit(extension);
        return ((bits ^ extension) & (mark - 1)) == 0;
    }

    /** Whether the number is one that {@link #encode(long[])} gives. */
    default boolean isCode(long number) {
        if (number < 0 || number >>> BITS != 0) {
            return false;
        }
        long[] extensions = new long[SLOTS];
        decode(number, extensions);
        return encode(extensions) == number;
    }
}
