package dev.besom.quotient.tags;

import java.util.Arrays;

/**
 * An arithmetic code for selectors with two parameters, for any width of remainders: a selector is above 0 with
 * probability 2^-x, and one that is above 0 is above each further number with probability 2^-y.
 *
 * <pre>
 *   0                                                                       size
 *   |------------------------ 0 ------------------------|------ 1 ------|-2-||
 *                                                       |<-- size / 2^x --->|
 *                                                                       |<->| that / 2^y
 * </pre>
 *
 * <p>Departures from the paper. What a shift rounds off falls to the smaller selector, so no interval of a selector 0 is
 * ever empty and no multiplication is needed. The code is the lowest number of its interval, so that 64 selectors 0 have
 * the code 0.
 *
 * <p>Cost: decoding walks from slot 0 to the slot that is looked up or to the last selector above 0.
 *
 * <p>D. J. Lee, S. McCauley, S. Singh, M. Stein: Telescoping Filter: A Practical Adaptive Filter. ESA 2021, appendix C.3.
 */
final class GeneralSelectorCode extends BlockCode {

    /** Beyond it a shift would leave nothing of any interval. */
    static final int MOST_PARAMETER = 32;

    private final int someShift; // x in the paper
    private final int moreShift; // y in the paper

    GeneralSelectorCode(int slots, int bits, int someShift, int moreShift) {
        super(slots, bits);
        if (someShift < 1 || someShift > MOST_PARAMETER || moreShift < 1 || moreShift > MOST_PARAMETER) {
            throw new IllegalArgumentException("parameters of the code must be from 1 to " + MOST_PARAMETER + ", not "
                    + someShift + " and " + moreShift);
        }
        this.someShift = someShift;
        this.moreShift = moreShift;
    }

    @Override
    long encode(long[] tags, int from) {
        long low = 0;
        long size = 1L << bits;
        for (int slot = 0; slot < slots; slot++) {
            long selector = tags[from + slot];
            long above = size >>> someShift;
            if (selector == 0) {
                size -= above;
                continue;
            }
            low += size - above;
            for (int passed = 1; passed < selector && above != 0; passed++) {
                low += above - (above >>> moreShift);
                above >>>= moreShift;
            }
            size = above - (above >>> moreShift);
            if (size == 0) {
                return DOES_NOT_FIT;
            }
        }
        return low;
    }

    @Override
    void decode(long code, long[] tags, int from) {
        Arrays.fill(tags, from, from + slots, 0);
        long rest = code;
        long size = 1L << bits;
        // Once the rest is 0 it lies at the start of every interval to come.
        for (int slot = 0; slot < slots && rest != 0; slot++) {
            long above = size >>> someShift;
            size -= above;
            if (rest >= size) {
                rest -= size;
                int selector = 1;
                size = above - (above >>> moreShift);
                while (rest >= size) {
                    rest -= size;
                    above >>>= moreShift;
                    size = above - (above >>> moreShift);
                    selector++;
                }
                tags[from + slot] = selector;
            }
        }
    }

    @Override
    long tagAt(long code, int slot) {
        int some = someShift;
        int more = moreShift;
        long rest = code;
        long size = 1L << bits;
        for (int passed = 0; rest != 0 && passed <= slot; passed++) {
            long above = size >>> some;
            size -= above;
            if (rest >= size) {
                rest -= size;
                int selector = 1;
                size = above - (above >>> more);
                while (rest >= size) {
                    rest -= size;
                    above >>>= more;
                    size = above - (above >>> more);
                    selector++;
                }
                if (passed == slot) {
                    return selector;
                }
            }
        }
        return 0;
    }
}
