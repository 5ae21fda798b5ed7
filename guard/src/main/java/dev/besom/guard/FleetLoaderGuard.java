package dev.besom.guard;

import dev.besom.guard.fleet.Member;
import dev.besom.guard.store.Loader;
import dev.besom.guard.store.SharedKeys;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The guard over a loader beside others of its fleet. */
final class FleetLoaderGuard<K, V> extends ShardedGuard<K, V> implements LoaderGuard<K, V> {

    private final Loader<K, V> loader;
    private final SharedKeys<K> keys;
    private final Member member;
    private final AnnouncedPuts puts;

    FleetLoaderGuard(Loader<K, V> loader, SharedKeys<K> keys, Member member, Parts<K> parts) {
        super(loader, parts);
        this.loader = loader;
        this.keys = keys;
        this.member = member;
        this.puts = new AnnouncedPuts(member);
    }

    @Override
    public boolean put(K key, Runnable write) {
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
        return !wasThere;
    }

    /** Begins a put; true if nobody knew the key. */
    private boolean isBegunFirst(K key) {
        long hash = hasher().hash(key);
        while (!(mightContainHash(hash) && keys.beginPut(key))) {
            if (puts.isNew(hash, number -> keys.beginFirstPut(key, hash, number))) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean putIfAbsent(K key, Runnable write) {
        Objects.requireNonNull(write, "write");
        long hash = hasher().hash(key);
        return change(() -> {
            if (mightContainHash(hash) && loader.contains(key)) {
                return false;
            }
            isWritten(key, write);
            return true;
        });
    }

    @Override
    public boolean add(K key) {
        return change(() -> isWritten(key, null));
    }

    @Override
    public boolean remove(K key, Runnable write) {
        Objects.requireNonNull(write, "write");
        long hash = hasher().hash(key);
        return change(() -> {
            if (!mightContainHash(hash)) {
                return false;
            }
            long before = keys.puts(key);
            boolean wasStored = loader.contains(key);
            write.run();
            if (!wasStored || loader.contains(key)) {
                return false;
            }
            if (before != SharedKeys.NONE && keys.remove(key, before)) {
                member.gone(hash);
            }
            return true;
        });
    }

    @Override
    void closeStore() {
        try {
            member.close();
        } finally {
            keys.close();
        }
    }
}
