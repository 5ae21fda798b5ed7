package dev.besom.bloomier;

import dev.besom.LongApproximateMap;
import dev.besom.bits.FastRange;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm.Section;
import java.util.Arrays;

/**
 * Hashes with their values, whole: open addressing with linear probing. A slot whose value is {@link LongApproximateMap#ABSENT}
 * is free. A removal moves back what it leaves out of reach. A hash may be there more than once.
 */
final class WholeKeys {

    private static final int FEWEST_SLOTS = 8;

    /** A table that is four fifths full grows by an eighth: keys that are kept whole are few, and each takes 128 bits or more. */
    private static final int GROWTH_BITS = 3;

    private long[] hashes;
    private long[] values;
    private int count;

    WholeKeys() {
        this.hashes = new long[FEWEST_SLOTS];
        this.values = free(FEWEST_SLOTS);
    }

    private static long[] free(int slots) {
        long[] values = new long[slots];
        Arrays.fill(values, LongApproximateMap.ABSENT);
        return values;
    }

    int count() {
        return count;
    }

    private int home(long hash) {
        return (int) FastRange.place(Mix.mix(hash), hashes.length);
    }

    /** The slot of a hash, or the free one in which its search ends. */
    private int find(long hash) {
        int slot = home(hash);
        while (values[slot] != LongApproximateMap.ABSENT && hashes[slot] != hash) {
            slot = after(slot);
        }
        return slot;
    }

    private int after(int slot) {
        return slot + 1 == hashes.length ? 0 : slot + 1;
    }

    /** How many slots a search passes from one to another. */
    private int distance(int from, int to) {
        return to >= from ? to - from : to - from + hashes.length;
    }

    /** The value of a hash, or {@link LongApproximateMap#ABSENT}. */
    long get(long hash) {
        return count == 0 ? LongApproximateMap.ABSENT : values[find(hash)];
    }

    /** Puts a hash in, or gives it another value. */
    void put(long hash, long value) {
        if (get(hash) == LongApproximateMap.ABSENT) {
            add(hash, value);
        } else {
            values[find(hash)] = value;
        }
    }

    /** Puts a hash in, also if it is there: the new value comes before the older ones, and goes before them. */
    void add(long hash, long value) {
        makeRoom();
        long carried = value;
        int slot = find(hash);
        for (; values[slot] != LongApproximateMap.ABSENT; slot = after(slot)) {
            if (hashes[slot] == hash) {
                long older = values[slot];
                values[slot] = carried;
                carried = older;
            }
        }
        set(slot, hash, carried);
        count++;
    }

    /** Puts a hash in, with a value behind those that it has. */
    private void append(long hash, long value) {
        int slot = home(hash);
        while (values[slot] != LongApproximateMap.ABSENT) {
            slot = after(slot);
        }
        set(slot, hash, value);
    }

    private void makeRoom() {
        if (5L * (count + 1) <= 4L * hashes.length) {
            return;
        }
        long[] oldHashes = hashes;
        long[] oldValues = values;
        int slots = oldHashes.length + (oldHashes.length >>> GROWTH_BITS);
        hashes = new long[slots];
        values = free(slots);
        int start = 0;
        while (oldValues[start] != LongApproximateMap.ABSENT) {
            start++;
        }
        // From a free slot on, so that no run is entered in its middle.
        for (int i = 1; i < oldHashes.length; i++) {
            int slot = (start + i) % oldHashes.length;
            if (oldValues[slot] != LongApproximateMap.ABSENT) {
                append(oldHashes[slot], oldValues[slot]);
            }
        }
    }

    private void set(int slot, long hash, long value) {
        hashes[slot] = hash;
        values[slot] = value;
    }

    /** Takes a hash out; returns whether it was there. */
    boolean remove(long hash) {
        int free = find(hash);
        if (values[free] == LongApproximateMap.ABSENT) {
            return false;
        }
        count--;
        int slot = free;
        while (true) {
            slot = after(slot);
            if (values[slot] == LongApproximateMap.ABSENT) {
                set(free, 0, LongApproximateMap.ABSENT);
                return true;
            }
            // A hash may move back to the free slot if that lies between its home and where it is.
            if (distance(home(hashes[slot]), slot) >= distance(free, slot)) {
                set(free, hashes[slot], values[slot]);
                free = slot;
            }
        }
    }

    long sizeInBits() {
        return (long) (hashes.length + values.length) << 6;
    }

    /** Hashes and values in turn, in the order of the hashes; of equal ones the newest comes first. */
    long[] section() {
        long[] sorted = new long[count];
        int next = 0;
        for (int i = 0; i < hashes.length; i++) {
            if (values[i] != LongApproximateMap.ABSENT) {
                sorted[next++] = hashes[i];
            }
        }
        Arrays.sort(sorted);
        long[] section = Words.allocate(2L * count);
        int slot = 0;
        for (int i = 0; i < count; i++) {
            boolean isAgain = i > 0 && sorted[i] == sorted[i - 1];
            slot = isAgain ? after(slot) : home(sorted[i]);
            while (hashes[slot] != sorted[i] || values[slot] == LongApproximateMap.ABSENT) {
                slot = after(slot);
            }
            section[Words.LEAD + 2 * i] = sorted[i];
            section[Words.LEAD + 2 * i + 1] = values[slot];
        }
        return section;
    }

    static WholeKeys read(FilterImage image, Section from, int valueBits) {
        long[] section = image.get(from);
        long count = Words.count(section) / 2;
        image.check(Words.count(section) % 2 == 0, "a hash without a value");
        WholeKeys keys = new WholeKeys();
        for (int i = 0; i < count; i++) {
            long hash = section[Words.LEAD + 2 * i];
            long value = section[Words.LEAD + 2 * i + 1];
            image.check(i == 0 || section[Words.LEAD + 2 * i - 2] <= hash, "hashes that are not in order");
            image.check(value >= 0 && value >>> valueBits == 0, "a value that is too large");
            keys.makeRoom();
            keys.append(hash, value);
            keys.count++;
        }
        return keys;
    }
}
