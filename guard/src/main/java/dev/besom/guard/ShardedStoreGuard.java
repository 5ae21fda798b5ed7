package dev.besom.guard;

import dev.besom.guard.shard.StorePut;
import dev.besom.guard.store.Store;
import java.util.Objects;

/** The guard over a store. */
final class ShardedStoreGuard<K, V> extends ShardedGuard<K, V> implements StoreGuard<K, V> {

    private final Store<K, V> store;

    ShardedStoreGuard(Store<K, V> store, Parts<K> parts) {
        super(store, parts);
        this.store = store;
    }

    @Override
    public boolean put(K key, V value) {
        Objects.requireNonNull(value, "value");
        long hash = hasher().hash(key);
        return change(() -> shardOf(hash).put(key, hash, new ValuePut<>(store, key, hash, value)));
    }

    @Override
    public boolean remove(K key) {
        long hash = hasher().hash(key);
        return change(() -> shardOf(hash).remove(key, hash, keepsHash -> store.remove(key, hash)));
    }

    private record ValuePut<K, V>(Store<K, V> store, K key, long hash, V value) implements StorePut {

        @Override
        public boolean replace() {
            return store.replace(key, hash, value);
        }

        @Override
        public void recordHash() {}

        @Override
        public boolean put() {
            return store.put(key, hash, value);
        }
    }

    @Override
    public Store<K, V> store() {
        return store;
    }

    @Override
    void closeStore() {
        store.close();
    }
}
