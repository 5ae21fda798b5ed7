package dev.besom.guard.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A loader, or a {@link Store}, that can also be read without a thread that waits. The asynchronous lookups of a guard use
 * it where it is there.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public interface AsyncLoader<K, V> extends Loader<K, V> {

    /** The value of a key; completed with null if the key is not stored. */
    CompletionStage<@Nullable V> getAsync(K key);

    /** Whether a key is stored. */
    default CompletionStage<Boolean> containsAsync(K key) {
        return getAsync(key).thenApply(value -> value != null);
    }

    /** The values of many keys in the order of the keys, null for those that are not stored; one read where possible. */
    default CompletionStage<List<@Nullable V>> getAllAsync(List<? extends K> keys) {
        List<CompletableFuture<@Nullable V>> reads = new ArrayList<>(keys.size());
        for (K key : keys) {
            reads.add(getAsync(key).toCompletableFuture());
        }
        return CompletableFuture.allOf(reads.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> {
                    List<@Nullable V> values = new ArrayList<>(reads.size());
                    for (CompletableFuture<@Nullable V> read : reads) {
                        values.add(read.join());
                    }
                    return values;
                });
    }
}
