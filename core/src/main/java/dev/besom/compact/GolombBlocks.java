package dev.besom.compact;

import dev.besom.bits.BitStrings;
import dev.besom.bits.Words;
import java.util.function.LongConsumer;

/**
 * Sorted numbers in blocks of Golomb-Rice codes. A block holds the numbers that lie in one range of {@code 2^blockBits}, by
 * their gaps; the first one's gap is from the start of the range.
 *
 * <pre>
 *   gap = | quotient | remainder of k bits |
 *
 *   block   | remainder 0 | remainder 1 | ... --&gt;        &lt;-- ... 1 0 0 1 1 0 1 0 0 0 |
 *           ^ start                                         quotients: that many 0, then 1   ^ start of the next block
 * </pre>
 *
 * Remainders go up from a block's start, and quotients, in unary, go down from its end. Where they meet the block is over,
 * so it need not say how many numbers it has.
 *
 * <p><b>Search.</b> After {@code m} bits of quotients the numbers have come by less than {@code m * 2^k}: a bit 0 is worth
 * {@code 2^k}, a bit 1 a remainder, which is less. So while the number that is searched is {@code m * 2^k} away, {@code m}
 * bits can be passed over at once: count their ones, and add up that many remainders, several in a word. On average bits are worth
 * three quarters of that, so the first time a few more are passed over, nearly as many as the whole way takes; about once in a hundred times
 * that is too far, and is done again with care. The second time what is left is a code or two, and a few are compared at once.
 * There is hardly a branch that the processor cannot foresee.
 *
 * <p>The codes are those of Golomb and Rice bit for bit, only in another order than in a stream ({@link RiceStream}).
 */
final class GolombBlocks {

    /** So few bits of quotients are not worth to be passed over at once. */
    private static final int FEW = 8;

    /** The part of the average way that is passed over at first, and how many bits less. */
    private static final double BOLD = 0.95;

    private static final int BOLD_MARGIN = 4;
    private static final int BOLD_SHIFT = 8;

    /** Codes that are compared at once where their remainders fit into a word. */
    private static final int COMPARED = 4;

    /** The most that their quotients come to together, where they matter. */
    private static final int MOST_COMPARED_QUOTIENT = 16;

    /** Cuts a quotient off that is larger, so that sums do not overflow. */
    private static final long BEYOND = 1L << (Long.SIZE - 2 - MOST_COMPARED_QUOTIENT);

    private final long[] words;
    private final int remainderBits;

    /** Remainders that are added up at once; 1 where they are too wide for that. */
    private final int lanes;

    private final long laneMask;
    private final long laneOnes;
    private final int sumShift;
    private final long sumMask;
    private final long remainderMask;
    private final long boldness;

    /**
     * @param words the blocks, and one word more
     * @param unaryBits bits of quotients that there are on average where numbers come by {@code 2^remainderBits}
     */
    GolombBlocks(long[] words, int remainderBits, double unaryBits) {
        this.words = words;
        this.remainderBits = remainderBits;
        this.remainderMask = (1L << remainderBits) - 1;
        this.boldness = (long) Math.min(Integer.MAX_VALUE, BOLD * unaryBits * (1 << BOLD_SHIFT));
        int pairs = 32 / remainderBits;
        // The sum of all lanes must fit into a pair of them.
        this.lanes = Math.max(1, (int) Math.min(2L * pairs, 1L << remainderBits));
        long mask = 0;
        long ones = 0;
        for (int pair = 0; 2 * pair < lanes; pair++) {
            int shift = 2 * pair * remainderBits;
            mask |= ((1L << remainderBits) - 1) << shift;
            ones |= 1L << shift;
        }
        this.laneMask = mask;
        this.laneOnes = ones;
        this.sumShift = Math.max(0, lanes / 2 - 1) * 2 * remainderBits;
        this.sumMask = remainderBits >= 32 ? -1L : (1L << (2 * remainderBits)) - 1;
    }

    long[] words() {
        return words;
    }

    /**
     * Whether a block holds a number.
     *
     * @param start of the block
     * @param end the start of the next one
     * @param number as seen from the start of the block's range
     */
    boolean contains(long start, long end, long number) {
        long low = start;
        long high = end;
        long way = number;
        long units = way >>> remainderBits;
        if (units >= FEW) {
            long skipped = Math.min(Math.max(units, ((units * boldness) >>> BOLD_SHIFT) - BOLD_MARGIN), high - low);
            int ones = onesBelow(high, skipped);
            high -= skipped;
            long passed = (long) ones * remainderBits;
            if (passed >= high - low) {
                // The block ends before.
                return isFoundWithCare(start, end, number);
            }
            way -= ((skipped - ones) << remainderBits) + sum(low, ones);
            if (way <= 0) {
                // Too far.
                return isFoundWithCare(start, end, number);
            }
            low += passed;
            int few = (int) Math.min(Math.min(way >>> remainderBits, Long.SIZE - 1), high - low);
            ones = Long.bitCount(BitStrings.get(words, high - Long.SIZE) >>> 1 >>> (Long.SIZE - 1 - few));
            high -= few;
            passed = (long) ones * remainderBits;
            if (passed >= high - low) {
                return false;
            }
            way -= ((long) (few - ones) << remainderBits) + sum(low, ones);
            low += passed;
        }
        boolean isComparable =
                (way >>> remainderBits) <= MOST_COMPARED_QUOTIENT && remainderBits <= Long.SIZE / COMPARED;
        return isComparable ? isFoundByComparing(low, high, way) : isFoundWithCare(low, high, way);
    }

