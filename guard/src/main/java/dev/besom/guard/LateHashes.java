package dev.besom.guard;

import dev.besom.StoredHashes;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** Stored hashes that somebody has who is made later. */
record LateHashes(Supplier<StoredHashes> hashes) implements StoredHashes {

    @Override
    public void forEachBetween(long lo, long hi, LongConsumer action) {
        hashes.get().forEachBetween(lo, hi, action);
    }

    @Override
    public long count() {
        return hashes.get().count();
    }

    @Override
    public long countIfKnown() {
        return -1;
    }
}
