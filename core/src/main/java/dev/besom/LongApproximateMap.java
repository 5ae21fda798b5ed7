package dev.besom;

import dev.besom.bits.Bitmaps;
import java.util.Objects;

/**
 * A map from 64-bit hashes to numbers that forgets details: a hash that was put in gets its own value, always; one that was
 * never put in is absent, except that now and then, at {@link #expectedFpp()}, it gets some value.
 *
 * <p>As a filter it answers "maybe" where it has a value. Asking never writes, so any number of threads may ask at once while
 * nobody changes the map.
 */
public interface LongApproximateMap extends MembershipFilter {

    /** What a hash without a value gets. */
    long ABSENT = -1;

    /** The value of a hash: from 0 up to {@code 2^valueBits - 1}, or {@link #ABSENT}. */
    long valueOfHash(long hash);

    /** The bits of a value, from 1 to 32. */
    int valueBits();

    @Override
    default boolean mightContainHash(long hash) {
        return valueOfHash(hash) != ABSENT;
    }

    /**
     * Asks for many hashes at once: {@code values[i]} becomes {@code valueOfHash(hashes[from + i])}, for each
     * {@code i < count}.
     *
     * @param values another array, of at least {@code count} numbers; those after that are left alone
     * @throws IllegalArgumentException if the values are to go into the array of the hashes
     */
    default void valuesOfHashes(long[] hashes, int from, int count, long[] values) {
        Objects.checkFromIndexSize(from, count, hashes.length);
        Objects.checkFromIndexSize(0, count, values.length);
        Bitmaps.checkOther(hashes, count, values);
        for (int i = 0; i < count; i++) {
            values[i] = valueOfHash(hashes[from + i]);
        }
    }
}
