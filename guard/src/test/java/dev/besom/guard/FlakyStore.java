package dev.besom.guard;

import dev.besom.StoredHashes;
import dev.besom.guard.store.MemoryStore;
import dev.besom.guard.store.Notes;
import dev.besom.guard.store.RejectedException;
import dev.besom.guard.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory each call of which may fail by chance: before it takes effect, after it, or, for changes, before it takes
 * effect at some later time, whatever has happened to the key by then.
 */
final class FlakyStore implements Store<Long, Long> {

    /** What a call that fails throws. */
    static final class Outage extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final MemoryStore<Long, Long> inner = new MemoryStore<>();
    private final List<Change> late = new ArrayList<>();
    private final List<Runnable> lateNotes = new ArrayList<>();
    private final SplittableRandom random;
    private int oneIn;
    private long failures;

    /** A change of the store. */
    @FunctionalInterface
    private interface Change {
        boolean make();
    }

    FlakyStore(SplittableRandom random) {
        this.random = random;
    }

    MemoryStore<Long, Long> inner() {
        return inner;
    }

    long failures() {
        return failures;
    }

    /** Lets one call in so many fail; 0 for none. */
    void failOneIn(int calls) {
        oneIn = calls;
    }

    /** Lets one of the changes that have failed take effect, if there is any. */
    void deliverOne() {
        int all = late.size() + lateNotes.size();
        int chosen = all == 0 ? -1 : random.nextInt(all);
        if (chosen >= late.size()) {
            lateNotes.remove(chosen - late.size()).run();
        } else if (chosen >= 0) {
            late.remove(chosen).make();
        }
    }

    /** Lets none of the changes of keys that have failed take effect later. Notes still may. */
    void dropLate() {
        late.clear();
    }

    private boolean fails() {
        boolean fails = oneIn > 0 && random.nextInt(oneIn) == 0;
        failures += fails ? 1 : 0;
        return fails;
    }

    private <T> T read(Supplier<T> call) {
        if (fails()) {
            throw new Outage();
        }
        return call.get();
    }

    private boolean change(Change change) {
        if (!fails()) {
            return change.make();
        }
        switch (random.nextInt(4)) {
            case 0 -> throw new Outage();
            case 1 -> change.make();
            case 2 -> late.add(change);
            default -> throw new RejectedException("refused", new Outage());
        }
        throw new Outage();
    }

    @Override
    public @Nullable Long get(Long key) {
        return read(() -> inner.get(key));
    }

    @Override
    public List<@Nullable Long> getAll(List<? extends Long> keys) {
        return read(() -> inner.getAll(keys));
    }

    @Override
    public boolean contains(Long key) {
        return read(() -> inner.contains(key));
    }

    @Override
    public boolean put(Long key, long hash, Long value) {
        return change(() -> inner.put(key, hash, value));
    }

    @Override
    public boolean replace(Long key, long hash, Long value) {
        return change(() -> inner.replace(key, hash, value));
    }

    @Override
    public boolean remove(Long key, long hash) {
        return change(() -> inner.remove(key, hash));
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
                long[] hashes = read(() -> inner.hashes().between(lo, hi));
                for (int i = 0; i < hashes.length; i++) {
                    // A connection may break among the rows.
                    if (i % 64 == 63) {
                        read(() -> true);
                    }
                    action.accept(hashes[i]);
                }
            }

            @Override
            public long count() {
                return read(() -> inner.hashes().count());
            }
        };
    }

    @Override
    public Notes notes() {
        Notes notes = inner.notes();
        return new Notes() {
            @Override
            public byte @Nullable [] read(String name) {
                if (fails()) {
                    throw new Outage();
                }
                return notes.read(name);
            }

            @Override
            public void write(String name, byte[] contents) {
                changeNote(() -> notes.write(name, contents));
            }

            @Override
            public byte[] writeIfAbsent(String name, byte[] contents) {
                return FlakyStore.this.read(() -> notes.writeIfAbsent(name, contents));
            }

            @Override
            public void remove(String name) {
                changeNote(() -> notes.remove(name));
            }

            private void changeNote(Runnable change) {
                if (!fails()) {
                    change.run();
                    return;
                }
                switch (random.nextInt(3)) {
                    case 0 -> change.run();
                    case 1 -> lateNotes.add(change);
                    default -> {}
                }
                throw new Outage();
            }
        };
    }

    @Override
    public void close() {}
}
