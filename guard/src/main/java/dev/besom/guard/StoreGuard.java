package dev.besom.guard;

import dev.besom.guard.store.Store;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
     * Stores a value unless the key has one. Of several callers at once, exactly one stores.
     *
     * @return the value that is there; null if this one was stored
     */
    @Nullable
    V putIfAbsent(K key, V value);

    /**
     * Stores many values, in batches of a few hundred. Where the store fails, some of them are stored and some are not.
     */
    void putAll(Map<? extends K, ? extends V> values);

    /**
     * Says that the caller is about to change a key in the store, in a transaction for example. Lookups and other changes
     * go on.
     */
    Announcement announce(K key);

    /**
     * Removes a key.
     *
     * @return false if it is not there
     */
    boolean remove(K key);

    /** The store behind the guard. */
    Store<K, V> store();
}
