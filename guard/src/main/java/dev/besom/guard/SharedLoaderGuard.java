package dev.besom.guard;

import dev.besom.guard.store.Loader;
import dev.besom.guard.store.SharedKeys;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The guard over a loader beside others that share its keys. How they hear of each other's is what the two kinds differ in. */
abstract class SharedLoaderGuard<K, V> extends ShardedGuard<K, V> implements LoaderGuard<K, V> {

    private final Loader<K, V> loader;
    private final SharedKeys<K> keys;

    SharedLoaderGuard(Loader<K, V> loader, SharedKeys<K> keys, Parts<K> parts) {
        super(loader, parts);
        this.loader = loader;
        this.keys = keys;
    }

    final SharedKeys<K> keys() {
        return keys;
    }

    /** False: a key of this hash is not stored at this moment. */
    abstract boolean mightBeStored(long hash);

    /** Adds a key, and begins a put of it; false, and no change, if it is there. */
    abstract boolean isAdded(K key, long hash);

    /** Told that a put has ended. */
    abstract void stored();

    /** Told that a key has been removed. */
    abstract void removed(long hash);

    @Override
    public final boolean put(K key, Runnable write) {
        Objects.requireNonNull(write, "write");
        return change(() -> isWritten(key, write));
    }

    /** Makes a write; true if the key was not there before. */
    private boolean isWritten(K key, @Nullable Runnable write) {
        boolean wasThere = !isBegunFirst(key) && loader.contains(key);
        if (write != null) {
            // Where it fails it may reach the store later: the put stays in flight, and the key stays.
            write.run();
        }
        keys.endPut(key);
        stored();
        return !wasThere;
    }

    /** Begins a put; true if nobody knew the key. */
    private boolean isBegunFirst(K key) {
        long hash = hasher().hash(key);
        while (!(mightBeStored(hash) && keys.beginPut(key))) {
            if (isAdded(key, hash)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public final boolean putIfAbsent(K key, Runnable write) {
        Objects.requireNonNull(write, "write");
        long hash = hasher().hash(key);
        return change(() -> {
            if (mightBeStored(hash) && loader.contains(key)) {
                return false;
            }
            isWritten(key, write);
            return true;
        });
    }

    @Override
    public final boolean add(K key) {
        return change(() -> isWritten(key, null));
    }

    @Override
    public final boolean remove(K key, Runnable write) {
        Objects.requireNonNull(write, "write");
        long hash = hasher().hash(key);
        return change(() -> {
            if (!mightBeStored(hash)) {
                return false;
            }
            long before = keys.puts(key);
            boolean wasStored = loader.contains(key);
            write.run();
            if (!wasStored || loader.contains(key)) {
                return false;
            }
            if (before != SharedKeys.NONE && keys.remove(key, before)) {
                removed(hash);
            }
            return true;
        });
    }
}
