package dev.besom.compact;

import dev.besom.bits.Words;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Sorted numbers in blocks of Golomb-Rice codes. A block holds the numbers that lie in one range, by their gaps; the first one's
 * gap is from the start of the range.
 *
 * <pre>
 *   gap = | quotient | remainder of k bits |
 *
 *   block   | remainder 0 | remainder 1 | ... --&gt;  0 to 7 bits 0  &lt;-- ... 1 0 0 1 1 0 1 0 0 0 |
 *           ^ start, a byte                                  quotients: that many 0, then 1   ^ end, the next one's start
 * </pre>
 *
 * Remainders go up from a block's start, and quotients, in unary, go down from its end. Where they meet the block is over,
 * so it need not say how many numbers it has. The codes are those of Golomb and Rice bit for bit, only in another order than in a
 * stream ({@link RiceStream}).
 *
 * <p><b>Search.</b> After {@code m} bits of quotients with {@code c} ones among them, the numbers have come by {@code (m - c) * 2^k} and
 * by the sum of the first {@code c} remainders. So one step takes a search nearly to its end: {@code m} is what a line says
 * ({@link QuotientLine}), ones are counted and remainders added up, many in a word ({@link RemainderLanes}). What is left is a few
 * codes, {@value #COMPARED} of which are compared at once. About once in a hundred times the step is too far, and the search is done again
 * with care: after {@code m} bits numbers have come by less than {@code m * 2^k}, so while the number is as far as that, {@code m} bits
 * can be passed over.
 *
 * <p>The bits are in bytes, the lowest first: up to {@value #READ_BITS} bits are read at once wherever they begin, where words take two
 * reads and the joining of both.
 */
final class GolombBlocks {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Bits that a read has whatever bit of a byte they begin with. */
    private static final int READ_BITS = 57;

    /** Words of quotients that are counted without a branch. */
    private static final int COUNTED = 3;

    /** Bytes before the first block: so many words, and the one that the bits end in, are read before the end of any block. */
    static final int LEAD = (COUNTED + 1) * Long.BYTES;

    /** Bytes behind the last block: four words of narrow remainders are read, whether or not a block has so many. */
    private static final int TAIL = 5 * Long.BYTES;

    /** The bytes of all blocks: what an array has room for. */
    static final int MOST_BYTES = Integer.MAX_VALUE - 8 - LEAD - TAIL;

    /** So few bits of quotients are not worth to be passed over at once, with care. */
    private static final int FEW = 8;

    /** Codes that are compared at once: so many narrow remainders fit into a read. */
    private static final int COMPARED = 7;

    /** The quotients of a way that is compared at once: a longer one may have bits beyond a read. */
    private static final int MOST_COMPARED_QUOTIENT = READ_BITS - COMPARED - 1;

    /** Narrow remainders of a word, of four words, and the most that are added up. */
    private static final int WORD = RemainderLanes.NARROW;

    private static final int FOUR_WORDS = 4 * WORD;
    private static final int MOST_NARROW = 3 * FOUR_WORDS;

    /** The mask of no remainder in the fourth word is the first of {@link #masks}. */
    private static final int FIRST_MASK = -3 * WORD;

    private final byte[] bytes;
    private final int remainderBits;
    private final long remainderMask;
    private final QuotientLine line;
    private final RemainderLanes lanes;
    private final int laneCount;

    /** Whether eight remainders, which take whole bytes, are read at once. */
    private final boolean isNarrow;

    private final int laneBits;
    private final long lanesMask;

    /** The masks of a word for {@link #FIRST_MASK} remainders, which is none, to {@link #MOST_NARROW}, which is all. */
    private final long[] masks;

    /** Bits of quotients that are passed over at once with care. */
    private final int mostStep;

    /** Remainders that can be added up. */
    private final int mostSummed;

    private GolombBlocks(byte[] bytes, int remainderBits, QuotientLine line) {
        this.bytes = bytes;
        this.remainderBits = remainderBits;
        this.remainderMask = (1L << remainderBits) - 1;
        this.line = line;
        this.lanes = new RemainderLanes(remainderBits);
        this.laneCount = lanes.lanes();
        this.isNarrow = RemainderLanes.isNarrow(remainderBits);
        this.laneBits = laneCount * remainderBits;
        this.lanesMask = lanes.mask(laneCount);
        this.masks = new long[MOST_NARROW - FIRST_MASK + 1];
        Arrays.setAll(masks, i -> lanes.mask(i + FIRST_MASK));
        this.mostStep = Math.min(READ_BITS - 1, lanes.mostSummed());
        this.mostSummed = isNarrow ? Math.min(MOST_NARROW, lanes.mostSummed()) : lanes.mostSummed();
    }

    /**
     * Blocks without a code.
     *
     * @param byteCount at most {@link #MOST_BYTES}
     */
    static GolombBlocks allocate(int byteCount, int remainderBits, QuotientLine line) {
        return new GolombBlocks(new byte[LEAD + byteCount + TAIL], remainderBits, line);
    }

    /**
     * The blocks of {@link #toWords()}.
     *
     * @param byteCount at most {@link #MOST_BYTES}, and as many words as that takes
     */
    static GolombBlocks of(long[] words, int byteCount, int remainderBits, QuotientLine line) {
        GolombBlocks blocks = allocate(byteCount, remainderBits, line);
        blocks.longs().put(words, Words.LEAD, Words.count(words));
        return blocks;
    }

    /** The bytes of all blocks as words, the lowest first. */
    long[] toWords() {
        int count = (int) Words.forBits((long) byteCount() << 3);
        long[] words = Words.allocate(count);
        longs().get(words, Words.LEAD, count);
        return words;
    }

    private LongBuffer longs() {
        return ByteBuffer.wrap(bytes, LEAD, bytes.length - LEAD)
                .order(ByteOrder.LITTLE_ENDIAN)
                .asLongBuffer();
    }

    int byteCount() {
        return bytes.length - LEAD - TAIL;
    }

    private long at(int index) {
        return (long) LONGS.get(bytes, index);
    }

    /** The bits after so many of a block, the first one lowest. */
    private long bitsFrom(int start, int passed) {
        return at(start + (passed >>> 3)) >>> (passed & 7);
    }

    /** The bits before the last ones of a block, so many of them, the first one highest. */
    private long bitsBelow(int end, int skipped) {
        return at(end - Long.BYTES - (skipped >>> 3)) << (skipped & 7);
    }

    /**
     * Whether a block holds a number.
     *
     * @param start of the block, {@link #LEAD} for the first
     * @param end the start of the next one
     * @param number as seen from the start of the block's range
     */
    boolean contains(int start, int end, long number) {
        int size = (end - start) << 3;
        long units = number >>> remainderBits;
        long far = Math.max(units, line.bitsUpTo(units, size));
        if (far > size) {
            return isFoundWithCare(start, end, 0, 0, number);
        }
        int skipped = (int) far;
        int ones = onesBelow(end, skipped);
        int passed = ones * remainderBits;
        int left = size - skipped - passed;
        if (left < 0 || ones > mostSummed) {
            // The block ends before, or has too many numbers.
            return isFoundWithCare(start, end, 0, 0, number);
        }
        long sum = isNarrow ? sumOfNarrow(start, ones) : sum(start, 0, ones);
        long way = number - ((long) (skipped - ones) << remainderBits) - sum;
        if (way <= 0) {
            // Too far.
            return isFoundWithCare(start, end, 0, 0, number);
        }
        if (!isNarrow || way >>> remainderBits > MOST_COMPARED_QUOTIENT) {
            return isFoundWithCare(start, end, passed, skipped, way);
        }
        long unary = bitsBelow(end, skipped);
        long remainders = bitsFrom(start, passed);
        int rest = (int) way;
        int signs = 0;
        for (int i = 0; i < COMPARED; i++) {
            int quotient = Long.numberOfLeadingZeros(unary);
            unary = unary << 1 << quotient;
            rest -= (quotient << remainderBits) + ((int) remainders & (int) remainderMask);
            remainders >>>= remainderBits;
            signs |= negativeIfZero(rest);
        }
        if (signs >= 0 && rest < 0) {
            return false;
        }
        // Bits are read as codes behind the end of a block as well.
        boolean areInBlock = COMPARED * (1L + remainderBits) + (way >>> remainderBits) <= left;
        return (signs < 0 && areInBlock) || isFoundWithCare(start, end, passed, skipped, way);
    }

    /** A negative number for 0, and for no other number. */
    static int negativeIfZero(int value) {
        return (value - 1) & ~value;
    }

    /**
     * Whether a number is among the codes of a block from any one on, by steps of which none is too far.
     *
     * @param passed bits of remainders before them
     * @param skipped bits of quotients
     * @param way from there to the number
     */
    private boolean isFoundWithCare(int start, int end, int passed, int skipped, long way) {
        int low = passed;
        int high = skipped;
        int from = start;
        int to = end;
        long rest = way;
        long left = ((long) (end - start) << 3) - passed - skipped;
        for (long units = rest >>> remainderBits; units >= FEW; units = rest >>> remainderBits) {
            int step = (int) Math.min(Math.min(units, mostStep), left);
            int ones = Long.bitCount(bitsBelow(to, high) >>> 1 >>> ~step);
            left -= step + ones * remainderBits;
            if (left <= 0) {
                // The block ends here; or remainders were taken for quotients, and it ends before.
                return false;
            }
            rest -= ((long) (step - ones) << remainderBits) + sum(from, low, ones);
            low += ones * remainderBits;
            from += low >>> 3;
            low &= 7;
            high += step;
            to -= high >>> 3;
            high &= 7;
        }
        while (left > 0) {
            int quotient = Long.numberOfLeadingZeros(bitsBelow(to, high));
            left -= quotient + 1 + remainderBits;
            rest -= ((long) quotient << remainderBits) + (bitsFrom(from, low) & remainderMask);
            if (rest <= 0) {
                return rest == 0 && left >= 0;
            }
            low += remainderBits;
            from += low >>> 3;
            low &= 7;
            high += quotient + 1;
            to -= high >>> 3;
            high &= 7;
        }
        return false;
    }

    /** -1 if a number is below another, 0 otherwise, without a branch; both are from 0 to {@code 2^31 - 1}. */
    static int allOnesIfBelow(int number, int other) {
        return (number - other) >> (Integer.SIZE - 1);
    }

    /** How many of the last bits of a block are 1. */
    private int onesBelow(int end, int count) {
        int full = count >>> 6;
        int ones = Long.bitCount(at(end - Long.BYTES - (full << 3)) >>> 1 >>> ~count)
                + (Long.bitCount(at(end - Long.BYTES)) & allOnesIfBelow(0, full))
                + (Long.bitCount(at(end - 2 * Long.BYTES)) & allOnesIfBelow(1, full))
                + (Long.bitCount(at(end - 3 * Long.BYTES)) & allOnesIfBelow(2, full));
        for (int word = COUNTED; word < full; word++) {
            ones += Long.bitCount(at(end - Long.BYTES - (word << 3)));
        }
        return ones;
    }

    /**
     * The sum of the first narrow remainders of a block.
     *
     * @param count at most {@link #MOST_NARROW}
     */
    private long sumOfNarrow(int start, int count) {
        // Not a loop, for which a compiler makes preparations that take longer than these few turns.
        long pairs = pairsOfFour(start, count);
        if (count > FOUR_WORDS) {
            pairs += pairsOfFour(start + 4 * remainderBits, count - FOUR_WORDS);
            if (count > 2 * FOUR_WORDS) {
                pairs += pairsOfFour(start + 8 * remainderBits, count - 2 * FOUR_WORDS);
            }
        }
        return lanes.sum(pairs);
    }

    /** The sums of pairs of the next remainders, up to four words of them. */
    private long pairsOfFour(int start, int count) {
        return lanes.pairs(
                at(start) & masks[count - FIRST_MASK],
                at(start + remainderBits) & masks[count - WORD - FIRST_MASK],
                at(start + 2 * remainderBits) & masks[count - 2 * WORD - FIRST_MASK],
                at(start + 3 * remainderBits) & masks[count - 3 * WORD - FIRST_MASK]);
    }

    /**
     * The sum of so many remainders.
     *
     * @param passed bits of remainders before them
     */
    private long sum(int start, int passed, int count) {
        long pairs = 0;
        int bit = passed;
        int left = count;
        for (; left >= 2 * laneCount; left -= 2 * laneCount) {
            pairs += lanes.pairs(bitsFrom(start, bit) & lanesMask, bitsFrom(start, bit + laneBits) & lanesMask);
            bit += 2 * laneBits;
        }
        long word = bitsFrom(start, bit) & lanes.mask(left);
        return lanes.sum(pairs + lanes.pairs(word, bitsFrom(start, bit + laneBits) & lanes.mask(left - laneCount)));
    }

    /**
     * Gives every number of a block, as seen from the start of its range.
     *
     * @return whether remainders and quotients met, as they do in a block that was written
     */
    boolean forEach(int start, int end, LongConsumer action) {
        long low = (long) (LEAD + start) << 3;
        long high = (long) (LEAD + end) << 3;
        long number = 0;
        while (true) {
            long quotient = 0;
            while (high - quotient > low && !isOne(high - quotient - 1)) {
                quotient++;
            }
            if (high - quotient == low) {
                return quotient < Byte.SIZE;
            }
            high -= quotient + 1;
            if (high < low + remainderBits) {
                return false;
            }
            number += (quotient << remainderBits) + (bitsFrom((int) (low >>> 3), (int) low & 7) & remainderMask);
            action.accept(number);
            low += remainderBits;
        }
    }

    private boolean isOne(long bit) {
        return (bytes[(int) (bit >>> 3)] >>> (bit & 7) & 1) != 0;
    }

    /** The bytes that the numbers of a block take. */
    static long bytesOf(long[] numbers, int from, int to, int remainderBits) {
        long bits = 0;
        long before = 0;
        for (int i = from; i < to; i++) {
            bits += ((numbers[i] - before) >>> remainderBits) + 1 + remainderBits;
            before = numbers[i];
        }
        return (bits + Byte.SIZE - 1) >>> 3;
    }

    /**
     * Writes a block where all bits are 0.
     *
     * @param numbers as seen from the start of the block's range, from {@code from} to {@code to} in ascending order
     * @param end as far from {@code start} as {@link #bytesOf} says
     */
    void write(int start, int end, long[] numbers, int from, int to) {
        long low = (long) (LEAD + start) << 3;
        long high = (long) (LEAD + end) << 3;
        long before = 0;
        for (int i = from; i < to; i++) {
            long gap = numbers[i] - before;
            before = numbers[i];
            put(low, gap & remainderMask);
            low += remainderBits;
            high -= (gap >>> remainderBits) + 1;
            put(high, 1);
        }
    }

    /** Writes a number where all bits are 0. */
    private void put(long bit, long value) {
        int index = (int) (bit >>> 3);
        LONGS.set(bytes, index, at(index) | value << (bit & 7));
    }
}
