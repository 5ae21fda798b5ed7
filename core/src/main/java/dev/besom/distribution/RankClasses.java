package dev.besom.distribution;

import dev.besom.hash.Mix;

/**
 * Classes by rank: hashes are a seeded permutation of the ranks 1, 2, 3, ..., and each class is a range of ranks. No
 * floating point is involved once the ranges are known, so a hash has the same class on every machine.
 */
final class RankClasses {

    /** The word of the permutation's bit string that hashes are; the others are left to filters and laboratories. */
    private static final long WORD = -3;

    private final long seed;

    /** The last rank of each class, ascending; ranks after the last one belong to no class. */
    private final long[] lastRanks;

    RankClasses(long seed, long[] lastRanks) {
        for (int i = 0; i < lastRanks.length; i++) {
            if (lastRanks[i] <= (i == 0 ? 0 : lastRanks[i - 1])) {
                throw new IllegalArgumentException("the ranks of classes do not ascend");
            }
        }
        this.seed = seed;
        this.lastRanks = lastRanks;
    }

    static long hash(long rank, long seed) {
        return Mix.expand(rank, seed, WORD);
    }

    /** The class of the hash's rank; the number of ranges where it has no rank. */
    int classOf(long hash) {
        long rank = Mix.unexpand(hash, seed, WORD);
        if (rank < 1) {
            return lastRanks.length;
        }
        int low = 0;
        int high = lastRanks.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (lastRanks[middle] < rank) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    long seed() {
        return seed;
    }

    long[] lastRanks() {
        return lastRanks;
    }

    long sizeInBits() {
        return (long) lastRanks.length * Long.SIZE;
    }
}
