package dev.besom.quotient;

import dev.besom.StoredHashes;
import java.util.Arrays;
import java.util.function.LongConsumer;

/** A plain ordered multiset of hashes, for tests: an array in unsigned order, equal hashes side by side. */
final class SortedHashes implements StoredHashes {

    private long[] hashes = new long[64];
    private int size;

    void add(long hash) {
        if (size == hashes.length) {
            hashes = Arrays.copyOf(hashes, 2 * size);
        }
        int at = firstFrom(hash);
        System.arraycopy(hashes, at, hashes, at + 1, size - at);
        hashes[at] = hash;
        size++;
    }

    /** Takes one of the hashes out and returns it. */
    long removeAt(int index) {
        long hash = at(index);
        size--;
        System.arraycopy(hashes, index + 1, hashes, index, size - index);
        return hash;
    }

    /** Takes one occurrence of a hash out. */
    void remove(long hash) {
        int at = firstFrom(hash);
        if (at == size || hashes[at] != hash) {
            throw new IllegalArgumentException("there is no " + hash);
        }
        removeAt(at);
    }

    long at(int index) {
        if (index >= size) {
            throw new IndexOutOfBoundsException(index);
        }
        return hashes[index];
    }

    int size() {
        return size;
    }

    boolean contains(long hash) {
        return countOf(hash) > 0;
    }

    int countOf(long hash) {
        int from = firstFrom(hash);
        int to = from;
        while (to < size && hashes[to] == hash) {
            to++;
        }
        return to - from;
    }

    /** The index of the first hash that is not below one. */
    private int firstFrom(long hash) {
        int from = 0;
        int to = size;
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
    public void forEachBetween(long lo, long hi, LongConsumer action) {
        for (int i = firstFrom(lo); i < size && Long.compareUnsigned(hashes[i], hi) <= 0; i++) {
            action.accept(hashes[i]);
        }
    }

    @Override
    public long count() {
        return size;
    }
}
