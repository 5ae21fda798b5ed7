package dev.besom.guard;

import dev.besom.guard.store.Store;

/**
 * A guard over a {@link Store}, which keeps hashes beside its keys.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public interface StoreGuard<K, V> extends Guard<K, V> {

    /**
     * Stores a value. Not null: a store that took it would have a key that nobody finds.
     *
     * @return true if the key was not there: of several callers who put one new key at once, exactly one gets true
     */
    boolean put(K key, V value);

    /**
     * Removes a key.
     *
     * @return false if it is not there
     */
    boolean remove(K key);

    /** The store behind the guard. */
    Store<K, V> store();
}