    /**
     * Whether a number is among the next codes, a few of which are compared at once, without a branch.
     *
     * @param way at most {@code MOST_COMPARED_QUOTIENT * 2^remainderBits}, so that a code beyond it need not be whole
     */
    private boolean isFoundByComparing(long from, long to, long way) {
        long low = from;
        long left = to - from;
        long sum = 0;
        while (left > 0) {
            long unary = BitStrings.get(words, low + left - Long.SIZE);
            long remainders = BitStrings.get(words, low);
            long differences = -1;
            for (int i = 0; i < COMPARED; i++) {
                int quotient = Long.numberOfLeadingZeros(unary | BEYOND);
                unary = unary << 1 << quotient;
                sum += ((long) quotient << remainderBits) + (remainders & remainderMask);
                remainders >>>= remainderBits;
                left -= quotient + 1 + remainderBits;
                // Not 0 if this is another number, or if there is no such code in the block.
                long difference = (sum ^ way) | (left >> 63);
                differences &= difference | -difference;
            }
            if (differences >= 0) {
                return true;
            }
            if (sum >= way) {
                return false;
            }
            low += (long) COMPARED * remainderBits;
        }
        return false;
    }

    /** {@link #contains} with no step that may be too far, from any code on. */
    private boolean isFoundWithCare(long start, long end, long number) {
        long low = start;
        long high = end;
        long way = number;
        for (long skipped = way >>> remainderBits; skipped >= FEW; skipped = way >>> remainderBits) {
            skipped = Math.min(skipped, high - low);
            int ones = onesBelow(high, skipped);
            high -= skipped;
            long passed = (long) ones * remainderBits;
            if (passed >= high - low) {
                // The block ends here; or remainders were taken for quotients, and it ends before.
                return false;
            }
            way -= ((skipped - ones) << remainderBits) + sum(low, ones);
            low += passed;
        }
        while (low < high) {
            int quotient = Long.numberOfLeadingZeros(BitStrings.get(words, high - Long.SIZE));
            long rest = way - ((long) quotient << remainderBits);
            long remainder = BitStrings.get(words, low, remainderBits);
            if (rest <= remainder) {
                return rest == remainder;
            }
            way = rest - remainder;
            low += remainderBits;
            high -= quotient + 1;
        }
        return false;
    }

    private boolean isOne(long bit) {
        return (words[(int) (bit >> 6) + Words.LEAD] >>> bit & 1) != 0;
    }

    /** How many of the bits before a place are 1. */
    private int onesBelow(long end, long count) {
        int ones = 0;
        long left = count;
        long at = end;
        while (left >= Long.SIZE) {
            at -= Long.SIZE;
            left -= Long.SIZE;
            ones += Long.bitCount(BitStrings.get(words, at));
        }
        return left == 0 ? ones : ones + Long.bitCount(BitStrings.get(words, at - left) << (Long.SIZE - left));
    }

    /** The sum of so many remainders. */
    private long sum(long from, int count) {
        long sum = 0;
        long at = from;
        int left = count;
        int step = lanes * remainderBits;
        while (left >= lanes) {
            sum += sumOfLanes(BitStrings.get(words, at));
            at += step;
            left -= lanes;
        }
        return sum + sumOfLanes(BitStrings.get(words, at) & ((1L << (left * remainderBits)) - 1));
    }

    private long sumOfLanes(long word) {
        if (lanes == 1) {
            return word & laneMask;
        }
        long pairs = (word & laneMask) + ((word >>> remainderBits) & laneMask);
        return ((pairs * laneOnes) >>> sumShift) & sumMask;
    }

    /**
     * Gives every number of a block, as seen from the start of its range.
     *
     * @return whether remainders and quotients met, as they do in a block that was written
     */
    boolean forEach(long start, long end, LongConsumer action) {
        long low = start;
        long high = end;
        long number = 0;
        while (low < high) {
            long quotient = 0;
            while (high > low && !isOne(high - 1)) {
                quotient++;
                high--;
            }
            if (high - 1 < low + remainderBits) {
                return false;
            }
            number += (quotient << remainderBits) + BitStrings.get(words, low, remainderBits);
            action.accept(number);
            low += remainderBits;
            high--;
        }
        return low == high;
    }

    /** The bits that the numbers of a block take. */
    static long bitsOf(long[] numbers, int from, int to, int remainderBits) {
        long bits = 0;
        long before = 0;
        for (int i = from; i < to; i++) {
            bits += ((numbers[i] - before) >>> remainderBits) + 1 + remainderBits;
            before = numbers[i];
        }
        return bits;
    }

    /**
     * Writes a block where all bits are 0.
     *
     * @param numbers as seen from the start of the block's range, from {@code from} to {@code to} in ascending order
     * @param end as far from {@code start} as {@link #bitsOf} says
     */
    void write(long start, long end, long[] numbers, int from, int to) {
        long low = start;
        long high = end;
        long before = 0;
        long mask = (1L << remainderBits) - 1;
        for (int i = from; i < to; i++) {
            long gap = numbers[i] - before;
            before = numbers[i];
            BitStrings.put(words, low, gap & mask, remainderBits);
            low += remainderBits;
            high -= (gap >>> remainderBits) + 1;
            BitStrings.put(words, high, 1, 1);
        }
    }
}
