package dev.besom.guard;

import java.util.Objects;

/**
 * Stands before a store of which Besom knows nothing but how to read it: a service, a table without room for another
 * column, a cache of somebody else's. The hashes of its keys are kept in {@link LocalKeys}, a folder beside it.
 *
 * <p>What changes the store is handed over and made by the guard, so that hashes and store are changed in the right order:
 *
 * <pre>
 *   put      hash into the folder, and onto the disk     slot in the filter     the write that was handed over
 *   remove   the write that was handed over              hash out of the folder       slot out of the filter
 * </pre>
 *
 * Whatever happens in between, a failure or the end of the process, the folder has the hash of every key that is stored.
 * It may keep hashes of keys that never got into the store, or that are gone: each costs its eight bytes and a few bits,
 * and a wasted read whenever that very key is asked for, as it might be stored by then.
 *
 * <p>All else is as for a {@link Guard}. Changes of the store must go through one guard; where others make them,
 * {@link #add} a key before it is stored.
 */
public final class LoaderGuard<K, V> extends StoreGuard<K, V> {

    private final Loader<K, V> loader;
    private final LocalKeys<K> keys;

    LoaderGuard(Loader<K, V> loader, LocalKeys<K> keys, Parts<K> parts) {
        super(loader, parts);
        this.loader = loader;
        this.keys = keys;
    }

    /**
     * Stores a key.
     *
     * @param write stores it; its exception goes to the caller. Other changes of the same shard wait for it
     * @return true if the key was not there
     */
    public boolean put(K key, Runnable write) {
        Objects.requireNonNull(write, "write");
        long hash = hasher().hash(key);
        return put(key, hash, new LoaderPut<>(loader, keys, key, hash, write));
    }

    /**
     * Makes room for a key that somebody else is about to store. Nobody may {@linkplain #remove remove} the same key
     * before it is stored. If the key is never stored, this does no harm.
     *
     * @return true if the key was not there
     */
    public boolean add(K key) {
        return put(key, () -> {});
    }

    /**
     * Takes a key out.
     *
     * @param write takes it out of the store, or does nothing where that has happened; its exception goes to the caller.
     *     Not called where the filter knows that the key is not there
     * @return false if the key was not there, or is still found after the write
     */
    public boolean remove(K key, Runnable write) {
        long hash = hasher().hash(key);
        return remove(key, hash, () -> {
            write.run();
            return !loader.contains(key) && keys.hashes().remove(hash);
        });
    }

    private record LoaderPut<K, V>(Loader<K, V> loader, LocalKeys<K> keys, K key, long hash, Runnable write)
            implements Put {

        @Override
        public boolean replace() {
            if (!loader.contains(key)) {
                return false;
            }
            write.run();
            return true;
        }

        @Override
        public void record() {
            keys.hashes().add(hash);
        }

        @Override
        public boolean put() {
            write.run();
            return true;
        }
    }

    /** Closes the folder of hashes. */
    @Override
    public void close() {
        keys.close();
    }
}
