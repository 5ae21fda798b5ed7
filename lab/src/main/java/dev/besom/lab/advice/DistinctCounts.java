package dev.besom.lab.advice;

import dev.besom.hash.Mix;
import java.util.Arrays;

/**
 * Counts how often each of many keys comes, in bounded memory. Up to a limit of different keys it is exact. Beyond it
 * only keys are kept whose mixed bits begin with {@code level} zeros: one in {@code 2^level}, chosen by the key alone,
 * so that a key that is kept was kept from its first occurrence on and its count is exact.
 *
 * <p>P. B. Gibbons: Distinct sampling for highly-accurate answers to distinct values queries and event reports. VLDB
 * 2001.
 */
final class DistinctCounts {

    private final int mostKeys;
    private long[] keys = new long[1 << 10];

    /** 0 where the slot is free. */
    private long[] counts = new long[1 << 10];

    private int size;
    private int level;

    /**
     * @param mostKeys how many keys are kept at most; up to 32 bytes each
     * @param level how many zeros are asked for from the start
     */
    DistinctCounts(int mostKeys, int level) {
        this.mostKeys = mostKeys;
        this.level = level;
    }

    void add(long key) {
        if (!covers(key)) {
            return;
        }
        int slot = find(key);
        if (counts[slot]++ > 0) {
            return;
        }
        keys[slot] = key;
        size++;
        if (size > mostKeys) {
            level++;
            rebuild(keys.length);
        } else if (size > keys.length / 2) {
            rebuild(Math.multiplyExact(keys.length, 2));
        }
    }

    /** Whether the key would be kept. */
    boolean covers(long key) {
        return level == 0 || Mix.mix(key) >>> (Long.SIZE - level) == 0;
    }

    /** Whether the key came; meaningful for keys that are covered. */
    boolean contains(long key) {
        return counts[find(key)] > 0;
    }

    /** How many zeros are asked for: 0 where everything is kept. */
    int level() {
        return level;
    }

    /** How many different keys came, estimated where not all were kept. */
    double distinct() {
        return Math.scalb((double) size, level);
    }

    /** The counts of the keys that were kept, the largest first. */
    long[] countsDescending() {
        long[] ascending =
                Arrays.stream(counts).filter(count -> count > 0).sorted().toArray();
        for (int i = 0, j = ascending.length - 1; i < j; i++, j--) {
            long swapped = ascending[i];
            ascending[i] = ascending[j];
            ascending[j] = swapped;
        }
        return ascending;
    }

    private int find(long key) {
        int mask = keys.length - 1;
        int slot = (int) Mix.mix(key) & mask;
        while (counts[slot] > 0 && keys[slot] != key) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void rebuild(int slots) {
        long[] oldKeys = keys;
        long[] oldCounts = counts;
        keys = new long[slots];
        counts = new long[slots];
        size = 0;
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldCounts[i] > 0 && covers(oldKeys[i])) {
                int slot = find(oldKeys[i]);
                keys[slot] = oldKeys[i];
                counts[slot] = oldCounts[i];
                size++;
            }
        }
    }
}
