package dev.besom.guard;

import dev.besom.guard.shard.Shard;
import dev.besom.guard.shard.StorePut;
import dev.besom.guard.store.Store;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
    public @Nullable V putIfAbsent(K key, V value) {
        Objects.requireNonNull(value, "value");
        long hash = hasher().hash(key);
        AbsentPut<K, V> put = new AbsentPut<>(new ValuePut<>(store, key, hash, value));
        change(() -> shardOf(hash).put(key, hash, put));
        return put.found;
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> values) {
        Map<Shard<K>, KeyBatch<K, V>> batches = new LinkedHashMap<>();
        values.forEach((key, value) -> {
            Objects.requireNonNull(value, "value");
            long hash = hasher().hash(key);
            KeyBatch<K, V> batch = batches.computeIfAbsent(shardOf(hash), shard -> new KeyBatch<>(store));
            batch.add(key, hash, value);
        });
        batches.forEach((shard, batch) -> batch.parts()
                .forEach(part -> change(() -> {
                    shard.putAll(part.keys(), part.hashes(), part);
                    return true;
                })));
    }

    @Override
    public Announcement announce(K key) {
        return new ShardAnnouncement(key, hasher().hash(key));
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

    /** Stores the value of a key that has none. A key that is there without its hash gets it. */
    private static final class AbsentPut<K, V> implements StorePut {

        private final ValuePut<K, V> put;
        private @Nullable V found;

        AbsentPut(ValuePut<K, V> put) {
            this.put = put;
        }

        @Override
        public boolean replace() {
            found = put.store().get(put.key());
            // A row without a value is stored, and gets this one.
            return found == null ? put.replace() : put.store().hashes().between(put.hash(), put.hash()).length > 0;
        }

        @Override
        public void recordHash() {}

        @Override
        public boolean put() {
            V kept = found;
            return put.store().put(put.key(), put.hash(), kept == null ? put.value() : kept);
        }
    }

    private final class ShardAnnouncement extends HeldAnnouncement {

        private final K key;

        ShardAnnouncement(K key, long hash) {
            super(gate(), hash);
            this.key = key;
            begin(() -> {
                change(() -> {
                    shardOf(hash).announce(key, hash);
                    return true;
                });
            });
        }

        @Override
        void end(boolean isOver) {
            shardOf(hash()).settle(key, hash(), isOver);
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
