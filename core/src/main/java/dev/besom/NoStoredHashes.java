package dev.besom;

import java.util.function.LongConsumer;

/** The stored hashes of an empty dictionary. */
enum NoStoredHashes implements StoredHashes {
    INSTANCE;

    @Override
    public void forEachBetween(long lo, long hi, LongConsumer action) {}

    @Override
    public long count() {
        return 0;
    }
}
