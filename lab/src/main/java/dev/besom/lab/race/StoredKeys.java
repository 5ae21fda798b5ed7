package dev.besom.lab.race;

import dev.besom.StoredHashes;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * The keys of a race as a dictionary would hold them: exact, sorted, unchanging. Tells false positives from hits, and
 * is the remote side of adaptive filters. 8 bytes a key.
 */
public final class StoredKeys implements StoredHashes, Dictionary {

    /** In unsigned order: the sign bit is flipped, so that the order of the array is that of signed numbers. */
    private final long[] flipped;

    public StoredKeys(long[] keys) {
        flipped = keys.clone();
        for (int i = 0; i < flipped.length; i++) {
            flipped[i] ^= Long.MIN_VALUE;
        }
        Arrays.sort(flipped);
    }

    @Override
    public boolean contains(long key) {
        return Arrays.binarySearch(flipped, key ^ Long.MIN_VALUE) >= 0;
    }

    @Override
    public void forEachBetween(long lo, long hi, LongConsumer action) {
        long last = hi ^ Long.MIN_VALUE;
        for (int i = lowerBound(lo ^ Long.MIN_VALUE); i < flipped.length && flipped[i] <= last; i++) {
            action.accept(flipped[i] ^ Long.MIN_VALUE);
        }
    }

    @Override
    public void forEach(LongConsumer action) {
        forEachBetween(0, -1, action);
    }

    @Override
    public long count() {
        return flipped.length;
    }

    private int lowerBound(long first) {
        int low = 0;
        int high = flipped.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (flipped[middle] < first) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
