package dev.besom.hash;

/**
 * Bijections of 64 bits that scatter, and the words that a filter draws from a hash once the hash itself is used up.
 *
 * <p>All of it is frozen: files hold what these functions made of a hash.
 *
 * <p>The constants of {@link #mix(long)} are the thirteenth of D. Stafford's variants of the MurmurHash3 finalizer,
 * those of {@link #expand(long, long, long)} the increment of G. L. Steele, D. Lea and C. H. Flood: Fast splittable
 * pseudorandom number generators. OOPSLA 2014.
 */
public final class Mix {

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    /** Odd, with as many ones as zeros and no pattern. */
    private static final long SCATTER = 0xD6E8FEB86659FD93L;

    private static final long UNSCATTER = 0xCFEE444D8B59A89BL;

    private Mix() {}

    /** A permutation of the 64-bit numbers in which each bit of the input moves about half of the bits. 0 stays 0. */
    public static long mix(long x) {
        x = (x ^ x >>> 30) * 0xBF58476D1CE4E5B9L;
        x = (x ^ x >>> 27) * 0x94D049BB133111EBL;
        return x ^ x >>> 31;
    }

    /**
     * Word {@code index} of the endless bit string that belongs to a hash under a seed. Different indexes give words
     * that are independent for all that a filter can see; for one seed and index it is a permutation of the hashes.
     */
    public static long expand(long hash, long seed, long index) {
        return mix(mix(hash + seed + GOLDEN) + (index + 1) * GOLDEN);
    }

    /** The factor of {@link #scatter(long, long)} that belongs to a seed. */
    public static long factor(long seed) {
        return mix(seed) | 1;
    }

    /**
     * A cheaper permutation, for hashes that are scattered already: different factors give independent ones, and numbers
     * that are no hashes do no harm that matters. The upper bits of the result depend on all bits of the hash, the lower
     * ones on fewer.
     */
    public static long scatter(long hash, long factor) {
        long product = hash * factor;
        return (product ^ product >>> 32) * SCATTER;
    }

    /**
     * The hash that {@link #scatter(long, long)} takes to x.
     *
     * @param inverse of the factor, by {@link #inverse(long)}
     */
    public static long unscatter(long x, long inverse) {
        long product = x * UNSCATTER;
        return (product ^ product >>> 32) * inverse;
    }

    /** What an odd number must be multiplied by to give 1. */
    public static long inverse(long odd) {
        // Right in the lowest three bits, and in twice as many after each step.
        long inverse = odd;
        for (int bits = 3; bits < Long.SIZE; bits *= 2) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }

    /** The number that {@link #mix(long)} takes to x. */
    public static long unmix(long x) {
        x = (x ^ x >>> 31 ^ x >>> 62) * 0x319642B2D24D8EC3L;
        x = (x ^ x >>> 27 ^ x >>> 54) * 0x96DE1B173F119089L;
        return x ^ x >>> 30 ^ x >>> 60;
    }

    /** The hash of which {@code word} is word {@code index} under a seed: the inverse of {@link #expand}. */
    public static long unexpand(long word, long seed, long index) {
        return unmix(unmix(word) - (index + 1) * GOLDEN) - seed - GOLDEN;
    }
}
