package dev.besom.guard.store;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * A store that anybody may change, because its changes are recorded.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public interface FeedStore<K, V> extends Store<K, V> {

    /** What tells the changes. */
    ChangeFeed<K> feed();

    /**
     * Stores a value and the hash of a key that is not there.
     *
     * @return false, and no change, if the key is there
     */
    boolean putIfAbsent(K key, long hash, V value);

    /** Gives keys that are stored without their hashes, or with others, theirs. Keys that are not stored are passed over. */
    void fillHashes(List<K> keys, long[] hashesOfKeys);

    /** Gives all keys that are stored without their hashes theirs. */
    void fillMissingHashes(ToLongFunction<? super K> hasher);

    /** How many keys are stored with their hashes. */
    long hashedCount();
}
