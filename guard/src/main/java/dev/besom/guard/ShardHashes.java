package dev.besom.guard;

import dev.besom.StoredHashes;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * The stored hashes of one shard, as the shard's filter sees them.
 *
 * <pre>
 *   stored hash    | shard's number | rest          |      64 bits
 *   in the shard   | rest           | 0 ... 0       |      order is kept, and the shard's hashes fill the whole range
 * </pre>
 *
 * A filter reads these hashes while lookups wait for it, which is no time to ask a store. So whoever is about to change
 * the filter {@linkplain #load loads} a window first. Where the filter asks for more than the window has, which is when
 * a block's selectors are full, the store is asked after all. Belongs to the thread that holds the shard's changes.
 */
final class ShardHashes implements StoredHashes {

    private static final long[] NONE = {};

    private final StoredHashes all;
    private final int shardBits;
    private final long prefix;

    private boolean isLoaded;
    private long windowLow;
    private long windowHigh;
    private long[] window = NONE;

    /** @param shardBits how many bits of a hash are the shard's number; from 1 on */
    ShardHashes(StoredHashes all, int shardBits, long shard) {
        this.all = all;
        this.shardBits = shardBits;
        this.prefix = shard << (Long.SIZE - shardBits);
    }

    long toLocal(long hash) {
        return hash << shardBits;
    }

    /** Reads the hashes from one to another, both included, so that they are at hand until {@link #unload()}. */
    int load(long low, long high) {
        window = read(low, high);
        windowLow = low;
        windowHigh = high;
        isLoaded = true;
        return window.length;
    }

    void unload() {
        isLoaded = false;
        window = NONE;
    }

    /** Whether the window, which must be loaded, has a hash. */
    boolean isInWindow(long local) {
        int at = firstFrom(local);
        return at < window.length && window[at] == local;
    }

    @Override
    public long[] between(long lo, long hi) {
        if (isLoaded && Long.compareUnsigned(windowLow, lo) <= 0 && Long.compareUnsigned(hi, windowHigh) <= 0) {
            int from = firstFrom(lo);
            int to = from;
            while (to < window.length && Long.compareUnsigned(window[to], hi) <= 0) {
                to++;
            }
            return Arrays.copyOfRange(window, from, to);
        }
        return read(lo, hi);
    }

    @Override
    public void forEachBetween(long lo, long hi, LongConsumer action) {
        if (isLoaded && lo == windowLow && hi == windowHigh) {
            for (long hash : window) {
                action.accept(hash);
            }
            return;
        }
        for (long hash : between(lo, hi)) {
            action.accept(hash);
        }
    }

    @Override
    public long count() {
        return between(0, -1L).length;
    }

    private long[] read(long lo, long hi) {
        long rest = lo >>> shardBits;
        if (rest << shardBits != lo) {
            rest++;
        }
        if (rest >>> (Long.SIZE - shardBits) != 0 || Long.compareUnsigned(lo, hi) > 0) {
            return NONE;
        }
        long[] hashes = all.between(prefix | rest, prefix | hi >>> shardBits);
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] <<= shardBits;
        }
        return hashes;
    }

    private int firstFrom(long hash) {
        int low = 0;
        int high = window.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(window[middle], hash) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
