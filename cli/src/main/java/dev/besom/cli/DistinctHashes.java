package dev.besom.cli;

import java.io.IOException;
import java.util.Arrays;

/** Gathers hashes and gives each of them once: 8 bytes a hash, and half as much again while it grows. */
final class DistinctHashes extends HashBatches {

    private static final int MOST = Integer.MAX_VALUE - 8;

    private long[] hashes = new long[1 << 10];
    private int size;
    private int added;

    /** How many hashes one array can hold. */
    static boolean areTooMany(long count) {
        return count > MOST;
    }

    void add(long[] batch, int count) {
        if (count > hashes.length - size) {
            long wanted = Math.max((long) size + count, size + (long) (size >> 1));
            hashes = Arrays.copyOf(hashes, (int) Math.min(MOST, wanted));
        }
        System.arraycopy(batch, 0, hashes, size, count);
        size += count;
    }

    /** How many were added, each as often as it came. */
    int added() {
        return added;
    }

    /** Leaves each hash once, in ascending order. Nothing may be added afterwards. */
    void end() {
        Arrays.sort(hashes, 0, size);
        added = size;
        int distinct = 0;
        for (int i = 0; i < added; i++) {
            if (distinct == 0 || hashes[i] != hashes[distinct - 1]) {
                hashes[distinct++] = hashes[i];
            }
        }
        size = distinct;
    }

    @Override
    void forEachBatch(Consumer consumer) throws IOException {
        consumer.accept(hashes, size);
    }

    @Override
    long count() {
        return size;
    }

    @Override
    boolean isRereadable() {
        return true;
    }
}
