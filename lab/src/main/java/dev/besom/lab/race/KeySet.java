package dev.besom.lab.race;

import dev.besom.hash.Mix;
import java.util.Arrays;

/** An exact set of 64-bit keys that grows: open addressing, at most half full, 0 kept apart. */
public final class KeySet {

    private long[] table = new long[16];
    private boolean hasZero;
    private int size;

    /** An empty set. */
    public KeySet() {}

    /** Puts a key in; false if it was there. */
    public boolean add(long key) {
        if (key == 0) {
            boolean isNew = !hasZero;
            hasZero = true;
            return isNew;
        }
        if (!insert(key)) {
            return false;
        }
        size++;
        if (size > table.length / 2) {
            grow();
        }
        return true;
    }

    /** How many keys there are. */
    public int size() {
        return hasZero ? size + 1 : size;
    }

    private boolean insert(long key) {
        int mask = table.length - 1;
        int slot = (int) Mix.mix(key) & mask;
        while (table[slot] != 0) {
            if (table[slot] == key) {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        table[slot] = key;
        return true;
    }

    private void grow() {
        long[] old = table;
        table = new long[Math.multiplyExact(old.length, 2)];
        Arrays.stream(old).filter(key -> key != 0).forEach(this::insert);
    }
}
