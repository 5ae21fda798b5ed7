package dev.besom.distribution;

import dev.besom.bits.Words;

/**
 * Counts of hashes in bounded memory, never too low: a Count-Min sketch with conservative update, which raises only the
 * cells that are lower than the new count.
 *
 * <p>G. Cormode, S. Muthukrishnan: An improved data stream summary: the Count-Min sketch and its applications. Journal of
 * Algorithms 55(1), 2005. C. Estan, G. Varghese: New directions in traffic measurement and accounting. SIGCOMM 2002, for
 * the conservative update.
 */
final class CountMin {

    private final int bits;
    private final int[] cells;

    /** @param bits the logarithm of a row's length */
    CountMin(int bits) {
        this.bits = bits;
        this.cells = new int[LevelSketch.ROWS << bits];
    }

    /** Counts a hash once more and returns its count. */
    int add(long hash) {
        int count = count(hash) + 1;
        long scattered = LevelSketch.scattered(hash);
        for (int row = 0; row < LevelSketch.ROWS; row++) {
            int cell = (row << bits) + LevelSketch.cellInRow(scattered, row, bits);
            cells[cell] = Math.max(cells[cell], count);
        }
        return count;
    }

    int count(long hash) {
        long scattered = LevelSketch.scattered(hash);
        int least = Integer.MAX_VALUE - 1;
        for (int row = 0; row < LevelSketch.ROWS; row++) {
            least = Math.min(least, cells[(row << bits) + LevelSketch.cellInRow(scattered, row, bits)]);
        }
        return least;
    }

    /**
     * Writes the levels of all cells into a frozen sketch, with neighbours joined until a row has so many cells. The
     * higher of two joined counts stays, so that none becomes too low.
     *
     * @param base counts from here on are level 1, from twice of it level 2, from four times of it level 3
     */
    void freeze(int frozenBits, int base, long[] words, long firstCell) {
        int joined = 1 << (bits - frozenBits);
        for (int cell = 0; cell < LevelSketch.ROWS << frozenBits; cell++) {
            int most = 0;
            for (int i = 0; i < joined; i++) {
                most = Math.max(most, cells[cell * joined + i]);
            }
            LevelSketch.setCell(words, firstCell + cell, level(most, base));
        }
    }

    static int level(int count, int base) {
        if (count < base) {
            return 0;
        }
        int quotient = count / base;
        return Math.min(LevelSketch.LEVELS - 1, Integer.SIZE - Integer.numberOfLeadingZeros(quotient));
    }

    int bits() {
        return bits;
    }

    /** The highest count of all. */
    int highest() {
        int most = 0;
        for (int cell : cells) {
            most = Math.max(most, cell);
        }
        return most;
    }

    /** The words of a sketch that has frozen rows of both counts; 0 bits leave one out. */
    static LevelSketch frozen(CountMin keys, int keyBits, int keyBase, CountMin queries, int queryBits, int queryBase) {
        long[] words = Words.allocate(LevelSketch.wordCount(keyBits) + LevelSketch.wordCount(queryBits));
        if (keyBits > 0) {
            keys.freeze(keyBits, keyBase, words, 0);
        }
        if (queryBits > 0) {
            queries.freeze(queryBits, queryBase, words, LevelSketch.wordCount(keyBits) << 5);
        }
        return new LevelSketch(words, keyBits, queryBits);
    }
}
