package dev.besom.filters;

import dev.besom.HashSource;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import java.util.Arrays;
import java.util.Collection;

/** The hashes of given keys, in an array. */
final class HashedKeys {

    private static final int LEAST_ROOM = 1024;

    private HashedKeys() {}

    static <K> HashSource of(Iterable<? extends K> keys, KeyHasher<K> hasher) {
        int expected = keys instanceof Collection<?> collection ? collection.size() : 0;
        long[] hashes = new long[Math.max(LEAST_ROOM, expected)];
        int count = 0;
        for (K key : keys) {
            if (count == hashes.length) {
                hashes = Arrays.copyOf(hashes, Math.multiplyExact(count, 2));
            }
            hashes[count++] = hasher.hash(key);
        }
        return HashSource.of(hashes, 0, count);
    }

    static HashSource of(long[] keys, LongHasher hasher) {
        return HashSource.of(Arrays.stream(keys).map(hasher::hash).toArray());
    }
}
