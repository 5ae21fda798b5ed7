package dev.besom.quotient.tags;

import java.util.Arrays;

/**
 * An arithmetic code for selectors whose probabilities are sums of a few powers of two, so that it needs shifts and
 * additions only. It is tuned for remainders of 8 bits.
 *
 * <pre>
 *   0                                                                            2^bits
 *   |---------------- selector of slot 0 is 0 ---------------|------ is 1 -----|-2-||
 *   |--------- slot 1: 0 ---------------|---- 1 ----|-2-|...|
 *                                       ^ the code is the lowest number of the last, innermost interval
 * </pre>
 *
 * The interval of each slot's selector lies in the interval of the selectors before it. Selectors above 6 have no
 * interval and do not fit.
 *
 * <p>Departures from the paper. The code is the lower end of the last interval, not its middle: then 64 selectors 0 have
 * the code 0, and an interval of a single number still holds selectors 0, where the paper gives up below two. The
 * interval of selector 6 is all that the others leave.
 *
 * <p>Cost: decoding walks from slot 0 to the slot that is looked up.
 *
 * <p>D. J. Lee, S. McCauley, S. Singh, M. Stein: Telescoping Filter: A Practical Adaptive Filter. ESA 2021, appendix C.2.
 */
final class ShiftSelectorCode extends BlockCode {

    /** Beyond it a selector has no interval. */
    static final int MOST = 6;

    ShiftSelectorCode(int slots, int bits) {
        super(slots, bits);
    }

    /** How much of an interval of that size a selector takes; to selector 6 falls what the others leave. */
    private static long share(long size, int selector) {
        return switch (selector) {
            case 0 -> (size >>> 1) + (size >>> 2) + (size >>> 5);
            case 1 -> (size >>> 3) + (size >>> 4) + (size >>> 7) + (size >>> 9);
            case 2 -> (size >>> 6) + (size >>> 8);
            case 3 -> (size >>> 10) + (size >>> 11);
            case 4 -> (size >>> 14) + (size >>> 16);
            case 5 -> (size >>> 19) + (size >>> 20) + (size >>> 23);
            default -> size;
        };
    }

    @Override
    long encode(long[] tags, int from) {
        long low = 0;
        long size = 1L << bits;
        for (int slot = 0; slot < slots; slot++) {
            long selector = tags[from + slot];
            if (size == 1 && selector == 0) {
                continue;
            }
            if (size == 1 || selector > MOST) {
                return DOES_NOT_FIT;
            }
            long start = 0;
            for (int below = 0; below < selector; below++) {
                start += share(size, below);
            }
            low += start;
            size = Math.min(share(size, (int) selector), size - start);
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
            long left = size;
            long share = share(size, 0);
            int selector = 0;
            while (rest >= share) {
                rest -= share;
                left -= share;
                selector++;
                share = Math.min(share(size, selector), left);
            }
            tags[from + slot] = selector;
            size = share;
        }
    }

    @Override
    long tagAt(long code, int slot) {
        long rest = code;
        long size = 1L << bits;
        for (int passed = 0; rest != 0; passed++) {
            long left = size;
            long share = share(size, 0);
            int selector = 0;
            while (rest >= share) {
                rest -= share;
                left -= share;
                selector++;
                share = Math.min(share(size, selector), left);
            }
            if (passed == slot) {
                return selector;
            }
            size = share;
        }
        return 0;
    }
}
