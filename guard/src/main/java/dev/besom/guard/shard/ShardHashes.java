package dev.besom.guard.shard;

import dev.besom.StoredHashes;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The stored hashes of one shard, as the shard's filter sees them.
 *
 * <pre>
 *   hash         | shard's number | rest          |      64 bits
 *   local hash   | rest           | 0 ... 0       |      order is kept, and the shard's hashes fill the whole range
 * </pre>
 *
 * Whoever is about to change the filter opens a {@link Window} first, so that the filter finds in memory what it reads in the
 * midst of the change. Where it needs more than that, which is when a block's selectors are full, the store is read
 * through {@link #setReading}. Belongs to the thread that holds the shard's changes.
 */
public final class ShardHashes implements StoredHashes {

    private static final long[] NONE = {};

    private final StoredHashes all;
    private final int shardBits;
    private final long prefix;
    private @Nullable Window window;
    private Function<Supplier<long[]>, long[]> reading = Supplier::get;
    private long readCount;

    /**
     * The hashes of a shard.
     *
     * @param all the hashes of all shards
     * @param shardBits how many bits of a hash are the shard's number; from 1 on
     * @param shard the shard's number
     */
    public ShardHashes(StoredHashes all, int shardBits, long shard) {
        this.all = all;
        this.shardBits = shardBits;
        this.prefix = shard << (Long.SIZE - shardBits);
    }

    /** Sets what makes all reads of the store. */
    void setReading(Function<Supplier<long[]>, long[]> reader) {
        reading = reader;
    }

    long toLocalHash(long hash) {
        return hash << shardBits;
    }

    /** The hash of which the shard's filter sees this. */
    long toHash(long localHash) {
        return prefix | localHash >>> shardBits;
    }

    /** How many ranges have been read from the store. */
    long readCount() {
        return readCount;
    }

    /** Reads the local hashes from one to another, both included, and keeps them at hand until the window is closed. */
    Window openWindow(long low, long high) {
        Window opened = new Window(low, high, read(low, high));
        window = opened;
        return opened;
    }

    /** Some hashes of the shard in memory, until it is closed; one at a time. */
    final class Window implements AutoCloseable {
        private final long low;
        private final long high;
        private final long[] hashes;

        private Window(long low, long high, long[] hashes) {
            this.low = low;
            this.high = high;
            this.hashes = hashes;
        }

        int count() {
            return hashes.length;
        }

        private boolean covers(long lo, long hi) {
            return Long.compareUnsigned(low, lo) <= 0 && Long.compareUnsigned(hi, high) <= 0;
        }

        /** Gives the hashes of a part of the window in their order. */
        void forEachBetween(long lo, long hi, LongConsumer action) {
            for (long hash : between(lo, hi)) {
                action.accept(hash);
            }
        }

        private long[] between(long lo, long hi) {
            if (lo == low && hi == high) {
                return hashes;
            }
            int from = firstFrom(lo);
            int to = from;
            while (to < hashes.length && Long.compareUnsigned(hashes[to], hi) <= 0) {
                to++;
            }
            return Arrays.copyOfRange(hashes, from, to);
        }

        private int firstFrom(long hash) {
            int from = 0;
            int to = hashes.length;
            while (from < to) {
                int middle = (from + to) >>> 1;
                if (Long.compareUnsigned(hashes[middle], hash) < 0) {
                    from = middle + 1;
                } else {
                    to = middle;
                }
            }
            return from;
        }

        @Override
        public void close() {
            window = null;
        }
    }

    @Override
    public long[] between(long lo, long hi) {
        Window open = window;
        return open != null && open.covers(lo, hi) ? open.between(lo, hi) : read(lo, hi);
    }

    @Override
    public void forEachBetween(long lo, long hi, LongConsumer action) {
        for (long hash : between(lo, hi)) {
            action.accept(hash);
        }
    }

    @Override
    public long count() {
        return between(0, -1L).length;
    }

    /** Not known: whoever counts reads them all. A guard deletes from filters only what it has just deleted from the store. */
    @Override
    public long countIfKnown() {
        return -1;
    }

    private long[] read(long lo, long hi) {
        long rest = lo >>> shardBits;
        if (rest << shardBits != lo) {
            rest++;
        }
        if (rest >>> (Long.SIZE - shardBits) != 0 || Long.compareUnsigned(lo, hi) > 0) {
            return NONE;
        }
        readCount++;
        long first = prefix | rest;
        long[] hashes = reading.apply(() -> all.between(first, prefix | hi >>> shardBits));
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] <<= shardBits;
        }
        return hashes;
    }
}
