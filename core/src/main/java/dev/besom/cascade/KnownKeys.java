package dev.besom.cascade;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The keys that a filter knows of: those that are stored, and those whose inserts are in flight. */
final class KnownKeys {

    private KnownKeys() {}

    /** Stored keys and recent ones in one array, a key that is among both only once. */
    static long[] union(long[] stored, long[] recent) {
        if (recent.length == 0) {
            return stored;
        }
        Map<Long, Integer> unstored = new HashMap<>();
        for (long key : recent) {
            unstored.merge(key, 1, Integer::sum);
        }
        for (long key : stored) {
            unstored.computeIfPresent(key, (same, often) -> often == 1 ? null : often - 1);
        }
        long[] all = Arrays.copyOf(
                stored,
                stored.length
                        + unstored.values().stream().mapToInt(Integer::intValue).sum());
        int next = stored.length;
        for (Map.Entry<Long, Integer> entry : unstored.entrySet()) {
            for (int i = 0; i < entry.getValue(); i++) {
                all[next++] = entry.getKey();
            }
        }
        return all;
    }

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
