package dev.besom.guard;

import dev.besom.guard.store.Store;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A guard over a store that passes every call on to another one.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public abstract class ForwardingStoreGuard<K, V> extends ForwardingGuard<K, V> implements StoreGuard<K, V> {

    /** For subclasses. */
    protected ForwardingStoreGuard() {}

    @Override
    protected abstract StoreGuard<K, V> delegate();

    @Override
    public boolean put(K key, V value) {
        return delegate().put(key, value);
    }

    @Override
    public @Nullable V putIfAbsent(K key, V value) {
        return delegate().putIfAbsent(key, value);
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> values) {
        delegate().putAll(values);
    }

    @Override
    public Announcement announce(K key) {
        return delegate().announce(key);
    }

    @Override
    public boolean remove(K key) {
        return delegate().remove(key);
    }

    @Override
    public Store<K, V> store() {
        return delegate().store();
    }
}
