package dev.besom.guard;

import dev.besom.guard.fleet.FeedFollower;
import dev.besom.guard.store.Loader;
import dev.besom.guard.store.SharedKeys;

/**
 * The guard over a loader whose keys anybody records. Those that are put through it come back by the feed as those of others do, and
 * a put waits for that. Its "no" is as old as the feed, so no change relies on it.
 */
final class FeedLoaderGuard<K, V> extends SharedLoaderGuard<K, V> {

    private final FeedFollower<K> follower;

    FeedLoaderGuard(Loader<K, V> loader, SharedKeys<K> keys, FeedFollower<K> follower, Parts<K> parts) {
        super(loader, keys, parts);
        this.follower = follower;
    }

    @Override
    boolean mightBeStored(long hash) {
        return true;
    }

    @Override
    boolean isAdded(K key, long hash) {
        return keys().beginFirstPut(key, hash);
    }

    @Override
    void stored() {
        follower.catchUp();
    }

    @Override
    void removed(long hash) {}

    @Override
    void closeStore() {
        try {
            follower.close();
        } finally {
            keys().close();
        }
    }
}
