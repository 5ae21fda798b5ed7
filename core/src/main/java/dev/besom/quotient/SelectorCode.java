package dev.besom.quotient;

/**
 * Packs the selectors of a block's 64 slots into one number of 56 bits.
 *
 * <p>Every code keeps three promises: the number 0 stands for 64 selectors 0; selectors that cannot be packed are
 * refused by {@link #DOES_NOT_FIT}, never packed wrongly; what was packed comes out again, slot by slot or all at once.
 */
sealed interface SelectorCode permits EnumerativeSelectorCode, GeneralSelectorCode, ShiftSelectorCode {

    /** Slots of a block. */
    int SLOTS = 64;

    /** Bits of a code: a word less the 8 bits that a block's offset takes. */
    int BITS = 56;

    /** What {@link #encode(byte[])} answers where 56 bits are not enough; no code is negative. */
    long DOES_NOT_FIT = -1;

    /** The code of 64 selectors, each at least 0, or {@link #DOES_NOT_FIT}. */
    long encode(byte[] selectors);

    /** Writes all 64 selectors of a code. */
    void decode(long code, byte[] selectors);

    /** The selector of one slot; at once where the code is 0. */
    int selectorAt(long code, int slot);

    /** A number that no selector of the code exceeds, found without decoding. */
    int greatestSelector(long code);

    /** Whether the number is one that {@link #encode(byte[])} gives. */
    default boolean isCode(long number) {
        if (number < 0 || number >>> BITS != 0) {
            return false;
        }
        byte[] selectors = new byte[SLOTS];
        decode(number, selectors);
        return encode(selectors) == number;
    }
}
