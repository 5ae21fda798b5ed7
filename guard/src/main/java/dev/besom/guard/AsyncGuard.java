package dev.besom.guard;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The lookups of a {@link Guard} for callers who do not wait. What the filter answers is answered before the method
 * returns. What it does not is read by the store's own asynchronous methods where it is an
 * {@link dev.besom.guard.store.AsyncLoader}, and otherwise on the executor. Repairs run on the executor and delay no answer.
 *
 * <p>Stages are completed by the thread that has the answer, exceptionally where the store fails. Closing the guard waits
 * for all of them.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public interface AsyncGuard<K, V> {

    /** The value of a key; completed with null if the key is not stored. */
    CompletionStage<@Nullable V> get(K key);

    /** Whether a key is stored. */
    CompletionStage<Boolean> containsKey(K key);

    /**
     * A lookup for which the caller reads the store, as {@link Guard#lookUp}.
     *
     * @param read called with the key, before this returns, where the filter says "maybe"; its stage is completed with
     *     null if it finds nothing
     */
    <T> CompletionStage<@Nullable T> lookUp(K key, Function<? super K, ? extends CompletionStage<@Nullable T>> read);

    /** The values of many keys: those that are stored, in the order of the keys. One batched read of the store. */
    CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys);
}
