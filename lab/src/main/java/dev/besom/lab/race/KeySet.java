package dev.besom.lab.race;

import dev.besom.hash.Mix;

/**
 * An exact set of 64-bit keys that grows, each with its number in the order in which they came: open addressing, at most
 * half full, 0 kept apart.
 */
public final class KeySet {

    private static final int NONE = -1;

    private long[] table = new long[16];
    private int[] numbers = new int[16];
    private int numberOfZero = NONE;
    private int size;

    /** An empty set. */
    public KeySet() {}

    /** Puts a key in; false if it was there. */
    public boolean add(long key) {
        int before = size;
        numberOf(key);
        return size > before;
    }

    /** The key's number, from 0 on; a key that is not there is put in. */
    public int numberOf(long key) {
        if (key == 0) {
            numberOfZero = numberOfZero == NONE ? size++ : numberOfZero;
            return numberOfZero;
        }
        int slot = slotOf(key);
        if (table[slot] == key) {
            return numbers[slot];
        }
        int number = size++;
        table[slot] = key;
        numbers[slot] = number;
        if (size > table.length / 2) {
            grow();
        }
        return number;
    }

    /** The key's number; -1 if it is not there. */
    public int find(long key) {
        if (key == 0) {
            return numberOfZero;
        }
        int slot = slotOf(key);
        return table[slot] == key ? numbers[slot] : NONE;
    }

    /** How many keys there are. */
    public int size() {
        return size;
    }

    /** Where the key is, or where it would be. */
    private int slotOf(long key) {
        int mask = table.length - 1;
        int slot = (int) Mix.mix(key) & mask;
        while (table[slot] != 0 && table[slot] != key) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        long[] keys = table;
        int[] numbersOfKeys = numbers;
        table = new long[Math.multiplyExact(keys.length, 2)];
        numbers = new int[table.length];
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] != 0) {
                int slot = slotOf(keys[i]);
                table[slot] = keys[i];
                numbers[slot] = numbersOfKeys[i];
            }
        }
    }
}
