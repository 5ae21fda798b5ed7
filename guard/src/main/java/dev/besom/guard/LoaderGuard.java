package dev.besom.guard;

import dev.besom.guard.local.LocalKeys;

/**
 * Stands before a store of which Besom knows nothing but how to read it: a service, a table without room for another
 * column, a cache of somebody else's. The hashes of its keys are kept in {@link LocalKeys}, a folder beside it.
 *
 * <p>The write that changes the store is passed to the guard, which makes it, so that hashes and store are changed in the
 * right order:
 *
 * <pre>
 *   put      hash into the folder, and onto the disk     slot in the filter       the write
 *   remove   the write                                   hash out of the folder   slot out of the filter
 * </pre>
 *
 * Whatever happens in between, a failure or the end of the process, the folder has the hash of every key that is stored.
 * It may keep hashes of keys that never got into the store, or that are gone: each costs its eight bytes and a few bits,
 * and a wasted read whenever that very key is looked up, as it might be stored by then.
 *
 * <p>Changes of the store must go through one guard; where others make them, {@link #add} a key before it is stored. Guards in
 * several processes share keys in a table of a database ({@link dev.besom.guard.jdbc.JdbcKeys}) instead of a folder.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public interface LoaderGuard<K, V> extends Guard<K, V> {

    /**
     * Stores a key.
     *
     * @param write stores it; its exception goes to the caller. Other changes of the same shard wait for it
     * @return true if the key was not there
     */
    boolean put(K key, Runnable write);

    /**
     * Stores a key unless it is stored already.
     *
     * @param write as for {@link #put}; not called if the key is there
     * @return true if the write was made
     */
    boolean putIfAbsent(K key, Runnable write);

    /**
     * Makes room for a key that somebody else is about to store. Nobody may {@linkplain #remove remove} the same key
     * before it is stored. If the key is never stored, this does no harm.
     *
     * @return true if the key was not there
     */
    boolean add(K key);

    /**
     * Removes a key. Costs two reads of the store, one before the write and one after it: where the key is not stored
     * before, its hash stays, because it may be that of another key.
     *
     * @param write removes it from the store; its exception goes to the caller. Not called where the filter knows that the
     *     key is not there
     * @return false if the key was not there, or is still found after the write
     */
    boolean remove(K key, Runnable write);
}
