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
 *   section   the same in ascending order, without free entries
 * </pre>
 *
 * <p>Cost: 256 to 512 bits for each of what is counted, and nothing as long as there is none. Only inserts that find no slot
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

    /** All that is counted, for {@link #read}. */
    long[] section() {
        long[] looks = new long[used];
        int count = 0;
        for (int at = 0; at < table.length; at += 2) {
            if (table[at + 1] != 0) {
                looks[count++] = table[at];
            }
        }
        Arrays.sort(looks);
        long[] section = Words.allocate(2L * used);
        for (int i = 0; i < count; i++) {
            section[Words.LEAD + 2 * i] = looks[i];
            section[Words.LEAD + 2 * i + 1] = table[find(looks[i]) + 1];
        }
        return section;
    }

    /**
     * What is counted in a section.
     *
     * @throws IllegalStateException if it is not in order
     */
    static Copies read(long[] section) {
        long sum = 0;
        for (int i = Words.LEAD; i < section.length; i += 2) {
            boolean isInOrder = i + 1 < section.length && (i == Words.LEAD || section[i - 2] < section[i]);
            if (!isInOrder || section[i + 1] < 1 || section[i + 1] > Long.MAX_VALUE / 2 - sum) {
                throw new IllegalStateException("the copies of keys are not in order");
            }
            sum += section[i + 1];
        }
        Copies copies = new Copies();
        int entries = Words.count(section) / 2;
        copies.resize(entries == 0 ? 0 : Math.max(LEAST_LENGTH, Integer.highestOneBit(entries) * 8));
        for (int i = Words.LEAD; i < section.length; i += 2) {
            copies.put(section[i], section[i + 1]);
        }
        return copies;
    }
}
