package dev.besom.lab.peer;

import dev.besom.bits.FastRange;
import dev.besom.hash.Mix;

/**
 * The latest of the hashes that were found to be missing: exact, so that no stored key is taken for one of them.
 *
 * <pre>
 *   set     | newest | . | . | . | . | . | . | oldest |      one cache line of whole hashes, in the order of their last use
 * </pre>
 *
 * <p>A hash belongs to one set, and pushes out the one of that set that was not used for longest. Sets of eight come
 * within a few percent of a cache that keeps the order of all. What an entry takes is stated by the caller: eight bytes
 * is this array, and a map on the heap takes more.
 */
final class MissCache {

    private static final int WAYS = 8;

    /** A place that is empty; the hash 0 is not kept. */
    private static final long NONE = 0;

    private final long[] hashes;
    private final long sets;
    private final int bitsAnEntry;

    /** As many entries as go into so many bits, in whole sets; none, if there is no room for one set. */
    MissCache(long bits, int bitsAnEntry) {
        this.sets = bits / ((long) WAYS * bitsAnEntry);
        this.hashes = new long[Math.toIntExact(sets * WAYS)];
        this.bitsAnEntry = bitsAnEntry;
    }

    /** Whether the hash was found to be missing lately; it counts as used then. */
    boolean contains(long hash) {
        int at = find(hash);
        if (at < 0) {
            return false;
        }
        moveToFront(hash, at);
        return true;
    }

    void add(long hash) {
        if (sets > 0 && hash != NONE) {
            int at = find(hash);
            moveToFront(hash, at < 0 ? first(hash) + WAYS - 1 : at);
        }
    }

    /** Forgets a hash, because it is stored from now on. */
    void remove(long hash) {
        int at = find(hash);
        if (at >= 0) {
            int last = first(hash) + WAYS - 1;
            System.arraycopy(hashes, at + 1, hashes, at, last - at);
            hashes[last] = NONE;
        }
    }

    long sizeInBits() {
        return sets * WAYS * bitsAnEntry;
    }

    private void moveToFront(long hash, int at) {
        int first = first(hash);
        System.arraycopy(hashes, first, hashes, first + 1, at - first);
        hashes[first] = hash;
    }

    private int find(long hash) {
        if (sets > 0 && hash != NONE) {
            int first = first(hash);
            for (int at = first; at < first + WAYS; at++) {
                if (hashes[at] == hash) {
                    return at;
                }
            }
        }
        return -1;
    }

    /** The filter before the cache goes by the highest bits of the hash, so the set does not. */
    private int first(long hash) {
        return (int) FastRange.place(Mix.mix(hash), sets) * WAYS;
    }
}
