package dev.besom.guard.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads from a store that is slow. Any number of threads may call at once. Where the store fails, its own exception goes to
 * the caller.
 *
 * @param <K> the keys
 * @param <V> the values
 */
@FunctionalInterface
public interface Loader<K, V> {

    /** The value of a key; null if the key is not stored. */
    @Nullable
    V get(K key);

    /** The values of many keys in the order of the keys, null for those that are not stored; one read where possible. */
    default List<@Nullable V> getAll(List<? extends K> keys) {
        List<@Nullable V> values = new ArrayList<>(keys.size());
        for (K key : keys) {
            values.add(get(key));
        }
        return values;
    }

    /**
     * Whether each of many keys is stored, in the order of the keys; one read where possible. By default those are that
     * {@link #getAll} has a value of.
     */
    default List<Boolean> containsAll(List<? extends K> keys) {
        return getAll(keys).stream().map(Objects::nonNull).toList();
    }

    /** Whether a key is stored. */
    default boolean contains(K key) {
        return get(key) != null;
    }
}
