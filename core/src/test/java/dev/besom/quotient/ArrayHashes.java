package dev.besom.quotient;

import dev.besom.StoredHashes;
import java.util.Arrays;
import java.util.function.LongConsumer;

/** Hashes that never change, in a sorted array, for tests with very many. */
final class ArrayHashes implements StoredHashes {

    private final long[] sorted;

    ArrayHashes(long[] hashes) {
        sorted = hashes.clone();
        flipSigns();
        Arrays.sort(sorted);
        flipSigns();
    }

    /** Turns unsigned order into signed order, and back. */
    private void flipSigns() {
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] ^= Long.MIN_VALUE;
        }
    }

    @Override
    public void forEachBetween(long lo, long hi, LongConsumer action) {
        int from = 0;
        int to = sorted.length;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (Long.compareUnsigned(sorted[middle], lo) < 0) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        for (int i = from; i < sorted.length && Long.compareUnsigned(sorted[i], hi) <= 0; i++) {
            action.accept(sorted[i]);
        }
    }

    @Override
    public long count() {
        return sorted.length;
    }
}
