package dev.besom.guard;

import dev.besom.guard.local.LocalKeys;
import dev.besom.guard.shard.StorePut;
import dev.besom.guard.store.Loader;
import java.util.Objects;

/** The guard over a loader. */
final class ShardedLoaderGuard<K, V> extends ShardedGuard<K, V> implements LoaderGuard<K, V> {

    private final Loader<K, V> loader;
    private final LocalKeys<K> keys;

    ShardedLoaderGuard(Loader<K, V> loader, LocalKeys<K> keys, Parts<K> parts) {
        super(loader, parts);
        this.loader = loader;
        this.keys = keys;
    }

    @Override
    public boolean put(K key, Runnable write) {
        Objects.requireNonNull(write, "write");
        long hash = hasher().hash(key);
        return change(() -> shardOf(hash).put(key, hash, new WritePut<>(loader, keys, key, hash, write)));
    }

    @Override
    public boolean putIfAbsent(K key, Runnable write) {
        Objects.requireNonNull(write, "write");
        long hash = hasher().hash(key);
        WritePut<K, V> put = new WritePut<>(loader, keys, key, hash, write);
        return change(() -> shardOf(hash).put(key, hash, new AbsentPut<>(put)));
    }

    @Override
    public boolean add(K key) {
        return put(key, () -> {});
    }

    @Override
    public boolean remove(K key, Runnable write) {
        long hash = hasher().hash(key);
        return change(() -> shardOf(hash).remove(key, hash, () -> isRemoved(key, hash, write)));
    }

    private boolean isRemoved(K key, long hash, Runnable write) {
        // The hash of a key that was not stored may be that of another key.
        boolean wasStored = loader.contains(key);
        write.run();
        return wasStored && !loader.contains(key) && keys.removeHash(hash);
    }

    private record WritePut<K, V>(Loader<K, V> loader, LocalKeys<K> keys, K key, long hash, Runnable write)
            implements StorePut {

        @Override
        public boolean replace() {
            // A key that somebody else has stored has no hash here, and gets one as a new key does.
            if (!hasHash() || !isStored()) {
                return false;
            }
            write.run();
            return true;
        }

        boolean hasHash() {
            return keys.hashes().between(hash, hash).length > 0;
        }

        boolean isStored() {
            return loader.contains(key);
        }

        @Override
        public void recordHash() {
            keys.addHash(hash);
        }

        @Override
        public boolean put() {
            write.run();
            return true;
        }
    }

    /** Makes the write of a key that is not stored; a stored one gets its hash, if it has none. */
    private static final class AbsentPut<K> implements StorePut {

        private final WritePut<K, ?> put;
        private boolean isStored;

        AbsentPut(WritePut<K, ?> put) {
            this.put = put;
        }

        @Override
        public boolean replace() {
            isStored = put.isStored();
            return isStored && put.hasHash();
        }

        @Override
        public void recordHash() {
            put.recordHash();
        }

        @Override
        public boolean put() {
            return !isStored && put.put();
        }
    }

    @Override
    void closeStore() {
        keys.close();
    }
}
