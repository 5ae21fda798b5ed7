package dev.besom.cascade;

import dev.besom.StoredHashes;
import java.util.function.LongConsumer;

/** Stored hashes that count how often they are read. */
final class CountedHashes implements StoredHashes {

    private final StoredHashes stored;
    private long reads;

    CountedHashes(StoredHashes stored) {
        this.stored = stored;
    }

    @Override
    public void forEachBetween(long lo, long hi, LongConsumer action) {
        reads++;
        stored.forEachBetween(lo, hi, action);
    }

    @Override
    public long[] between(long lo, long hi) {
        reads++;
        return stored.between(lo, hi);
    }

    @Override
    public long count() {
        return stored.count();
    }

    boolean contains(long hash) {
        return between(hash, hash).length > 0;
    }

    long reads() {
        return reads;
    }
}
