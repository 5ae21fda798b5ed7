package dev.besom.guard.store;

import dev.besom.StoredHashes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;

/**
 * A store of keys and values that is slow to read, with the hash of each key beside it.
 *
 * <p>The guard computes hashes and passes them with each change; a store keeps them and never computes any. A key and its
 * hash are stored or removed together: whatever happens, {@link #hashes()} has the hash of each key that {@link #get}
 * finds.
 *
 * <p>Any number of threads may call at once. A call that has returned is visible to all calls that start later. Where a
 * store fails, its own exception goes to the caller, within a {@link StoreException} if it is a checked one. All changes
 * must go through one guard: a key that is stored without it is not found.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public interface Store<K, V> extends Loader<K, V>, AutoCloseable {

    /** The most keys that a guard puts into a store at once. */
    int BATCH = 500;

    @Override
    boolean contains(K key);

    @Override
    default List<Boolean> containsAll(List<? extends K> keys) {
        List<Boolean> areStored = new ArrayList<>(keys.size());
        for (K key : keys) {
            areStored.add(contains(key));
        }
        return areStored;
    }

    /**
     * Stores a value and the hash, whether the key is there or not.
     *
     * @param hash the hash of the key, the same at every call for that key
     * @return true if the key was not there
     */
    boolean put(K key, long hash, V value);

    /**
     * Gives a key that is there another value.
     *
     * @param hash the hash of the key
     * @return false, and no change, if the key is not there, or is there without its hash
     */
    boolean replace(K key, long hash, V value);

    /**
     * Stores many values and hashes, whether the keys are there or not. The default stores one after the other; a store
     * that can stores up to {@value #BATCH} keys whole or not at all.
     *
     * @param keys different ones
     * @param hashesOfKeys in the order of the keys
     * @param values in the order of the keys
     * @throws RejectedException if none of the keys is stored, nor will be by this call
     */
    default void putAll(List<K> keys, long[] hashesOfKeys, List<V> values) {
        for (int i = 0; i < hashesOfKeys.length; i++) {
            try {
                put(keys.get(i), hashesOfKeys[i], values.get(i));
            } catch (RejectedException e) {
                throw i == 0 ? e : new StoreException("after " + i + " keys: " + e.getMessage(), e);
            }
        }
    }

    /**
     * Gives keys that are there other values.
     *
     * @param hashesOfKeys in the order of the keys
     * @param values in the order of the keys
     * @return for each key what {@link #replace} returns
     */
    default boolean[] replaceAll(List<K> keys, long[] hashesOfKeys, List<V> values) {
        boolean[] areReplaced = new boolean[hashesOfKeys.length];
        for (int i = 0; i < hashesOfKeys.length; i++) {
            areReplaced[i] = replace(keys.get(i), hashesOfKeys[i], values.get(i));
        }
        return areReplaced;
    }

    /**
     * Removes a key.
     *
     * @return false, and no change, if the key is not there
     */
    boolean remove(K key, long hash);

    /** Gives every key with its value, in any order. Changes that are made meanwhile may or may not be seen. */
    void forEach(BiConsumer<? super K, ? super V> action);

    /**
     * Refuses a store that has other hashes than those of its keys, as far as a look at some of them tells: such keys would be
     * hidden. A guard calls it when it is opened. The default trusts the hashes.
     *
     * @param hasher the hash of a key
     * @throws IllegalStateException if a stored hash is not that of its key
     */
    default void checkHashes(ToLongFunction<? super K> hasher) {}

    /** The hashes of all stored keys. */
    StoredHashes hashes();

    /** Small records that are kept with the store. */
    Notes notes();

    /**
     * Takes the right to be the only guard that changes this store. The default is among the guards of this process.
     *
     * @param listener told if the lease comes to an end by itself
     * @throws LeaseHeldException if another guard has it
     */
    default Lease acquireLease(Lease.Listener listener) {
        return Lease.ofProcess(this);
    }

    /** Closes what the store has opened itself. */
    @Override
    void close();
}
