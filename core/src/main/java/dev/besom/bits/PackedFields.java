package dev.besom.bits;

/**
 * Fields of one width in a word, all compared at once. Field {@code i} is the bits from {@code i * width} on; what is left
 * at the top of the word, if the width does not divide 64, belongs to no field.
 *
 * <pre>
 *   width 5   lows   | 0000 00001 00001 ... 00001 |      the lowest bit of each of the 12 fields
 *             highs  | 0000 10000 10000 ... 10000 |      the highest
 * </pre>
 *
 * L. Lamport: Multiple byte processing with full-word instructions. Communications of the ACM 1975.
 */
public final class PackedFields {

    private PackedFields() {}

    /** How many fields a word has. */
    public static int perWord(int width) {
        return Long.SIZE / width;
    }

    /** The lowest bit of each field. */
    public static long lows(int width) {
        long lows = 0;
        for (int field = 0; field < perWord(width); field++) {
            lows |= 1L << (field * width);
        }
        return lows;
    }

    /** The highest bit of each field. */
    public static long highs(int width) {
        return lows(width) << (width - 1);
    }

    /**
     * The highest bit of each field that is 0, and nothing else.
     *
     * @param lows of the width
     * @param highs of the width
     */
    public static long zeros(long word, long lows, long highs) {
        // A field without its highest bit carries into it, and no further, unless it is 0.
        long others = highs - lows;
        return highs & ~(((word & others) + others) | word);
    }

    /**
     * Like {@link #zeros}, in fewer steps, and right only up to the lowest bit that is set: above a field of 0 one of 1 may
     * look like 0. If no field is 0, no bit is set.
     *
     * @param lows of the width
     * @param highs of the width
     */
    public static long roughZeros(long word, long lows, long highs) {
        // Only a field of 0 borrows from the next one, which is 1 too low then.
        return (word - lows) & ~word & highs;
    }
}
