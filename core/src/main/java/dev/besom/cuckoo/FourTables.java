package dev.besom.cuckoo;

import dev.besom.bits.FastRange;
import dev.besom.hash.Mix;

/**
 * Four tables of single slots, one after the other: a hash has one slot in each, chosen by four independent hash functions.
 *
 * <pre>
 *   hash  --scatter with factor i--&gt;  word i  --fastrange--&gt;  slot of table i
 * </pre>
 */
final class FourTables {

    static final int TABLES = 4;

    private static final long SEED_SALT = 0xAB1C5ED5DA6D8118L;

    private final long rowCount;
    private final long factor0;
    private final long factor1;
    private final long factor2;
    private final long factor3;

    FourTables(long rowCount, long seed) {
        this.rowCount = rowCount;
        this.factor0 = factor(seed, 0);
        this.factor1 = factor(seed, 1);
        this.factor2 = factor(seed, 2);
        this.factor3 = factor(seed, 3);
    }

    private static long factor(long seed, int table) {
        return Mix.factor(Mix.expand(table, seed, SEED_SALT));
    }

    /** What the slot of a hash in a table, and whatever else belongs to that choice, is made from. */
    long word(long hash, int table) {
        return Mix.scatter(
                hash,
                switch (table) {
                    case 0 -> factor0;
                    case 1 -> factor1;
                    case 2 -> factor2;
                    default -> factor3;
                });
    }

    /** The slot of a table that a word chooses. */
    long slot(long word, int table) {
        return table * rowCount + FastRange.place(word, rowCount);
    }

    /** The table of a slot. */
    int table(long slot) {
        return (int) (slot / rowCount);
    }

    /** The four slots of a hash; their number. */
    int collect(long hash, long[] into) {
        for (int table = 0; table < TABLES; table++) {
            into[table] = slot(word(hash, table), table);
        }
        return TABLES;
    }
}
