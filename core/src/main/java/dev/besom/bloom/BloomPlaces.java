package dev.besom.bloom;

import dev.besom.bits.FastRange;
import dev.besom.hash.Mix;

/**
 * The places of a hash in an array that is probed as a Bloom filter of as many bits is, by enhanced double hashing: for
 * structures that keep something else than a bit at each place.
 *
 * @param count how many places there are, a multiple of 64
 * @param probes how many of them a hash has
 * @param factor of the seed; see {@link #of}
 */
public record BloomPlaces(long count, int probes, long factor) {

    private static final long LOW_HALF = 0xFFFFFFFFL;

    /** The places that a Bloom filter of so many bits, probes and that seed has whose bits lie anywhere. */
    public static BloomPlaces of(long count, int probes, long seed) {
        return new BloomPlaces(count, probes, Mix.factor(seed + ProbedWords.SEED_SALT));
    }

    /** Where the walk of a hash starts. */
    public long start(long hash) {
        return IndexScheme.start(hash, factor);
    }

    /**
     * Where a probe looks.
     *
     * @param start of the hash
     * @param probe from 0 on
     */
    public long place(long start, int probe) {
        long words = count >>> 6;
        long fraction;
        long word;
        if (words > WalkedWords.NARROW_WORDS) {
            fraction = step(start, probe);
            word = FastRange.place(fraction, words);
        } else {
            long step = step(start, probe >>> 1);
            fraction = (probe & 1) == 0 ? step >>> 32 : step & LOW_HALF;
            word = FastRange.placeOfHalf(fraction, words);
        }
        return word << 6 | (fraction & 63);
    }

    private static long step(long start, int j) {
        return IndexScheme.step(start, IndexScheme.stride(start), IndexScheme.STEP, IndexScheme.STEP, j);
    }
}
