package dev.besom.lab.race;

import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import dev.besom.hash.Mix;

/**
 * The keys whose hashes are given. A race draws hashes; contenders that take hashes are timed with the keys that have them, so
 * that hashing is in their times as it is in those of the others, who hash what they are given.
 */
public final class Preimages {

    /** What turns the keys into the hashes again. */
    public static final LongHasher HASHER = KeyHasher.longs();

    private static final long MIXED_SEED = Mix.expand(HASHER.stamp().seed(), 0, 0);

    private Preimages() {}

    /** The one number with that hash: the hasher is a permutation. */
    public static long of(long hash) {
        long key = Mix.unmix(hash) ^ MIXED_SEED;
        if (HASHER.hash(key) != hash) {
            throw new IllegalStateException("the hasher of numbers is not the one that is inverted here");
        }
        return key;
    }

    /** The keys of many hashes. */
    public static void fill(long[] hashes, int from, int count, long[] keys) {
        for (int i = 0; i < count; i++) {
            keys[i] = of(hashes[from + i]);
        }
    }
}
