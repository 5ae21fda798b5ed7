package dev.besom.lab.race;

import dev.besom.DeletableFilter;
import dev.besom.InsertableFilter;
import dev.besom.stored.RehashableMemoryHashes;
import java.util.function.LongConsumer;

/** A dictionary whose keys come and go, and with them those of the filter before it, in the order that filters want. */
final class ChangingKeys implements Dictionary {

    private final long[] keys;
    private final RehashableMemoryHashes stored;
    private final InsertableFilter filter;
    private long inserted;
    private long deleted;

    /**
     * @param keys what is stored at first; copied
     * @param stored the same, as the filter sees it
     */
    ChangingKeys(long[] keys, RehashableMemoryHashes stored, InsertableFilter filter) {
        this.keys = keys.clone();
        this.stored = stored;
        this.filter = filter;
    }

    /** Stores a new key and gives an old one up; returns that. A filter that cannot delete keeps it. */
    long replace(int index, long key) {
        filter.insertHash(key);
        stored.add(key);
        inserted++;
        long old = keys[index];
        keys[index] = key;
        stored.remove(old);
        if (filter instanceof DeletableFilter deletable && deletable.deleteHash(old)) {
            deleted++;
        }
        return old;
    }

    long key(int index) {
        return keys[index];
    }

    int size() {
        return keys.length;
    }

    Tally.Changes changes() {
        return new Tally.Changes(inserted, deleted);
    }

    @Override
    public boolean contains(long key) {
        return stored.contains(key);
    }

    @Override
    public long count() {
        return keys.length;
    }

    @Override
    public void forEach(LongConsumer action) {
        for (long key : keys) {
            action.accept(key);
        }
    }
}
