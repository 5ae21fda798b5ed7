package dev.besom.bench.guard;

import dev.besom.StoredHashes;
import dev.besom.guard.store.MemoryStore;
import dev.besom.guard.store.Notes;
import dev.besom.guard.store.Store;
import dev.besom.hash.LongHasher;
import dev.besom.stored.LockedHashes;
import dev.besom.stored.MemoryHashes;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A dictionary of numbers that are their own values, so small that very many fit into memory: nothing is kept but their
 * hashes, which no two numbers share under a hasher that is a permutation.
 */
final class HashDictionary implements Store<Long, Long> {

    private final LongHasher permutation;
    private final LongConsumer onRead;
    private final MemoryHashes hashes;
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final StoredHashes view;
    private final Notes notes = new MemoryStore<Long, Long>().notes();

    HashDictionary(LongHasher permutation, long[] keys) {
        this(permutation, keys, key -> {});
    }

    /**
     * A dictionary of some numbers.
     *
     * @param onRead told of each number that is read
     */
    HashDictionary(LongHasher permutation, long[] keys, LongConsumer onRead) {
        this.permutation = permutation;
        this.onRead = onRead;
        long[] all = new long[keys.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = permutation.hash(keys[i]);
        }
        this.hashes = MemoryHashes.of(all);
        this.view = new LockedHashes(lock.readLock(), () -> hashes);
    }

    @Override
    public @Nullable Long get(Long key) {
        onRead.accept(key);
        return contains(key) ? key : null;
    }

    @Override
    public boolean contains(Long key) {
        lock.readLock().lock();
        try {
            return hashes.contains(permutation.hash(key.longValue()));
        } finally {
            lock.readLock().unlock();
        }
    }

    @Override
    public boolean put(Long key, long hash, Long value) {
        lock.writeLock().lock();
        try {
            boolean isNew = !hashes.contains(hash);
            if (isNew) {
                hashes.add(hash);
            }
            return isNew;
        } finally {
            lock.writeLock().unlock();
        }
    }

    @Override
    public boolean replace(Long key, long hash, Long value) {
        return contains(key);
    }

    @Override
    public boolean remove(Long key, long hash) {
        lock.writeLock().lock();
        try {
            return hashes.remove(hash);
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Gives no keys: they are not kept. */
    @Override
    public void forEach(BiConsumer<? super Long, ? super Long> action) {}

    @Override
    public StoredHashes hashes() {
        return view;
    }

    @Override
    public Notes notes() {
        return notes;
    }

    @Override
    public void close() {}
}
