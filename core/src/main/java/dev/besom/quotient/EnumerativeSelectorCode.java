package dev.besom.quotient;

import java.util.Arrays;

/**
 * A code that numbers all ways to spread increments over 64 slots: first by their total, so that any selectors with a
 * total of at most 16 fit, and nearly half of those with 17, wherever in the block and however high they are. It finds
 * one slot's selector by descending to it, and is done as soon as nothing is left below.
 *
 * <pre>
 *   code:      |0| total 1 | total 2 |      ...      | total 16      | part of total 17 |
 *               ^                                                                       2^56
 *
 *   total 5:         slots 0..63 hold 5, number i of the ways to spread 5 over 64
 *                    /                           \
 *        slots 0..31 hold 3              slots 32..63 hold 2       i = cumulative(3 on the left)
 *           /            \                  /          \               + left's number * ways(2 over 32)
 *      0..15: 0       16..31: 3        32..47: 2    48..63: 0          + right's number
 *      done           /     \
 *                    ...    ...        four slots: a table holds them side by side
 * </pre>
 *
 * If every increment is followed by another on the same slot with one probability, the same for all slots (so it is: a
 * changed remainder meets again the queries that share its quotient), then all ways with one total are equally likely,
 * whatever that probability is. So within a total no code is shorter, and there is nothing to tune.
 *
 * <p>Cost: a descent has at most 4 steps, each a guess from a table, a comparison and a multiplication with the
 * reciprocal of a table's number in place of a division: some 25 ns at a total of 16, less at smaller ones.
 *
 * <p>T. M. Cover: Enumerative source encoding. IEEE Transactions on Information Theory 19(1), 1973. The place of the code
 * is that of the arithmetic codes of D. J. Lee, S. McCauley, S. Singh, M. Stein: Telescoping Filter: A Practical
 * Adaptive Filter. ESA 2021.
 */
final class EnumerativeSelectorCode implements SelectorCode {

    static final EnumerativeSelectorCode INSTANCE = new EnumerativeSelectorCode();

    /** The greatest total of which some ways fit; the numbers of those with 18 all lie beyond 2^56. */
    static final int MOST_TOTAL = 17;

    /** Any selectors with this total fit. */
    static final int SURE_TOTAL = 16;

    /** Halvings from 64 slots to groups of 4. */
    private static final int LEVELS = 4;

    private static final int QUAD = 4;

    /** {@code FIRST[t]}: the first code of total t. */
    private static final long[] FIRST = new long[MOST_TOTAL + 2];

    /** The total of the first code of that many significant bits. */
    private static final byte[] TOTAL_GUESS = new byte[BITS + 1];

    /** Tables by level and total: {@code level << TOTAL_BITS | total}, 32 totals with room to spare. */
    private static final int TOTAL_BITS = 5;

    /** {@code CUMULATIVE[node << 5 | left]}: the ways of a node with fewer increments on its left. */
    private static final long[] CUMULATIVE = new long[LEVELS << TOTAL_BITS << TOTAL_BITS];

    /** Ways to spread a total over one half of a node. */
    private static final long[] HALF_WAYS = new long[LEVELS << TOTAL_BITS];

    /** {@code floor((2^63 - 1) / HALF_WAYS)}. */
    private static final long[] HALF_RECIPROCAL = new long[LEVELS << TOTAL_BITS];

    /** A number within a node, shifted right by this, is its bucket, from 0 to 63. */
    private static final byte[] BUCKET_SHIFT = new byte[LEVELS << TOTAL_BITS];

    /** {@code LEFT_GUESS[node << 6 | bucket]}: how many increments the bucket's first number has on the left. */
    private static final byte[] LEFT_GUESS = new byte[LEVELS << TOTAL_BITS << 6];

    /** {@code QUAD_FIRST[t]}: where the quads of total t start in {@link #QUADS}. */
    private static final int[] QUAD_FIRST = new int[MOST_TOTAL + 1];

    /** The selectors of four slots, a byte each, the first one lowest. */
    private static final int[] QUADS;

    static {
        for (int total = 1; total < FIRST.length; total++) {
            FIRST[total] = Binomials.choose(SLOTS + total - 1, total - 1);
        }
        for (int bits = 1; bits <= BITS; bits++) {
            int total = 0;
            while (FIRST[total + 1] <= 1L << (bits - 1)) {
                total++;
            }
            TOTAL_GUESS[bits] = (byte) total;
        }
        for (int level = 0; level < LEVELS; level++) {
            int half = SLOTS >> level >> 1;
            for (int total = 0; total <= MOST_TOTAL; total++) {
                fillNode(level << TOTAL_BITS | total, half, total);
            }
        }
        QUADS = quads();
    }

    private EnumerativeSelectorCode() {}

    private static long ways(int slots, int total) {
        return Binomials.choose(slots - 1 + total, total);
    }

