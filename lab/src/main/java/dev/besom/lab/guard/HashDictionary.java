package dev.besom.lab.guard;

import dev.besom.StoredHashes;
import dev.besom.guard.Dictionary;
import dev.besom.hash.LongHasher;
import dev.besom.stored.MemoryHashes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A dictionary of numbers that are their own values, so small that very many fit into memory: nothing is kept but their
 * hashes, which no two numbers share under a hasher that is a permutation.
 */
final class HashDictionary implements Dictionary<Long, Long> {

    private final LongHasher permutation;
    private final MemoryHashes hashes;
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Notes notes = new MapNotes();

    HashDictionary(LongHasher permutation, long[] keys) {
        this.permutation = permutation;
        long[] all = new long[keys.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = permutation.hash(keys[i]);
        }
        this.hashes = MemoryHashes.of(all);
    }

    @Override
    public @Nullable Long get(Long key) {
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
    public boolean replace(Long key, Long value) {
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
        return new StoredHashes() {
            @Override
            public void forEachBetween(long lo, long hi, LongConsumer action) {
                for (long hash : between(lo, hi)) {
                    action.accept(hash);
                }
            }

            @Override
            public long[] between(long lo, long hi) {
                lock.readLock().lock();
                try {
                    return hashes.between(lo, hi);
                } finally {
                    lock.readLock().unlock();
                }
            }

            @Override
            public long count() {
                lock.readLock().lock();
                try {
                    return hashes.count();
                } finally {
                    lock.readLock().unlock();
                }
            }
        };
    }

    @Override
    public Notes notes() {
        return notes;
    }

    @Override
    public void close() {}

    private static final class MapNotes implements Notes {
        private final Map<String, byte[]> records = new ConcurrentHashMap<>();

        @Override
        public byte @Nullable [] read(String name) {
            return records.get(name);
        }

        @Override
        public void write(String name, byte[] contents) {
            records.put(name, contents);
        }

        @Override
        public void remove(String name) {
            records.remove(name);
        }
    }
}
