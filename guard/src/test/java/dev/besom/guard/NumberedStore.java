package dev.besom.guard;

import dev.besom.StoredHashes;
import dev.besom.guard.store.MemoryStore;
import dev.besom.guard.store.Notes;
import dev.besom.guard.store.Store;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A store in memory whose calls are {@linkplain NumberedCalls numbered}. A read of many hashes fails after half of them. */
final class NumberedStore implements Store<Long, Long> {

    private final MemoryStore<Long, Long> inner = new MemoryStore<>();
    private final NumberedCalls calls;

    NumberedStore(NumberedCalls calls) {
        this.calls = calls;
    }

    MemoryStore<Long, Long> inner() {
        return inner;
    }

    @Override
    public @Nullable Long get(Long key) {
        return calls.read(() -> inner.get(key));
    }

    @Override
    public List<@Nullable Long> getAll(List<? extends Long> keys) {
        return calls.read(() -> inner.getAll(keys));
    }

    @Override
    public boolean contains(Long key) {
        return calls.read(() -> inner.contains(key));
    }

    @Override
    public boolean put(Long key, long hash, Long value) {
        return calls.change(() -> inner.put(key, hash, value));
    }

    @Override
    public boolean replace(Long key, long hash, Long value) {
        return calls.change(() -> inner.replace(key, hash, value));
    }

    @Override
    public void putAll(List<Long> keys, long[] hashesOfKeys, List<Long> values) {
        calls.change(() -> {
            inner.putAll(keys, hashesOfKeys, values);
            return true;
        });
    }

    @Override
    public boolean remove(Long key, long hash) {
        return calls.change(() -> inner.remove(key, hash));
    }

    @Override
    public void forEach(BiConsumer<? super Long, ? super Long> action) {
        inner.forEach(action);
    }

    @Override
    public StoredHashes hashes() {
        return new StoredHashes() {
            @Override
            public void forEachBetween(long lo, long hi, LongConsumer action) {
                long[] hashes = inner.hashes().between(lo, hi);
                int half = hashes.length / 2;
                Arrays.stream(hashes, 0, half).forEach(action);
                calls.read(() -> true);
                Arrays.stream(hashes, half, hashes.length).forEach(action);
            }

            @Override
            public long count() {
                return calls.read(() -> inner.hashes().count());
            }
        };
    }

    @Override
    public Notes notes() {
        Notes notes = inner.notes();
        return new Notes() {
            @Override
            public byte @Nullable [] read(String name) {
                return calls.read(() -> notes.read(name));
            }

            @Override
            public void write(String name, byte[] contents) {
                calls.change(() -> {
                    notes.write(name, contents);
                    return true;
                });
            }

            @Override
            public byte[] writeIfAbsent(String name, byte[] contents) {
                return calls.change(() -> notes.writeIfAbsent(name, contents));
            }

            @Override
            public void remove(String name) {
                calls.change(() -> {
                    notes.remove(name);
                    return true;
                });
            }
        };
    }

    @Override
    public void close() {
        calls.change(() -> true);
    }
}
