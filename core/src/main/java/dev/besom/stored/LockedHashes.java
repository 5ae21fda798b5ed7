package dev.besom.stored;

import dev.besom.StoredHashes;
import java.util.concurrent.locks.Lock;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** Stored hashes that others may change under a lock: each call holds it while it reads, and not while it gives. */
public final class LockedHashes implements StoredHashes {

    private final Lock reading;
    private final Supplier<? extends StoredHashes> hashes;

    /**
     * @param reading held while the hashes are read
     * @param hashes called with the lock held, so that there may be others each time
     */
    public LockedHashes(Lock reading, Supplier<? extends StoredHashes> hashes) {
        this.reading = reading;
        this.hashes = hashes;
    }

    @Override
    public void forEachBetween(long lo, long hi, LongConsumer action) {
        for (long hash : between(lo, hi)) {
            action.accept(hash);
        }
    }

    @Override
    public long[] between(long lo, long hi) {
        reading.lock();
        try {
            return hashes.get().between(lo, hi);
        } finally {
            reading.unlock();
        }
    }

    @Override
    public long count() {
        reading.lock();
        try {
            return hashes.get().count();
        } finally {
            reading.unlock();
        }
    }
}
