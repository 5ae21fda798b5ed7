package dev.besom.cli;

import dev.besom.StoredHashes;
import dev.besom.lab.race.Preimages;
import dev.besom.lab.race.RaceStore;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A store that holds the keys of a race: those whose hashes the race has drawn, each as its own value. */
final class OpenedStore implements RaceStore {

    private final DemoStore store;

    private OpenedStore(DemoStore store) {
        this.store = store;
    }

    /** Fills a store. */
    static OpenedStore of(DemoStore store, long[] hashes) {
        long[] keys = new long[hashes.length];
        Preimages.fill(hashes, 0, hashes.length, keys);
        store.fill(keys, Preimages.HASHER);
        return new OpenedStore(store);
    }

    @Override
    public boolean find(long hash) {
        return store.dictionary().get(Preimages.of(hash)) != null;
    }

    @Override
    public StoredHashes hashes() {
        return store.dictionary().hashes();
    }

    @Override
    public long bytesTouched() {
        return store.bytesTouched();
    }

    @Override
    public void close() {
        try {
            store.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
