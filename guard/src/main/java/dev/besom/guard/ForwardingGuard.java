package dev.besom.guard;

import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A guard that passes every call on to another one, for decorators to change some of them. No method calls another one of
 * the decorator: who changes {@code get} and wants {@code getAll} changed too overrides both.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public abstract class ForwardingGuard<K, V> implements Guard<K, V> {

    /** For subclasses. */
    protected ForwardingGuard() {}

    /** The guard that does the work. */
    protected abstract Guard<K, V> delegate();

    @Override
    public @Nullable V get(K key) {
        return delegate().get(key);
    }

    @Override
    public boolean containsKey(K key) {
        return delegate().containsKey(key);
    }

    @Override
    public <T> @Nullable T lookUp(K key, Function<? super K, ? extends @Nullable T> read) {
        return delegate().lookUp(key, read);
    }

    @Override
    public Map<K, V> getAll(Collection<? extends K> keys) {
        return delegate().getAll(keys);
    }

    @Override
    public Map<K, Boolean> containsAll(Collection<? extends K> keys) {
        return delegate().containsAll(keys);
    }

    @Override
    public AsyncGuard<K, V> async(Executor executor) {
        return delegate().async(executor);
    }

    @Override
    public boolean snapshot(Path file) throws IOException {
        return delegate().snapshot(file);
    }

    @Override
    public KeyHasher<? super K> hasher() {
        return delegate().hasher();
    }

    @Override
    public boolean isPrimed() {
        return delegate().isPrimed();
    }

    @Override
    public GuardState state() {
        return delegate().state();
    }

    @Override
    public CompletableFuture<Void> ready() {
        return delegate().ready();
    }

    @Override
    public GuardStatistics statistics() {
        return delegate().statistics();
    }

    @Override
    public GuardStatistics resetStatistics() {
        return delegate().resetStatistics();
    }

    @Override
    public long count() {
        return delegate().count();
    }

    @Override
    public long sizeInBits() {
        return delegate().sizeInBits();
    }

    @Override
    public String kind() {
        return delegate().kind();
    }

    @Override
    public double plannedFpp() {
        return delegate().plannedFpp();
    }

    @Override
    public int shardCount() {
        return delegate().shardCount();
    }

    @Override
    public void close() {
        delegate().close();
    }
}
