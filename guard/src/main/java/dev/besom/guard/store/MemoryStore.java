package dev.besom.guard.store;

import dev.besom.StoredHashes;
import dev.besom.stored.LockedHashes;
import dev.besom.stored.MemoryHashes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A store in memory, for tests and trials. Keys are compared by {@code equals}, so arrays cannot be keys. */
public final class MemoryStore<K, V> implements Store<K, V> {

    private final Map<K, V> values = new ConcurrentHashMap<>();
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final MemoryHashes hashes = new MemoryHashes();
    private final StoredHashes view = new LockedHashes(lock.readLock(), () -> hashes);
    private final MemoryNotes notes = new MemoryNotes();

    /** An empty store. */
    public MemoryStore() {}

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
        lock.writeLock().lock();
        try {
            boolean isNew = !values.containsKey(key);
            if (isNew) {
                hashes.add(hash);
            }
            values.put(key, value);
            return isNew;
        } finally {
            lock.writeLock().unlock();
        }
    }

    @Override
    public boolean replace(K key, long hash, V value) {
        return values.replace(key, value) != null;
    }

    @Override
    public boolean remove(K key, long hash) {
        lock.writeLock().lock();
        try {
            boolean wasThere = values.remove(key) != null;
            if (wasThere) {
                hashes.remove(hash);
            }
            return wasThere;
        } finally {
            lock.writeLock().unlock();
        }
    }

    @Override
    public void forEach(BiConsumer<? super K, ? super V> action) {
        values.forEach(action);
    }

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
        public byte[] writeIfAbsent(String name, byte[] contents) {
            byte[] there = records.putIfAbsent(name, contents.clone());
            return there == null ? contents : there;
        }

        @Override
        public void remove(String name) {
            records.remove(name);
        }
    }
}
