package dev.besom.compact;

/**
 * Puts a slot into a block as {@link LineBlock} has them: what {@link ArrayGrowth} does, with constants for its fields and
 * with no loops, of which the compiler makes more than a few words are worth.
 */
final class LineGrowth {

    private static final int CORE = ChainBlock.WIDEST_CORE;
    private static final long CORE_MASK = (1 << CORE) - 1;

    private LineGrowth() {}

    /**
     * Makes a block of eight words, and up to two behind them, that of the words with one more slot.
     *
     * @param start the slot at which the chain starts, or would
     * @param slots of the block, less than {@link ArrayGrowth#LONG_ROW}, none of them free
     * @param touched 1 or 0
     */
    static void grow(
            long[] words, int first, long[] block, int chain, int start, int slots, int touched, int fingerprint) {
        int arrayEnd = LineBlock.ARRAY_BITS - touched;
        int row = slots + 1;
        int firstCore = arrayEnd - CORE * row;
        int end = Math.min(firstCore, (1 + ChainBlock.WIDEST - CORE) * row);
        long index = words[first];
        block[0] = index | 1L << chain;
        long bits = ChainBlock.rowBits(fingerprint, CORE, ~(index >>> chain) & 1);
        long rowMask = ChainBlock.lowest(slots);
        int array = first + 1;
        block[1] = words[array] & ChainBlock.lowest(start);
        putRow(block, start, row(words, array, start, rowMask, bits));
        putRow(block, start + row, row(words, array, start + slots, rowMask, bits >>> 1));
        putRow(block, start + 2 * row, row(words, array, start + 2 * slots, rowMask, bits >>> 2));
        int place = start + 3 * row;
        int source = start + 3 * slots;
        bits >>>= 3;
        while (place < end) {
            putRow(block, place, row(words, array, source, rowMask, bits));
            place += row;
            source += slots;
            bits >>>= 1;
        }
        int firstWord = firstCore >>> 6;
        long planes = planesBefore(block, firstWord, firstCore, end);
        int split = (arrayEnd - CORE * start - CORE) >>> 6;
        if (firstWord <= 2) {
            block[3] = cores(words, array, 2, split);
        }
        if (firstWord <= 3) {
            block[4] = cores(words, array, 3, split);
        }
        if (firstWord <= 4) {
            block[5] = cores(words, array, 4, split);
        }
        if (firstWord <= 5) {
            block[6] = cores(words, array, 5, split);
        }
        block[7] = words[array + 6];
        putCore(words, array, block, split, arrayEnd - CORE * start, fingerprint & CORE_MASK);
        long behindPlanes = -1L << firstCore;
        block[1 + firstWord] = (block[1 + firstWord] & behindPlanes) | planes;
        block[7] = (block[7] & ChainBlock.lowest(arrayEnd & 63)) | (long) touched << 63;
    }

    /** A new bit, and the row's other bits behind it with those of the next row before its own new bit. */
    private static long row(long[] words, int array, int source, long rowMask, long bits) {
        return (ChainBlock.read(words, array, source) & rowMask) << 1 | (bits & 1);
    }

    /** Puts bits behind those that are there. */
    private static void putRow(long[] block, int place, long row) {
        int word = 1 + (place >>> 6);
        block[word] |= row << place;
        block[word + 1] = row >>> 1 >>> ~place;
    }

    /** The end of the planes, in the word in which the cores begin; what lies between them is emptied. */
    private static long planesBefore(long[] block, int firstWord, int firstCore, int end) {
        if (end == firstCore) {
            return block[1 + firstWord] & ChainBlock.lowest(firstCore & 63);
        }
        int word = end >>> 6;
        block[1 + word] &= ChainBlock.lowest(end & 63);
        for (int empty = word + 1; empty <= firstWord; empty++) {
            block[1 + empty] = 0;
        }
        return block[1 + firstWord];
    }

    /** A word of cores, which move down by a core in words before the split and stay otherwise. */
    private static long cores(long[] words, int array, int word, int split) {
        int shift = CORE & ((word - split) >> 31);
        return words[array + word] >>> shift | words[array + word + 1] << 1 << ~shift;
    }

    /** Puts the new core, which ends before a place, into its word, between cores that move down and cores that stay. */
    private static void putCore(long[] words, int array, long[] block, int split, int behind, long core) {
        int place = behind - CORE;
        long here = words[array + split];
        long next = words[array + split + 1];
        long moved = (here >>> CORE | next << (Long.SIZE - CORE)) & ChainBlock.lowest(place & 63);
        if ((behind >>> 6) == split) {
            block[1 + split] = moved | core << place | (here & -1L << behind);
        } else {
            block[1 + split] = moved | core << place;
            block[2 + split] = (next & -1L << behind) | core >>> 1 >>> ~place;
        }
    }
}
