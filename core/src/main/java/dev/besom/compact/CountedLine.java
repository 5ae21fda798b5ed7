package dev.besom.compact;

/**
 * Queries of {@link CountedBlock}s of one cache line whose index and counter share a word, the usual ones, with constants for
 * fields and no loop over words.
 *
 * <pre>
 *   word    0                      1             2 ... 7
 *           | 56 chains | slots |  | last bits | | fingerprints |      with up to 64 slots
 * </pre>
 *
 * Whether the chain is empty, and whether any fingerprint of the block is alike, are both found out before the first branch:
 * four of five misses at 1 % end there.
 */
final class CountedLine {

    static final int WORDS = 8;
    static final int BLOCK_BITS = WORDS * Long.SIZE;

    /** All bits of the first word but those of the counter. */
    static final int CHAINS = 56;

    /** With as many slots or fewer, fields have a bit for each word of fingerprints. */
    private static final int MOST_SLOTS = 60;

    private static final int FIRST = 2;

    private static final CountedBlock LAYOUT = new CountedBlock(BLOCK_BITS, CHAINS);

    /** All numbers that a counter can show have a row here. */
    private static final int ROWS = 1 << (Long.SIZE - CHAINS);

    /** For each number of slots: the bits of a fingerprint that count. */
    private static final long[] MASK = new long[ROWS];

    /** For each number of slots: the lowest bit of each field of a word. */
    private static final long[] LOWEST = new long[ROWS];

    /** For each number of slots: 2^16 divided by the width, rounded up: exact enough to divide the number of any bit of a word. */
    private static final int[] RECIPROCAL = new int[ROWS];

    static {
        for (int slots = 0; slots < ROWS; slots++) {
            int width = LAYOUT.width(Math.min(slots, LAYOUT.mostSlots()));
            MASK[slots] = ChainBlock.lowest(width);
            LOWEST[slots] = CountedBlock.lowestBits(width);
            RECIPROCAL[slots] = ((1 << 16) + width - 1) / width;
        }
    }

    private CountedLine() {}

    /** Whether blocks of that layout can be queried here. */
    static boolean isLine(BlockLayout layout) {
        return layout instanceof CountedBlock && layout.blockBits() == BLOCK_BITS && layout.chains() == CHAINS;
    }

    /**
     * Whether a chain has a slot with that fingerprint, as far as the slot knows.
     *
     * @param first the index of the block's first word
     */
    static boolean mightContain(long[] words, int first, int chain, int fingerprint) {
        long head = words[first];
        int slots = (int) (head >>> CHAINS);
        long lowest = LOWEST[slots];
        long mask = MASK[slots];
        long wanted = (fingerprint & mask) * lowest;
        // All bits of fields but the highest. With many slots, last bits are taken for fingerprints too, to no harm.
        long rest = lowest * (mask >>> 1);
        long a = differs(words[first + FIRST] ^ wanted, rest);
        long b = differs(words[first + FIRST + 1] ^ wanted, rest);
        long c = differs(words[first + FIRST + 2] ^ wanted, rest);
        long d = differs(words[first + FIRST + 3] ^ wanted, rest);
        long e = differs(words[first + FIRST + 4] ^ wanted, rest);
        long f = differs(words[first + FIRST + 5] ^ wanted, rest);
        long highest = rest + lowest;
        if ((~(a & b & c & d & e & f) & highest & -(head >>> chain & 1)) == 0) {
            return false;
        }
        if (slots > MOST_SLOTS) {
            return LAYOUT.mightContain(words, (long) first << 6, chain, fingerprint);
        }
        // The highest bit of a field that is alike, moved down by the number of its word: fields are at least as long.
        long alike = (~a & highest)
                | (~b & highest) >>> 1
                | (~c & highest) >>> 2
                | (~d & highest) >>> 3
                | (~e & highest) >>> 4
                | (~f & highest) >>> 5;
        return isAmong(alike, words[first + 1], slots, Long.bitCount(head & ChainBlock.lowest(chain)));
    }

    /** The highest bits of fields that are not 0, beside other bits. */
    private static long differs(long word, long rest) {
        return ((word & rest) + rest) | word;
    }

    /** Whether one of the slots that are alike belongs to the chain with so many before it. */
    private static boolean isAmong(long alike, long last, int slots, int rank) {
        int reciprocal = RECIPROCAL[slots];
        int width = Long.bitCount(MASK[slots]);
        int fieldsAWord = (Long.SIZE * reciprocal) >>> 16;
        long left = alike;
        do {
            int bit = Long.numberOfTrailingZeros(left);
            int field = (bit * reciprocal) >>> 16;
            int slot = (field * width + width - 1 - bit) * fieldsAWord + field;
            if (Long.bitCount(last & ~(-1L << slot)) == rank) {
                return true;
            }
            left &= left - 1;
        } while (left != 0);
        return false;
    }
}
