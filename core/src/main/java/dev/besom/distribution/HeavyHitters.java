package dev.besom.distribution;

/** The few hashes with the highest counts so far. */
final class HeavyHitters {

    private final long[] hashes;
    private final int[] counts;
    private int size;
    private int least;

    HeavyHitters(int capacity) {
        hashes = new long[capacity];
        counts = new int[capacity];
    }

    /** Takes notice of a hash's new count. */
    void offer(long hash, int count) {
        if (size == hashes.length && count <= least) {
            return;
        }
        int place = find(hash);
        if (place < 0) {
            place = size < hashes.length ? size++ : leastPlace();
            hashes[place] = hash;
        }
        counts[place] = count;
        least = size < hashes.length ? 0 : counts[leastPlace()];
    }

    /** The count of a hash, 0 if it is not among the highest. */
    int count(long hash) {
        int place = find(hash);
        return place < 0 ? 0 : counts[place];
    }

    int size() {
        return size;
    }

    long hash(int place) {
        return hashes[place];
    }

    int countAt(int place) {
        return counts[place];
    }

    private int find(long hash) {
        for (int place = 0; place < size; place++) {
            if (hashes[place] == hash) {
                return place;
            }
        }
        return -1;
    }

    private int leastPlace() {
        int place = 0;
        for (int i = 1; i < size; i++) {
            if (counts[i] < counts[place]) {
                place = i;
            }
        }
        return place;
    }
}
