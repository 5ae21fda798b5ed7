package dev.besom.compact;

import dev.besom.bits.Select;

/**
 * Queries of blocks of 64 chains in one cache line, the usual ones: what {@link ChainBlock} answers, with constants
 * for its fields and with no branch that is hard to predict.
 *
 * <pre>
 *   word    0        1                        2 ...                                             7
 *           | index  | last bits, cores, planes                                     | free | touched |
 * </pre>
 *
 * Whether the chain is empty, and whether a core of it is alike, are found out both before the first branch: two of
 * five misses meet an empty chain, which no processor predicts, and one of twenty a core that is alike. Of a slot
 * whose core is alike four planes are read at a time, as many as are usual at the planned load for 1 %.
 *
 * <p>Chains that go beyond the first word of last bits, and blocks with so many slots that cores are shorter, are left to
 * {@link ChainBlock}.
 */
final class LineBlock {

    static final int WORDS = 8;
    static final int BLOCK_BITS = WORDS * Long.SIZE;
    static final int CHAINS = Long.SIZE;

    /** The top bits of a word that are a chain start with this one. */
    static final int CHAIN_SHIFT = 58;

    /** Usual blocks, for all that is not usual. */
    private static final ChainBlock LAYOUT = new ChainBlock(BLOCK_BITS, CHAINS);

    static final int ARRAY_BITS = BLOCK_BITS - CHAINS - 1;
    private static final int CORE = ChainBlock.WIDEST_CORE;
    private static final int CORES_A_WORD = Long.SIZE / CORE;

    /** With more slots than these, cores are shorter. */
    static final int MOST_SLOTS = (ARRAY_BITS - 1) / (1 + CORE);

    /** The planes that are read at a time. */
    private static final int GROUP = 4;

    private static final int GROUP_MASK = (1 << GROUP) - 1;

    private static final int[] PLANES = planesOfUntouched();

    private LineBlock() {}

    /** Whether blocks of that layout can be queried here. */
    static boolean isLine(BlockLayout layout) {
        return layout instanceof ChainBlock block
                && block.hasCutPlane()
                && block.blockBits == BLOCK_BITS
                && block.chains == CHAINS;
    }

    /**
     * Whether a chain has a slot with that fingerprint, as far as the slot knows.
     *
     * @param first the index of the block's first word
     */
    static boolean mightContain(long[] words, int first, int chain, int fingerprint) {
        long index = words[first];
        long last = words[first + 1];
        return mightContain(words, first, index, last, start(index, last, chain), chain, fingerprint);
    }

    /** The slot at which a chain starts, or would; 64 if it is not among the first 64. */
    static int start(long index, long last, int chain) {
        return Select.select(last << 1 | 1, Long.bitCount(index & ChainBlock.lowest(chain)));
    }

    /** The same where the block's first words were read already, and it is known at which slot the chain starts. */
    static boolean mightContain(long[] words, int first, long index, long last, int start, int chain, int fingerprint) {
        long flags = words[first + WORDS - 1];
        int count = Long.bitCount(index) + free(flags);
        int length = Long.numberOfTrailingZeros(last >>> start) + 1;
        int end = start + length;
        if (((Long.SIZE - end) | (CORES_A_WORD - length) | (lastBitsUpToMost(words, first, last) - count)) < 0) {
            return LAYOUT.mightContain(words, (long) first << 6, chain, fingerprint);
        }
        int cores = ARRAY_BITS - (int) (flags >>> 63);
        long alike = ChainBlock.alikeCores(ChainBlock.read(words, first + 1, cores - CORE * end), CORE, fingerprint)
                & -1L >>> -(CORE * length)
                & -(index >>> chain & 1);
        return alike != 0 && isAmong(words, first, last, count, flags, end, alike, fingerprint);
    }

    /** Whether one of the slots whose cores are alike matches. */
    private static boolean isAmong(
            long[] words, int first, long last, int count, long flags, int end, long alike, int fingerprint) {
        int slots = slots(words, first, last, count);
        if (slots > MOST_SLOTS) {
            // Only while the block changes, and then the query is repeated.
            return false;
        }
        long left = alike;
        do {
            int slot = end - 1 - (Long.numberOfTrailingZeros(left) >>> 2);
            if (flags < 0
                    ? LAYOUT.planesMatch(words, (long) first << 6, slots, ChainBlock.TOUCHED, slot, CORE, fingerprint)
                    : planesMatch(words, first + 1, slots, slot, fingerprint >>> CORE)) {
                return true;
            }
            left &= left - 1;
        } while (left != 0);
        return false;
    }

    /** How many bits are set where the last bits of as many slots would be as have cores of the widest. */
    private static int lastBitsUpToMost(long[] words, int first, long last) {
        return Long.bitCount(last) + Long.bitCount(words[first + 2] << (2 * Long.SIZE - MOST_SLOTS));
    }

    /** 1 if the block has free slots, 0 otherwise. */
    static int free(long flags) {
        return (int) ((flags >>> 63) & (flags >>> 62));
    }

    /**
     * The slots of a block, of so many chains that are not empty, from 1 on; more than {@link #MOST_SLOTS} where there are
     * more than fit here.
     */
    static int slots(long[] words, int first, long last, int count) {
        // At the planned load for 1 % a fifth of all blocks has more slots than a word has bits: no branch predictor
        // guesses that.
        int ones = Long.bitCount(last);
        int beyond = (ones - count) >> 31;
        long ends = last ^ ((last ^ words[first + 2]) & beyond);
        int rank = count - 1 - (ones & beyond);
        return Select.select(ends, Math.min(rank, Long.SIZE - 1)) + 1 + (Long.SIZE & beyond);
    }

    /** Whether a slot's bits beyond its core are those given, in an untouched block. */
    private static boolean planesMatch(long[] words, int array, int slots, int slot, int fingerprint) {
        int planes = PLANES[slots & PLANES.length - 1];
        int known = (planes >>> 16) + ((slot - (planes & 0xFFFF)) >>> 31);
        int place = slots + slot;
        int bits = fingerprint;
        while (true) {
            // Four planes at a time lie inside of the block, those that are not the slot's included.
            long differs = (bit(words, array, place)
                            | bit(words, array, place + slots) << 1
                            | bit(words, array, place + 2 * slots) << 2
                            | bit(words, array, place + 3 * slots) << 3)
                    ^ bits;
            if ((differs & GROUP_MASK & ~(-1L << Math.min(known, GROUP))) != 0) {
                return false;
            }
            known -= GROUP;
            if (known <= 0) {
                return true;
            }
            place += GROUP * slots;
            bits >>>= GROUP;
        }
    }

    private static long bit(long[] words, int array, int place) {
        return words[array + (place >>> 6)] >>> place & 1;
    }

    /** For each number of slots, of which there are at most {@link #MOST_SLOTS}: whole planes << 16 | bits of the cut one. */
    private static int[] planesOfUntouched() {
        int[] planes = new int[2 * Long.SIZE];
        for (int slots = 1; slots <= MOST_SLOTS; slots++) {
            int bits = LAYOUT.planesEnd(slots, 0) - slots;
            planes[slots] = (bits / slots) << 16 | (bits % slots);
        }
        return planes;
    }
}
