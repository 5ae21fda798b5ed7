package dev.besom.guard;

import dev.besom.StoredHashes;
import dev.besom.stored.MemoryHashes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A dictionary in memory, for tests and trials. Keys are told apart by {@code equals}, so arrays will not do. */
public final class MemoryDictionary<K, V> implements Dictionary<K, V> {

    private final Map<K, V> values = new ConcurrentHashMap<>();
    private final LockedHashes hashes = new LockedHashes();
    private final MemoryNotes notes = new MemoryNotes();

    /** An empty dictionary. */
    public MemoryDictionary() {}

    @Override
    public @Nullable V get(K key) {
        return values.get(key);
    }

    @Override
    public boolean contains(K key) {
        return values.containsKey(key);
    }

    @Override
    public boolean put(K key, long hash, V value) {
        hashes.lock.writeLock().lock();
        try {
            boolean isNew = !values.containsKey(key);
            if (isNew) {
                hashes.set.add(hash);
            }
            values.put(key, value);
            return isNew;
        } finally {
            hashes.lock.writeLock().unlock();
        }
    }

    @Override
    public boolean replace(K key, V value) {
        return values.replace(key, value) != null;
    }

    @Override
    public boolean remove(K key, long hash) {
        hashes.lock.writeLock().lock();
        try {
            boolean wasThere = values.remove(key) != null;
            if (wasThere) {
                hashes.set.remove(hash);
            }
            return wasThere;
        } finally {
            hashes.lock.writeLock().unlock();
        }
    }

    @Override
    public void forEach(BiConsumer<? super K, ? super V> action) {
        values.forEach(action);
    }

    @Override
    public StoredHashes hashes() {
        return hashes;
    }

    @Override
    public Notes notes() {
        return notes;
    }

    @Override
    public void close() {}

    private static final class LockedHashes implements StoredHashes {
        final ReadWriteLock lock = new ReentrantReadWriteLock();
        final MemoryHashes set = new MemoryHashes();

        @Override
        public void forEachBetween(long lo, long hi, LongConsumer action) {
            lock.readLock().lock();
            try {
                set.forEachBetween(lo, hi, action);
            } finally {
                lock.readLock().unlock();
            }
        }

        @Override
        public long[] between(long lo, long hi) {
            lock.readLock().lock();
            try {
                return set.between(lo, hi);
            } finally {
                lock.readLock().unlock();
            }
        }

        @Override
        public long count() {
            lock.readLock().lock();
            try {
                return set.count();
            } finally {
                lock.readLock().unlock();
            }
        }
    }

    private static final class MemoryNotes implements Notes {
        private final Map<String, byte[]> records = new ConcurrentHashMap<>();

        @Override
        public byte @Nullable [] read(String name) {
            return records.get(name);
        }

        @Override
        public void write(String name, byte[] contents) {
            records.put(name, contents.clone());
        }

        @Override
        public void remove(String name) {
            records.remove(name);
        }
    }
}
