package dev.besom.distribution;

import dev.besom.bits.Words;
import dev.besom.hash.Mix;

/**
 * How often a hash came in samples of inserts and of queries, by levels from 0 to 3, in two bits a cell: a Count-Min
 * sketch that is frozen.
 *
 * <pre>
 *   cells of inserts    row 0 | row 1 | row 2      each 2^keyBits cells, or none at all
 *   cells of queries  row 0 | row 1 | row 2      each 2^queryBits cells, or none at all
 *
 *   level of a hash = the least of its three cells          class = 4 * level of inserts + level of queries
 * </pre>
 *
 * A level is never too low, and too high by accident only.
 */
final class LevelSketch {

    static final int ROWS = 3;
    static final int LEVELS = 4;
    static final int CLASS_COUNT = LEVELS * LEVELS;

    /** A row is a whole number of words. */
    static final int LEAST_BITS = 5;

    static final int MOST_BITS = 24;

    private static final int CELLS_PER_WORD_BITS = 5;
    private static final int WORD_MASK = (1 << CELLS_PER_WORD_BITS) - 1;
    private static final long LEVEL_MASK = LEVELS - 1;

    private static final long SALT = 0x510E527FADE682D1L;
    private static final long SECOND_ROW = 0x9B05688C2B3E6C1FL;
    private static final long THIRD_ROW = 0x1F83D9ABFB41BD6BL;

    private final long[] words;
    private final int keyBits;
    private final int queryBits;
    private final int firstQueryCell;

    /**
     * @param words cells of both, made by {@link Words}
     * @param keyBits the logarithm of a row's length; 0 for none
     * @param queryBits the same of the queries
     */
    LevelSketch(long[] words, int keyBits, int queryBits) {
        if (!isWidth(keyBits) || !isWidth(queryBits)) {
            throw new IllegalArgumentException("rows of 2^" + keyBits + " and 2^" + queryBits + " cells cannot be");
        }
        if (Words.count(words) != wordCount(keyBits) + wordCount(queryBits)) {
            throw new IllegalArgumentException(Words.count(words) + " words are no sketch of 2^" + keyBits + " and 2^"
                    + queryBits + " cells a row");
        }
        this.words = words;
        this.keyBits = keyBits;
        this.queryBits = queryBits;
        this.firstQueryCell = (int) wordCount(keyBits) << CELLS_PER_WORD_BITS;
    }

    private static boolean isWidth(int bits) {
        return bits == 0 || (bits >= LEAST_BITS && bits <= MOST_BITS);
    }

    /** The words of three rows. */
    static long wordCount(int bits) {
        return bits == 0 ? 0 : (long) ROWS << (bits - CELLS_PER_WORD_BITS);
    }

    int classOf(long hash) {
        long scattered = scattered(hash);
        int keyLevel = keyBits == 0 ? 0 : level(scattered, keyBits, 0);
        int queryLevel = queryBits == 0 ? 0 : level(scattered, queryBits, firstQueryCell);
        return keyLevel * LEVELS + queryLevel;
    }

    private int level(long scattered, int bits, int firstCell) {
        long first = cell(firstCell + cellInRow(scattered, 0, bits));
        long second = cell(firstCell + (1 << bits) + cellInRow(scattered, 1, bits));
        long third = cell(firstCell + (2 << bits) + cellInRow(scattered, 2, bits));
        return (int) Math.min(first, Math.min(second, third));
    }

    private long cell(int index) {
        return words[(index >>> CELLS_PER_WORD_BITS) + Words.LEAD] >>> ((index & WORD_MASK) << 1) & LEVEL_MASK;
    }

    static long scattered(long hash) {
        return Mix.mix(hash + SALT);
    }

    /** The cell of a scattered hash in a row of 2^bits cells; halving a row joins cells that are neighbours. */
    static int cellInRow(long scattered, int row, int bits) {
        long fraction = row == 0 ? scattered : scattered * (row == 1 ? SECOND_ROW : THIRD_ROW);
        return (int) (fraction >>> (Long.SIZE - bits));
    }

    static void setCell(long[] words, long index, int level) {
        words[(int) (index >>> CELLS_PER_WORD_BITS) + Words.LEAD] |= (long) level << ((index & WORD_MASK) << 1);
    }

    int keyBits() {
        return keyBits;
    }

    int queryBits() {
        return queryBits;
    }

    long[] words() {
        return words;
    }

    long sizeInBits() {
        return (long) Words.count(words) << 6;
    }
}
