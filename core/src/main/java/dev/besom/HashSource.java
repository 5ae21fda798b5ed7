package dev.besom;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.LongConsumer;

/**
 * All the hashes that a filter is to be built from, as often as the builder wants to go through them. They are in any
 * order, may repeat, and are the same in every pass.
 */
public interface HashSource {

    /** How many hashes a pass gives, repeated ones included. */
    long count();

    /** Gives every hash, in the same order each time. */
    void forEach(LongConsumer action);

    /** The hashes of an array, or of a part of it. The array is not copied. */
    static HashSource of(long[] hashes, int from, int count) {
        Objects.checkFromIndexSize(from, count, hashes.length);
        return new HashSource() {
            @Override
            public long count() {
                return count;
            }

            @Override
            public void forEach(LongConsumer action) {
                Arrays.stream(hashes, from, from + count).forEach(action);
            }
        };
    }

    /** The hashes of an array. The array is not copied. */
    static HashSource of(long... hashes) {
        return of(hashes, 0, hashes.length);
    }

    /** All stored hashes, in ascending unsigned order. */
    static HashSource of(StoredHashes stored) {
        return new HashSource() {
            @Override
            public long count() {
                return stored.count();
            }

            @Override
            public void forEach(LongConsumer action) {
                stored.forEachBetween(0, -1L, action);
            }
        };
    }
}
