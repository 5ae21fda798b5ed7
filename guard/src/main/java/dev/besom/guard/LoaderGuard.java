package dev.besom.guard;

import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
 * and one wasted read when that very key is asked for.
 *
 * <p>All else is as for a {@link Guard}. Changes of the store must go through one guard; where others make them,
 * {@link #add} a key before it is stored.
 */
public final class LoaderGuard<K, V> implements GuardMonitor, AutoCloseable {

    private final Loader<K, V> loader;
    private final LocalKeys<K> keys;
    private final Gate<K, V> gate;

    LoaderGuard(Loader<K, V> loader, LocalKeys<K> keys, Gate<K, V> gate) {
        this.loader = loader;
        this.keys = keys;
        this.gate = gate;
    }

    /** The value of a key; null if the key is not stored. */
    public @Nullable V get(K key) {
        return gate.get(key);
    }

    public boolean containsKey(K key) {
        return gate.containsKey(key);
    }

    /** The values of many keys in the order of the keys, null for those that are not stored: one batched store read. */
    public List<@Nullable V> getAll(List<? extends K> keysAsked) {
        return gate.getAll(keysAsked);
    }

    /**
     * Stores a key.
     *
     * @param write stores it; its exception goes to the caller. Other changes of the same shard wait for it
     * @return true if the key was not there
     */
    public boolean put(K key, Runnable write) {
        long hash = gate.hasher().hash(key);
        return gate.put(key, hash, new LoaderPut<>(loader, keys, key, hash, write));
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
        long hash = gate.hasher().hash(key);
        return gate.remove(key, hash, () -> {
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

    @Override
    public boolean isPrimed() {
        return gate.isPrimed();
    }

    /**
     * Writes the filters to a file from which the next guard of these keys starts, if none was put or removed in between.
     * Lookups go on meanwhile; changes wait.
     *
     * @throws IllegalStateException if the guard is not primed, or a put has failed and not been made again
     */
    public void snapshot(Path file) throws IOException {
        gate.snapshot(file);
    }

    @Override
    public GuardStatistics statistics() {
        return gate.statistics();
    }

    @Override
    public void resetStatistics() {
        gate.resetStatistics();
    }

    @Override
    public long count() {
        return gate.count();
    }

    @Override
    public long sizeInBits() {
        return gate.sizeInBits();
    }

    @Override
    public int shardCount() {
        return gate.shardCount();
    }

    /** The hasher in use: the secret one where the one that was given had no seed. */
    public KeyHasher<? super K> hasher() {
        return gate.hasher();
    }

    /** Closes the folder of hashes. */
    @Override
    public void close() {
        keys.close();
    }
}