    private static void fillNode(int node, int half, int total) {
        HALF_WAYS[node] = ways(half, total);
        HALF_RECIPROCAL[node] = Long.MAX_VALUE / HALF_WAYS[node];
        for (int left = 0; left <= total; left++) {
            int at = node << TOTAL_BITS | left;
            CUMULATIVE[at + 1] = CUMULATIVE[at] + ways(half, left) * ways(half, total - left);
        }
        long all = CUMULATIVE[(node << TOTAL_BITS | total) + 1];
        int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(all - 1) - 6);
        BUCKET_SHIFT[node] = (byte) shift;
        int left = 0;
        for (int bucket = 0; bucket < 1 << 6; bucket++) {
            while (left < total && CUMULATIVE[(node << TOTAL_BITS | left) + 1] <= (long) bucket << shift) {
                left++;
            }
            LEFT_GUESS[node << 6 | bucket] = (byte) left;
        }
    }

    /** The number of four selectors among those with the same total: three sums of which none exceeds the next. */
    static int quadNumber(int first, int second, int third) {
        int two = first + second;
        int three = two + third;
        return three * (three + 1) * (three + 2) / 6 + two * (two + 1) / 2 + first;
    }

    private static int[] quads() {
        for (int total = 1; total <= MOST_TOTAL; total++) {
            QUAD_FIRST[total] = (int) Binomials.choose(QUAD - 1 + total, QUAD);
        }
        int[] quads = new int[(int) Binomials.choose(QUAD + MOST_TOTAL, QUAD)];
        for (int total = 0; total <= MOST_TOTAL; total++) {
            for (int a = 0; a <= total; a++) {
                for (int b = 0; a + b <= total; b++) {
                    for (int c = 0; a + b + c <= total; c++) {
                        quads[QUAD_FIRST[total] + quadNumber(a, b, c)] =
                                a | b << 8 | c << 16 | (total - a - b - c) << 24;
                    }
                }
            }
        }
        return quads;
    }

    /** {@code floor(number / HALF_WAYS[node])} for numbers below 2^56: the reciprocal's estimate is at most 1 short. */
    private static long divideByHalfWays(long number, int node) {
        long estimate = Math.multiplyHigh(number << 1, HALF_RECIPROCAL[node]);
        return number - estimate * HALF_WAYS[node] >= HALF_WAYS[node] ? estimate + 1 : estimate;
    }

    private static int total(long code) {
        // From one total to the next the first code grows by more than a factor of 2.
        int total = TOTAL_GUESS[Long.SIZE - Long.numberOfLeadingZeros(code)];
        return code >= FIRST[total + 1] ? total + 1 : total;
    }

    @Override
    public int selectorAt(long code, int slot) {
        if (code == 0) {
            return 0;
        }
        int total = total(code);
        long number = code - FIRST[total];
        for (int level = 0; level < LEVELS; level++) {
            int node = level << TOTAL_BITS | total;
            int left = LEFT_GUESS[node << 6 | (int) (number >>> BUCKET_SHIFT[node])];
            int at = node << TOTAL_BITS | left;
            while (number >= CUMULATIVE[at + 1]) {
                at++;
            }
            left = at & ((1 << TOTAL_BITS) - 1);
            int right = total - left;
            boolean goRight = (slot & (SLOTS >> 1 >> level)) != 0;
            total = goRight ? right : left;
            if (total == 0) {
                return 0;
            }
            long rest = number - CUMULATIVE[at];
            int rightNode = level << TOTAL_BITS | right;
            long leftNumber = divideByHalfWays(rest, rightNode);
            number = goRight ? rest - leftNumber * HALF_WAYS[rightNode] : leftNumber;
        }
        return QUADS[QUAD_FIRST[total] + (int) number] >>> ((slot & (QUAD - 1)) << 3) & 0xFF;
    }

    @Override
    public void decode(long code, byte[] selectors) {
        Arrays.fill(selectors, 0, SLOTS, (byte) 0);
        if (code != 0) {
            int total = total(code);
            decodeNode(code - FIRST[total], total, 0, 0, selectors);
        }
    }

    private static void decodeNode(long number, int total, int level, int from, byte[] selectors) {
        if (level == LEVELS) {
            int quad = QUADS[QUAD_FIRST[total] + (int) number];
            for (int slot = from; slot < from + QUAD; slot++) {
                selectors[slot] = (byte) quad;
                quad >>>= 8;
            }
            return;
        }
        int node = level << TOTAL_BITS | total;
        int at = node << TOTAL_BITS | LEFT_GUESS[node << 6 | (int) (number >>> BUCKET_SHIFT[node])];
        while (number >= CUMULATIVE[at + 1]) {
            at++;
        }
        int left = at & ((1 << TOTAL_BITS) - 1);
        int right = total - left;
        long rest = number - CUMULATIVE[at];
        int rightNode = level << TOTAL_BITS | right;
        long leftNumber = divideByHalfWays(rest, rightNode);
        if (left != 0) {
            decodeNode(leftNumber, left, level + 1, from, selectors);
        }
        if (right != 0) {
            long rightNumber = rest - leftNumber * HALF_WAYS[rightNode];
            decodeNode(rightNumber, right, level + 1, from + (SLOTS >> level >> 1), selectors);
        }
    }

    @Override
    public long encode(byte[] selectors) {
        int groups = SLOTS / QUAD;
        long[] numbers = new long[groups];
        int[] totals = new int[groups];
        int all = 0;
        for (int group = 0; group < groups; group++) {
            int a = selectors[group * QUAD];
            int b = selectors[group * QUAD + 1];
            int c = selectors[group * QUAD + 2];
            totals[group] = a + b + c + selectors[group * QUAD + 3];
            all += totals[group];
            if (all > MOST_TOTAL) {
                return DOES_NOT_FIT;
            }
            numbers[group] = quadNumber(a, b, c);
        }
        for (int level = LEVELS - 1; level >= 0; level--) {
            for (int node = 0; node < 1 << level; node++) {
                int left = totals[2 * node];
                int right = totals[2 * node + 1];
                int nodeAndTotal = level << TOTAL_BITS | left + right;
                numbers[node] = CUMULATIVE[nodeAndTotal << TOTAL_BITS | left]
                        + numbers[2 * node] * HALF_WAYS[level << TOTAL_BITS | right]
                        + numbers[2 * node + 1];
                totals[node] = left + right;
            }
        }
        long code = FIRST[all] + numbers[0];
        return code >>> BITS == 0 ? code : DOES_NOT_FIT;
    }

    @Override
    public int greatestSelector(long code) {
        return code == 0 ? 0 : total(code);
    }
}
