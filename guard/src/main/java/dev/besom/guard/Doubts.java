package dev.besom.guard;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a shard whose put has failed and was not made again: they may be stored, or may be yet. Known exactly, up
 * to {@value #MOST}. Belongs to whoever holds the shard's changes.
 */
final class Doubts<K> {

    static final int MOST = 1024;

    /** Oldest first. */
    private final Map<Object, Doubt<K>> byIdentity = new LinkedHashMap<>();

    /** A key in doubt with its hash in the shard. */
    static final class Doubt<K> {
        private final K key;
        private final long local;
        /** Whether the hash is kept already where it has to be before the key is stored. */
        boolean isRecorded;

        private Doubt(K key, long local) {
            this.key = key;
            this.local = local;
        }
    }

    @Nullable
    Doubt<K> get(Object identity) {
        return byIdentity.get(identity);
    }

    boolean contains(Object identity) {
        return byIdentity.containsKey(identity);
    }

    Doubt<K> add(Object identity, K key, long local) {
        Doubt<K> doubt = new Doubt<>(key, local);
        byIdentity.put(identity, doubt);
        return doubt;
    }

    void remove(Object identity) {
        byIdentity.remove(identity);
    }

    boolean isEmpty() {
        return byIdentity.isEmpty();
    }

    boolean areTooMany() {
        return byIdentity.size() > MOST;
    }

    /** Takes out the oldest one and returns its hash. */
    long removeOldest() {
        Iterator<Doubt<K>> all = byIdentity.values().iterator();
        long local = all.next().local;
        all.remove();
        return local;
    }

    /**
     * The hashes of keys that are not stored. To be called before the stored hashes are read: a key that gets into the
     * store in between then has a slot too many, and not one too few.
     */
    long[] notStored(LongPredicate which, Predicate<? super K> isStored) {
        return byIdentity.values().stream()
                .filter(doubt -> which.test(doubt.local) && !isStored.test(doubt.key))
                .mapToLong(doubt -> doubt.local)
                .toArray();
    }
}
