package dev.besom.cuckoo;

import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import java.util.Arrays;

/**
 * How many keys there are beyond those that have slots, of those that look like a key that has one: equal keys put in so
 * often that their slots do not suffice. They are counted, so a key may be put in any number of times.
 *
 * <pre>
 *   table     | what they look like | how many, 0 where the entry is free | ...      open addressing, at most half full
 * </pre>
 *
 * <p>Cost: 256 to 512 bits for each of what is counted, more after some of it has left, and nothing as long as there is none. Only inserts that find no slot
 * and deletes look here.
 */
final class Copies {

    private static final long[] EMPTY = {};
    private static final int LEAST_LENGTH = 16;

    private long[] table = EMPTY;
    private int used;
    private long total;

    /** How many keys are counted. */
    long total() {
        return total;
    }

    long sizeInBits() {
        return (long) table.length * Long.SIZE;
    }

    /** Counts one more. */
    void add(long look) {
        if (4 * (used + 1) > table.length) {
            resize(Math.max(LEAST_LENGTH, 2 * table.length));
        }
        put(look, 1);
    }

    private void put(long look, long times) {
        int at = find(look);
        if (table[at + 1] == 0) {
            table[at] = look;
            used++;
        }
        table[at + 1] += times;
        total += times;
    }

    /** Counts one less; false, and no change, if none is counted. */
    boolean remove(long look) {
        if (used == 0) {
            return false;
        }
        int at = find(look);
        if (table[at + 1] == 0) {
            return false;
        }
        total--;
        table[at + 1]--;
        if (table[at + 1] == 0) {
            table[at] = 0;
            used--;
            close(at);
        }
        return true;
    }

    /** Where something is counted, or would be. */
    private int find(long look) {
        int at = home(look);
        while (table[at + 1] != 0 && table[at] != look) {
            at = next(at);
        }
        return at;
    }

    private int home(long look) {
        return (int) (Mix.mix(look) & (table.length - 2));
    }

    private int next(int at) {
        return (at + 2) & (table.length - 2);
    }

    /** Puts what follows a free entry in its place again, up to the next free one. */
    private void close(int free) {
        for (int at = next(free); table[at + 1] != 0; at = next(at)) {
            long look = table[at];
            long times = table[at + 1];
            table[at] = 0;
            table[at + 1] = 0;
            int to = find(look);
            table[to] = look;
            table[to + 1] = times;
        }
        if (used == 0) {
            table = EMPTY;
        }
    }

    private void resize(int length) {
        long[] before = table;
        table = new long[length];
        used = 0;
        total = 0;
        for (int at = 0; at < before.length; at += 2) {
            if (before[at + 1] != 0) {
                put(before[at], before[at + 1]);
            }
        }
    }

    /** All that is counted, for {@link #read}: the table as it is. */
    long[] section() {
        long[] section = Words.allocate(table.length);
        System.arraycopy(table, 0, section, Words.LEAD, table.length);
        return section;
    }

    /**
     * What is counted in a section.
     *
     * @throws IllegalStateException if no table looks like that
     */
    static Copies read(long[] section) {
        Copies copies = new Copies();
        copies.table = Arrays.copyOfRange(section, Words.LEAD, section.length);
        int length = copies.table.length;
        check(length == 0 || (length >= LEAST_LENGTH && Integer.bitCount(length) == 1));
        for (int at = 0; at < length; at += 2) {
            long times = copies.table[at + 1];
            check(times >= 0 && times <= Long.MAX_VALUE / 2 - copies.total && (times > 0 || copies.table[at] == 0));
            copies.total += times;
            copies.used += times > 0 ? 1 : 0;
        }
        check(length == 0 || (copies.used > 0 && 4L * copies.used <= length));
        for (int at = 0; at < length; at += 2) {
            check(copies.table[at + 1] == 0 || copies.find(copies.table[at]) == at);
        }
        return copies;
    }

    private static void check(boolean condition) {
        if (!condition) {
            throw new IllegalStateException("the copies of keys are not in their places");
        }
    }
}
