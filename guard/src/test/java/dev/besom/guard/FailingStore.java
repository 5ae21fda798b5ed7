package dev.besom.guard;

import dev.besom.StoredHashes;
import dev.besom.guard.store.Lease;
import dev.besom.guard.store.MemoryStore;
import dev.besom.guard.store.Notes;
import dev.besom.guard.store.RejectedException;
import dev.besom.guard.store.Store;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A store in memory that fails on demand: before a call takes effect, or after it. */
final class FailingStore<K, V> implements Store<K, V> {

    /** When a call fails. */
    enum Failure {
        NEVER,
        BEFORE,
        AFTER,
        /** Before, and it is certain that nothing is changed. */
        REFUSED
    }

    static final class Outage extends RuntimeException {}

    private volatile MemoryStore<K, V> inner = new MemoryStore<>();
    volatile Failure reads = Failure.NEVER;
    /** All changes. */
    volatile Failure writes = Failure.NEVER;

    /** Changes that can store a key that was not there. */
    volatile Failure puts = Failure.NEVER;

    volatile Failure ranges = Failure.NEVER;
    /** Called before a range of hashes is read. */
    volatile Runnable beforeRange = () -> {};

    /** Called before a key is read. */
    volatile Runnable beforeRead = () -> {};

    /** Called when the store is closed. */
    volatile Runnable onClose = () -> {};

    /** Called before a note is written. */
    volatile Runnable beforeNote = () -> {};

    /** How a lease is taken; by default that of the store inside. */
    @Nullable
    Function<Lease.Listener, Lease> lease;

    final AtomicLong hashesGiven = new AtomicLong();

    MemoryStore<K, V> inner() {
        return inner;
    }

    /** Starts again with nothing stored. */
    void clear() {
        inner = new MemoryStore<>();
    }

    private static void failIf(Failure now, Failure failure) {
        if (now == failure) {
            throw new Outage();
        }
        if (now == Failure.REFUSED && failure == Failure.BEFORE) {
            throw new RejectedException("refused", new Outage());
        }
    }

    @Override
    public @Nullable V get(K key) {
        beforeRead.run();
        failIf(reads, Failure.BEFORE);
        return inner.get(key);
    }

    @Override
    public boolean contains(K key) {
        failIf(reads, Failure.BEFORE);
        return inner.contains(key);
    }

    @Override
    public boolean put(K key, long hash, V value) {
        failIf(writes, Failure.BEFORE);
        failIf(puts, Failure.BEFORE);
        boolean isNew = inner.put(key, hash, value);
        failIf(writes, Failure.AFTER);
        return isNew;
    }

    @Override
    public boolean replace(K key, long hash, V value) {
        failIf(writes, Failure.BEFORE);
        boolean wasThere = inner.replace(key, hash, value);
        failIf(writes, Failure.AFTER);
        return wasThere;
    }

    @Override
    public boolean remove(K key, long hash) {
        failIf(writes, Failure.BEFORE);
        boolean wasThere = inner.remove(key, hash);
        failIf(writes, Failure.AFTER);
        return wasThere;
    }

    @Override
    public void forEach(BiConsumer<? super K, ? super V> action) {
        inner.forEach(action);
    }

    @Override
    public StoredHashes hashes() {
        return new StoredHashes() {
            @Override
            public void forEachBetween(long lo, long hi, LongConsumer action) {
                beforeRange.run();
                failIf(ranges, Failure.BEFORE);
                inner.hashes().forEachBetween(lo, hi, hash -> {
                    hashesGiven.incrementAndGet();
                    action.accept(hash);
                });
            }

            @Override
            public long count() {
                return inner.hashes().count();
            }
        };
    }

    @Override
    public Notes notes() {
        Notes notes = inner.notes();
        return new Notes() {
            @Override
            public byte @Nullable [] read(String name) {
                return notes.read(name);
            }

            @Override
            public void write(String name, byte[] contents) {
                beforeNote.run();
                notes.write(name, contents);
            }

            @Override
            public byte[] writeIfAbsent(String name, byte[] contents) {
                return notes.writeIfAbsent(name, contents);
            }

            @Override
            public void remove(String name) {
                notes.remove(name);
            }
        };
    }

    @Override
    public Lease acquireLease(Lease.Listener listener) {
        return lease == null ? inner.acquireLease(listener) : lease.apply(listener);
    }

    @Override
    public void close() {
        onClose.run();
        inner.close();
    }
}
