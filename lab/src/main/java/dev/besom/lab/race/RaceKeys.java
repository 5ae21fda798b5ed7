package dev.besom.lab.race;

import dev.besom.lab.workload.KeySource;
import dev.besom.lab.workload.KeySpace;
import dev.besom.lab.workload.QueryStream;
import java.util.Arrays;

/**
 * The stored keys of a race, in the order in which filters get them and as a dictionary. Keys that a source has several
 * times count once.
 */
final class RaceKeys {

    private final long[] keys;
    private final StoredKeys stored;

    private RaceKeys(long[] keys) {
        this.keys = keys;
        this.stored = new StoredKeys(keys);
    }

    /** The array itself: to be read only. */
    long[] keys() {
        return keys;
    }

    StoredKeys stored() {
        return stored;
    }

    /** The first of these keys, if there are more. */
    RaceKeys first(int most) {
        return keys.length <= most ? this : new RaceKeys(Arrays.copyOf(keys, most));
    }

    static RaceKeys of(RaceSpec spec) {
        long[] keys = spec.keySource().map(RaceKeys::read).orElseGet(() -> new KeySpace(spec.seed()).stored(spec.n()));
        return new RaceKeys(keys);
    }

    private static long[] read(KeySource source) {
        KeySet distinct = new KeySet();
        long[] keys = new long[1024];
        int size = 0;
        try (QueryStream stream = source.open()) {
            while (stream.hasNext()) {
                long key = stream.next();
                if (distinct.add(key)) {
                    if (size == keys.length) {
                        keys = Arrays.copyOf(keys, Math.multiplyExact(size, 2));
                    }
                    keys[size++] = key;
                }
            }
        }
        if (size == 0) {
            throw new IllegalArgumentException(source.name() + ": no keys");
        }
        return Arrays.copyOf(keys, size);
    }
}
