package dev.besom.guard;

import dev.besom.guard.fleet.FeedFollower;
import dev.besom.guard.store.FeedStore;
import dev.besom.guard.store.Store;
import dev.besom.guard.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The guard over a store that anybody changes. Its own changes come back to it by the feed as those of others do; a put waits for
 * that, so that the caller finds what was put.
 */
final class FeedStoreGuard<K, V> extends ShardedGuard<K, V> implements StoreGuard<K, V> {

    private static final int MOST_TRIES = 20;

    private final FeedStore<K, V> store;
    private final FeedFollower<K> follower;

    FeedStoreGuard(FeedStore<K, V> store, FeedFollower<K> follower, Parts<K> parts) {
        super(store, parts);
        this.store = store;
        this.follower = follower;
    }

    @Override
    public boolean put(K key, V value) {
        Objects.requireNonNull(value, "value");
        long hash = hasher().hash(key);
        return change(() -> {
            boolean isNew = store.put(key, hash, value);
            if (isNew) {
                follower.catchUp();
            }
            return isNew;
        });
    }

    @Override
    public @Nullable V putIfAbsent(K key, V value) {
        Objects.requireNonNull(value, "value");
        long hash = hasher().hash(key);
        List<V> found = new ArrayList<>();
        change(() -> {
            for (int tries = 0; tries < MOST_TRIES; tries++) {
                V there = store.get(key);
                if (there != null) {
                    found.add(there);
                    return false;
                }
                if (store.putIfAbsent(key, hash, value)) {
                    follower.catchUp();
                    return true;
                }
            }
            throw new StoreException(
                    "others put and remove the same key", new IllegalStateException(MOST_TRIES + " tries"));
        });
        return found.isEmpty() ? null : found.get(0);
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> values) {
        KeyBatch<K, V> all = new KeyBatch<>(store);
        values.forEach((key, value) -> all.add(key, hasher().hash(key), Objects.requireNonNull(value, "value")));
        change(() -> {
            all.parts().forEach(part -> store.putAll(part.keys(), part.hashes(), part.values()));
            follower.catchUp();
            return true;
        });
    }

    @Override
    public boolean remove(K key) {
        long hash = hasher().hash(key);
        return change(() -> store.remove(key, hash));
    }

    /** What the caller commits comes by the feed; there is nothing to prepare. */
    @Override
    public Announcement announce(K key) {
        long hash = hasher().hash(key);
        change(() -> true);
        return new Announcement() {
            @Override
            public long hash() {
                return hash;
            }

            @Override
            public void settle() {
                follower.catchUp();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public Store<K, V> store() {
        return store;
    }

    @Override
    void closeStore() {
        try {
            follower.close();
        } finally {
            store.close();
        }
    }
}
