package dev.besom.cascade;

import java.util.Arrays;

/** Arrays of the keys that a filter knows of: those that are stored, and those that are in flight. */
final class KnownKeys {

    private KnownKeys() {}

    /** All keys but one occurrence of the given one. */
    static long[] without(long[] keys, long key) {
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] == key) {
                long[] others = Arrays.copyOf(keys, keys.length - 1);
                if (i < others.length) {
                    others[i] = keys[others.length];
                }
                return others;
            }
        }
        return keys;
    }
}
