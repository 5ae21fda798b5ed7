package dev.besom.guard;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The latest hashes of some, up to {@value #SIZE}: each has one place, which it takes from the one that had it. Any number
 * of threads may call. Takes memory when the first hash comes.
 */
final class RecentHashes {

    private static final int SIZE = 1 << 15;

    /** A place that is empty; the hash 0 is not kept. */
    private static final long NONE = 0;

    private static final AtomicLongArray EMPTY = new AtomicLongArray(1);

    private volatile AtomicLongArray places = EMPTY;

    void add(long hash) {
        if (places == EMPTY) {
            allocate();
        }
        places.setOpaque(place(hash), hash);
    }

    private synchronized void allocate() {
        if (places == EMPTY) {
            places = new AtomicLongArray(SIZE);
        }
    }

    boolean contains(long hash) {
        AtomicLongArray now = places;
        return now != EMPTY && hash != NONE && now.getOpaque(place(hash)) == hash;
    }

    private static int place(long hash) {
        return (int) hash & (SIZE - 1);
    }
}
