package dev.besom.quotient.tags;

import java.util.Arrays;

/**
 * A code that numbers all ways to spread increments over slots: first by their total, so that in 62 bits any selectors
 * with a total of at most 19 fit a block, and some of those with 20, wherever in the block and however high they are. It
 * finds one slot's selector by descending to it, and is done as soon as nothing is left below.
 *
 * <pre>
 *   code:      |0| total 1 | total 2 |      ...      | total 19      | part of total 20 |
 *               ^                                                                       2^62
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
 * reciprocal of a table's number in place of a division. It ends early where the slot's part of the block holds
 * nothing.
 *
 * <p>T. M. Cover: Enumerative source encoding. IEEE Transactions on Information Theory 19(1), 1973. The place of the code
 * is that of the arithmetic codes of D. J. Lee, S. McCauley, S. Singh, M. Stein: Telescoping Filter: A Practical
 * Adaptive Filter. ESA 2021.
 */
final class EnumerativeSelectorCode extends BlockCode {

    /** No code has a greater total: 20 over 64 slots and 29 over 32 are the most of which any ways fit 62 and 57 bits. */
    static final int MOST_TOTAL = 29;

    /** Halvings from 64 slots to groups of 4. */
    private static final int LEVELS = 4;

    private static final int QUAD = 4;

    /** {@code first[t]}: the first code of total t. */
    private final long[] first = new long[MOST_TOTAL + 2];

    /** The total of the first code of that many significant bits. */
    private final byte[] totalGuess = new byte[MOST_BITS + 1];

    /** 0 for 64 slots, 1 for 32. */
    private final int firstLevel;

    /** The greatest total of which all ways fit. */
    final int sureTotal;

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
        for (int level = 0; level < LEVELS; level++) {
            int half = SLOTS >> level >> 1;
            // Over 64 slots there are more than 2^63 ways for a total of 21.
            for (int total = 0; total <= (level == 0 ? 20 : MOST_TOTAL); total++) {
                fillNode(level << TOTAL_BITS | total, half, total);
            }
        }
        QUADS = quads();
    }

    EnumerativeSelectorCode(int slots, int bits) {
        super(slots, bits);
        this.firstLevel = slots == SLOTS ? 0 : 1;
        int sure = 0;
        for (int total = 1; total < first.length; total++) {
            first[total] = Binomials.choose(slots + total - 1, total - 1);
            if (first[total] <= 1L << bits) {
                sure = total - 1;
            }
        }
        this.sureTotal = sure;
        if (first[MOST_TOTAL + 1] < 1L << bits) {
            throw new IllegalArgumentException(bits + " bits for " + slots + " slots are more than the tables hold");
        }
        for (int width = 1; width <= bits; width++) {
            int total = 0;
            while (first[total + 1] <= 1L << (width - 1)) {
                total++;
            }
            totalGuess[width] = (byte) total;
        }
    }

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

    /** {@code floor(number / HALF_WAYS[node])} for numbers below 2^62: the reciprocal's estimate is at most 1 short. */
    private static long divideByHalfWays(long number, int node) {
        long estimate = Math.multiplyHigh(number << 1, HALF_RECIPROCAL[node]);
        return number - estimate * HALF_WAYS[node] >= HALF_WAYS[node] ? estimate + 1 : estimate;
    }

    private int total(long code) {
        // From one total to the next the first code grows by more than a factor of 2.
        int total = totalGuess[Long.SIZE - Long.numberOfLeadingZeros(code)];
        return code >= first[total + 1] ? total + 1 : total;
    }

    @Override
    long tagAt(long code, int slot) {
        if (code == 0) {
            return 0;
        }
        int total = total(code);
        long number = code - first[total];
        for (int level = firstLevel; level < LEVELS; level++) {
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
        return (long) QUADS[QUAD_FIRST[total] + (int) number] >>> ((slot & (QUAD - 1)) << 3) & 0xFF;
    }

    @Override
    void decode(long code, long[] tags, int from) {
        Arrays.fill(tags, from, from + slots, 0);
        if (code != 0) {
            int total = total(code);
            decodeNode(code - first[total], total, firstLevel, from, tags);
        }
    }

    private static void decodeNode(long number, int total, int level, int from, long[] tags) {
        if (level == LEVELS) {
            int quad = QUADS[QUAD_FIRST[total] + (int) number];
            for (int slot = from; slot < from + QUAD; slot++) {
                tags[slot] = quad & 0xFF;
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
            decodeNode(leftNumber, left, level + 1, from, tags);
        }
        if (right != 0) {
            long rightNumber = rest - leftNumber * HALF_WAYS[rightNode];
            decodeNode(rightNumber, right, level + 1, from + (SLOTS >> level >> 1), tags);
        }
    }

    @Override
    long encode(long[] tags, int from) {
        int groups = slots / QUAD;
        long[] numbers = new long[groups];
        int[] totals = new int[groups];
        int all = 0;
        for (int group = 0; group < groups; group++) {
            int at = from + group * QUAD;
            long total = tags[at] + tags[at + 1] + tags[at + 2] + tags[at + 3];
            if (total > sureTotal + 1 - all) {
                return DOES_NOT_FIT;
            }
            all += (int) total;
            totals[group] = (int) total;
            numbers[group] = quadNumber((int) tags[at], (int) tags[at + 1], (int) tags[at + 2]);
        }
        for (int level = LEVELS - 1; level >= firstLevel; level--) {
            for (int node = 0; node < 1 << (level - firstLevel); node++) {
                int left = totals[2 * node];
                int right = totals[2 * node + 1];
                int nodeAndTotal = level << TOTAL_BITS | left + right;
                numbers[node] = CUMULATIVE[nodeAndTotal << TOTAL_BITS | left]
                        + numbers[2 * node] * HALF_WAYS[level << TOTAL_BITS | right]
                        + numbers[2 * node + 1];
                totals[node] = left + right;
            }
        }
        long code = first[all] + numbers[0];
        return code >>> bits == 0 ? code : DOES_NOT_FIT;
    }
}
