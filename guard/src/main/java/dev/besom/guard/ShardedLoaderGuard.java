package dev.besom.guard;

import dev.besom.guard.local.LocalKeys;
import dev.besom.guard.shard.StorePut;
import dev.besom.guard.store.Loader;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
        return record(key, Objects.requireNonNull(write, "write"));
    }

    private boolean record(K key, @Nullable Runnable write) {
        long hash = hasher().hash(key);
        return change(() ->
                shardOf(hash).put(key, hash, new WritePut<>(loader, keys, new HashedKey<>(key, hash), write)));
    }

    @Override
    public boolean putIfAbsent(K key, Runnable write) {
        Objects.requireNonNull(write, "write");
        long hash = hasher().hash(key);
        WritePut<K, V> put = new WritePut<>(loader, keys, new HashedKey<>(key, hash), write);
        return change(() -> shardOf(hash).put(key, hash, new AbsentPut<>(put)));
    }

    @Override
    public boolean add(K key) {
        return record(key, null);
    }

    @Override
    public boolean remove(K key, Runnable write) {
        long hash = hasher().hash(key);
        return change(() -> shardOf(hash).remove(key, hash, keepsHash -> isRemoved(key, hash, write, keepsHash)));
    }

    private boolean isRemoved(K key, long hash, Runnable write, boolean keepsHash) {
        // The hash of a key that was not stored may be that of another key.
        boolean wasStored = loader.contains(key);
        write.run();
        return wasStored && !loader.contains(key) && (keepsHash || keys.removeHash(hash));
    }

    /** A key with its hash. */
    private record HashedKey<K>(K key, long hash) {}

    /** A put whose write is the caller's own. */
    private static final class WritePut<K, V> implements StorePut {

        private final Loader<K, V> loader;
        private final LocalKeys<K> keys;
        private final HashedKey<K> hashed;
        private final @Nullable Runnable write;
        private boolean hasBegun;

        /**
         * @param write stores the key; null if somebody else will
         */
        WritePut(Loader<K, V> loader, LocalKeys<K> keys, HashedKey<K> hashed, @Nullable Runnable write) {
            this.loader = loader;
            this.keys = keys;
            this.hashed = hashed;
            this.write = write;
        }

        @Override
        public boolean replace() {
            // A key that somebody else has stored has no hash here, and gets one as a new key does.
            if (!hasHash() || !isStored()) {
                return false;
            }
            return put();
        }

        boolean hasHash() {
            return keys.hashes().between(hashed.hash(), hashed.hash()).length > 0;
        }

        boolean isStored() {
            return loader.contains(hashed.key());
        }

        @Override
        public void recordHash() {
            keys.addHash(hashed.hash());
        }

        @Override
        public boolean put() {
            if (write != null) {
                hasBegun = true;
                write.run();
            }
            return true;
        }

        /** The caller's write may store a key that it was to give another value. */
        @Override
        public boolean mayStoreLater() {
            return hasBegun;
        }

        /** To announce a key says nothing of writes that have failed before. */
        @Override
        public boolean endsDoubt() {
            return write != null;
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

        @Override
        public boolean mayStoreLater() {
            return put.mayStoreLater();
        }

        /** A key that was found stored may have got there by the write that is in doubt, or by another one. */
        @Override
        public boolean endsDoubt() {
            return !isStored && put.endsDoubt();
        }
    }

    @Override
    void closeStore() {
        keys.close();
    }
}
