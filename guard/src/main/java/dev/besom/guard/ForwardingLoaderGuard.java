package dev.besom.guard;

/**
 * A guard over a loader that passes every call on to another one.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public abstract class ForwardingLoaderGuard<K, V> extends ForwardingGuard<K, V> implements LoaderGuard<K, V> {

    /** For subclasses. */
    protected ForwardingLoaderGuard() {}

    @Override
    protected abstract LoaderGuard<K, V> delegate();

    @Override
    public boolean put(K key, Runnable write) {
        return delegate().put(key, write);
    }

    @Override
    public boolean putIfAbsent(K key, Runnable write) {
        return delegate().putIfAbsent(key, write);
    }

    @Override
    public boolean add(K key) {
        return delegate().add(key);
    }

    @Override
    public boolean remove(K key, Runnable write) {
        return delegate().remove(key, write);
    }
}
