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
 * is free. A removal moves back what it leaves out of reach.
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
        if (5L * (count + 1) > 4L * hashes.length) {
            long[] oldHashes = hashes;
            long[] oldValues = values;
            int slots = oldHashes.length + (oldHashes.length >>> GROWTH_BITS);
            hashes = new long[slots];
            values = free(slots);
            for (int i = 0; i < oldHashes.length; i++) {
                if (oldValues[i] != LongApproximateMap.ABSENT) {
                    set(find(oldHashes[i]), oldHashes[i], oldValues[i]);
                }
            }
        }
        int slot = find(hash);
        count += values[slot] == LongApproximateMap.ABSENT ? 1 : 0;
        set(slot, hash, value);
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

    /** Hashes and values in turn, in the order of the hashes. */
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
        for (int i = 0; i < count; i++) {
            section[Words.LEAD + 2 * i] = sorted[i];
            section[Words.LEAD + 2 * i + 1] = get(sorted[i]);
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
            image.check(i == 0 || section[Words.LEAD + 2 * i - 2] < hash, "hashes that are not in order");
            image.check(value >= 0 && value >>> valueBits == 0, "a value that is too large");
            keys.put(hash, value);
        }
        return keys;
    }
}
