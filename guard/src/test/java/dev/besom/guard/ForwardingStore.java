package dev.besom.guard;

import dev.besom.StoredHashes;
import dev.besom.guard.store.Notes;
import dev.besom.guard.store.Store;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A store that passes every call on, for tests that change some. */
class ForwardingStore<K, V> implements Store<K, V> {

    private final Store<K, V> inner;

    ForwardingStore(Store<K, V> inner) {
        this.inner = inner;
    }

    @Override
    public @Nullable V get(K key) {
        return inner.get(key);
    }

    @Override
    public boolean contains(K key) {
        return inner.contains(key);
    }

    @Override
    public boolean put(K key, long hash, V value) {
        return inner.put(key, hash, value);
    }

    @Override
    public boolean replace(K key, long hash, V value) {
        return inner.replace(key, hash, value);
    }

    @Override
    public boolean remove(K key, long hash) {
        return inner.remove(key, hash);
    }

    @Override
    public void forEach(BiConsumer<? super K, ? super V> action) {
        inner.forEach(action);
    }

    @Override
    public StoredHashes hashes() {
        return inner.hashes();
    }

    @Override
    public Notes notes() {
        return inner.notes();
    }

    @Override
    public void close() {
        inner.close();
    }
}
