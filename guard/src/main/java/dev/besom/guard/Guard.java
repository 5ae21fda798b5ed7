package dev.besom.guard;

import dev.besom.guard.local.LocalKeys;
import dev.besom.guard.store.Loader;
import dev.besom.guard.store.SharedKeys;
import dev.besom.guard.store.Store;
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
 * Stands before a store and answers for it where it can: a lookup of a key that is not stored hardly ever reaches the
 * store, and one that did does not do so again.
 *
 * <pre>
 *   key --hash--&gt; shard's filter --"no"--&gt; answered
 *                     | "maybe"
 *                     v
 *               store.get --found--&gt; value
 *                     | not found: a false positive
 *                     v
 *               filter.repairHash, from the stored hashes around it
 * </pre>
 *
 * <p>It never hides a stored key: not while it grows, not beside any number of readers and writers, not after a crash,
 * and not where the store fails. While it is still priming it sends lookups on to the store.
 *
 * <p>Hashes are divided into shards by their highest bits, so a shard is a range of the stored hashes. Lookups take no
 * lock. Changes of one shard follow each other and never make a lookup wait for the store; shards are independent of each
 * other. A shard that is full grows while it serves: a larger filter is filled beside the old one from the stored hashes,
 * and lookups go on with the old one until the new one is complete.
 *
 * <p>Who else may change the store is a {@link Contract}. By default all changes must go through one guard: a
 * {@link StoreGuard} or a {@link LoaderGuard}. It has a lease, so that a second one cannot be opened. A guard that loses its
 * lease, because a connection broke, sends every lookup on to the store and refuses changes until it has the lease again.
 *
 * <p>M. A. Bender, M. Farach-Colton, M. Goswami, R. Johnson, S. McCauley, S. Singh: Bloom filters, adaptivity, and the
 * dictionary problem. FOCS 2018. (The model: section 2.)
 *
 * @param <K> the keys
 * @param <V> the values
 */
public interface Guard<K, V> extends AutoCloseable {

    /**
     * A guard with a telescoping filter at a rate of 1/256, filled from the store's hashes before this returns. A hasher
     * without a seed of its own, such as {@code KeyHasher.utf8()}, stands for a secret one, whose secret is made once and
     * kept in the store's notes.
     *
     * @param store is closed with the guard
     * @throws IllegalArgumentException if the store's hashes are those of another hasher
     */
    static <K, V> StoreGuard<K, V> over(Store<K, V> store, KeyHasher<? super K> hasher) {
        return builder(store, hasher).open();
    }

    /** A guard over a store with choices. */
    static <K, V> GuardBuilder<K, StoreGuard<K, V>> builder(Store<K, V> store, KeyHasher<? super K> hasher) {
        return GuardBuilder.of(store, hasher);
    }

    /**
     * A guard before a store that can only be read, with the hashes of its keys in a folder beside it.
     *
     * @param keys are closed with the guard
     */
    static <K, V> LoaderGuard<K, V> over(Loader<K, V> loader, LocalKeys<K> keys) {
        return builder(loader, keys).open();
    }

    /** A guard over a loader with choices. */
    static <K, V> GuardBuilder<K, LoaderGuard<K, V>> builder(Loader<K, V> loader, LocalKeys<K> keys) {
        return GuardBuilder.of(loader, keys);
    }

    /**
     * A member of a {@linkplain Contract#fleet fleet} before a store that can only be read, with choices.
     *
     * @param keys where the members meet; closed with the guard
     */
    static <K, V> GuardBuilder<K, LoaderGuard<K, V>> builder(Loader<K, V> loader, SharedKeys<K> keys) {
        return GuardBuilder.of(loader, keys);
    }

    /** The value of a key; null if the key is not stored. */
    @Nullable
    V get(K key);

    /** Whether a key is stored. */
    boolean containsKey(K key);

    /**
     * A lookup for which the caller reads the store: by a query of its own, through a cache, in a transaction.
     *
     * @param read called with the key where the filter says "maybe"; null if it finds nothing. Its exception goes to the
     *     caller
     * @return what was read; null if nothing was, or the filter knows that the key is not stored
     */
    <T> @Nullable T lookUp(K key, Function<? super K, ? extends @Nullable T> read);

    /**
     * The values of many keys, with one batched read of the store.
     *
     * @return those that are stored, in the order of the keys
     */
    Map<K, V> getAll(Collection<? extends K> keys);

    /**
     * Whether each of many keys is stored, with one batched read of the store.
     *
     * @return an entry for each key, in the order of the keys
     */
    Map<K, Boolean> containsAll(Collection<? extends K> keys);

    /**
     * The lookups for callers who do not wait.
     *
     * @param executor where stores are read that can only be waited for, and where repairs are made
     */
    AsyncGuard<K, V> async(Executor executor);

    /**
     * Writes the filters to a file from which the next guard of this store starts, if nothing was put or removed in
     * between. Lookups, puts and removals go on meanwhile. Takes the memory of one shard's filter.
     *
     * @return false if a key was put or removed before the file was complete: it would have been outdated already, and
     *     there is no current snapshot
     * @throws IllegalStateException if the guard is not primed, or a put has failed and not been made again: what the
     *     store holds is not certain then
     */
    boolean snapshot(Path file) throws IOException;

    /** The hasher in use: the secret one where the one that was given had no seed. */
    KeyHasher<? super K> hasher();

    /** Whether every shard has its filter, so that no lookup is sent on for want of one. */
    boolean isPrimed();

    /** What the guard can do at the moment. */
    GuardState state();

    /**
     * Completed when the guard is primed, and exceptionally if it is closed before.
     *
     * @return a copy: completing it has no effect on the guard
     */
    CompletableFuture<Void> ready();

    /** What happened since the guard was made or the statistics were reset. */
    GuardStatistics statistics();

    /**
     * Starts the statistics from zero.
     *
     * @return what happened until now; whatever happens meanwhile is counted either here or from now on
     */
    GuardStatistics resetStatistics();

    /** How many keys the filters hold. */
    long count();

    /** The memory of all filters. */
    long sizeInBits();

    /** The kind of the filters, as in {@link dev.besom.filters.Filters#kinds()}. */
    String kind();

    /** The false-positive rate that the filters are planned for; {@link GuardStatistics#observedRate()} is the real one. */
    double plannedFpp();

    /** How many shards there are. */
    int shardCount();

    /**
     * Closes the store, or the folder of hashes before a loader, when all calls in flight have ended. Every later call is
     * an {@link IllegalStateException}.
     *
     * @throws IllegalStateException if it is called within a write that the guard makes
     */
    @Override
    void close();
}
