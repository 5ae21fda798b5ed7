package dev.besom.testkit;

import dev.besom.StoredHashes;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/**
 * The truth that filters are held against: an ordered multiset of hashes in memory, which counts how often it is read.
 *
 * <p>Not for use by several threads at once.
 */
public final class HashMultiset implements StoredHashes {

    private final NavigableMap<Long, Integer> times = new TreeMap<>(Long::compareUnsigned);
    private long[] pending = new long[16]; // added, but not in the map: most tests never need the map
    private int pendingCount;
    private long count;
    private long rangeReads;
    private RangeRead beforeRead = (lo, hi) -> {};

    /** What is done when a range is read. */
    @FunctionalInterface
    interface RangeRead {
        void between(long lo, long hi);
    }

    /** An empty one. */
    public HashMultiset() {}

    /** One with these hashes in it. */
    public static HashMultiset of(long... hashes) {
        HashMultiset multiset = new HashMultiset();
        for (long hash : hashes) {
            multiset.add(hash);
        }
        return multiset;
    }

    /** Sets what is done before each read of a range. */
    void setBeforeRead(RangeRead action) {
        beforeRead = action;
    }

    /** Adds a hash once more. */
    public void add(long hash) {
        if (pendingCount == pending.length) {
            pending = Arrays.copyOf(pending, 2 * pendingCount);
        }
        pending[pendingCount++] = hash;
        count++;
    }

    /** Takes one of the hash's occurrences out. */
    public boolean remove(long hash) {
        settle();
        Integer before = times.get(hash);
        if (before == null) {
            return false;
        }
        if (before == 1) {
            times.remove(hash);
        } else {
            times.put(hash, before - 1);
        }
        count--;
        return true;
    }

    /** Whether a hash is there at least once. */
    public boolean contains(long hash) {
        settle();
        return times.containsKey(hash);
    }

    /** Every hash, as often as it is in, in unsigned order. */
    public long[] toArray() {
        if (times.isEmpty()) {
            return pendingInOrder();
        }
        settle();
        long[] all = new long[Math.toIntExact(count)];
        int size = 0;
        for (Map.Entry<Long, Integer> entry : times.entrySet()) {
            for (int i = 0; i < entry.getValue(); i++) {
                all[size++] = entry.getKey();
            }
        }
        return all;
    }

    @Override
    public void forEachBetween(long lo, long hi, LongConsumer action) {
        rangeReads++;
        settle();
        beforeRead.between(lo, hi);
        if (Long.compareUnsigned(lo, hi) > 0) {
            return;
        }
        times.subMap(lo, true, hi, true).forEach((hash, often) -> {
            for (int i = 0; i < often; i++) {
                action.accept(hash);
            }
        });
    }

    @Override
    public long count() {
        return count;
    }

    /** The hashes from one to another, which counts as no read. */
    Iterable<Long> distinctBetween(long lo, long hi) {
        return times.subMap(lo, true, hi, true).keySet();
    }

    /** How many ranges were asked for so far. */
    public long rangeReads() {
        return rangeReads;
    }

    private void settle() {
        for (int i = 0; i < pendingCount; i++) {
            times.merge(pending[i], 1, Integer::sum);
        }
        pendingCount = 0;
    }

    private long[] pendingInOrder() {
        return Arrays.stream(pending, 0, pendingCount)
                .map(hash -> hash ^ Long.MIN_VALUE)
                .sorted()
                .map(hash -> hash ^ Long.MIN_VALUE)
                .toArray();
    }
}
