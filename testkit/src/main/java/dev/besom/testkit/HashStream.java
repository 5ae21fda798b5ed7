package dev.besom.testkit;

import dev.besom.hash.Mix;

/**
 * An endless stream of distinct 64-bit hashes that look random: a seeded permutation of a counter.
 *
 * <pre>
 *   counter   0, 1, 2, ...          -&gt; permutation of the seed -&gt; hashes to store
 *             2^63, 2^63 + 1, ...   -&gt; the same permutation    -&gt; hashes to ask for, none of them stored
 * </pre>
 *
 * Of one seed, the stream of {@link #stored} and the stream of {@link #fresh} hashes never share a hash, because a
 * permutation keeps different counters apart. What a filter answers "maybe" to in the second is a false positive, with
 * no set of stored keys to look it up in.
 */
public final class HashStream {

    private static final long FIRST_FRESH = Long.MIN_VALUE;

    private final long seed;
    private long counter;

    private HashStream(long seed, long counter) {
        this.seed = seed;
        this.counter = counter;
    }

    /** The hashes of the keys to put in. */
    public static HashStream stored(long seed) {
        return new HashStream(seed, 0);
    }

    /** Hashes to ask for that {@link #stored} of the same seed does not give in its first 2^63. */
    public static HashStream fresh(long seed) {
        return new HashStream(seed, FIRST_FRESH);
    }

    /** The next hash. */
    public long next() {
        return Mix.expand(counter++, seed, 0);
    }

    /** The next hashes as an array. */
    public long[] next(int count) {
        long[] hashes = new long[count];
        for (int i = 0; i < count; i++) {
            hashes[i] = next();
        }
        return hashes;
    }
}
