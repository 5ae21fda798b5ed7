package dev.besom;

import dev.besom.bits.Bitmaps;

/**
 * A set of 64-bit hashes that forgets details: it may answer "maybe" for a hash that was never put in, and never answers
 * "no" for one that was.
 *
 * <p>Asking never writes, so any number of threads may ask at once while nobody changes the filter. Kinds that allow
 * more than that say so.
 */
public interface MembershipFilter {

    /** False: certainly not there. True: maybe. */
    boolean mightContainHash(long hash);

    /**
     * Asks for many hashes at once: bit {@code i} of the result is {@code mightContain(hashes[from + i])}, for each
     * {@code i < count}. Faster than single queries where the filter is larger than the processor's caches, because
     * the memory accesses of different hashes overlap.
     *
     * @param result at least {@code ceil(count / 64)} words; the bits past {@code count} of the last word that is
     *     used become 0, and words after it are left alone
     * @throws IllegalArgumentException if the result is too small, or is the array of the hashes: kinds write to it before they
     *     have read them all
     */
    default void mightContainHashes(long[] hashes, int from, int count, long[] result) {
        Bitmaps.checkBulk(hashes, from, count, result);
        for (int base = 0; base < count; base += Long.SIZE) {
            int lanes = Math.min(Long.SIZE, count - base);
            long word = 0;
            for (int lane = 0; lane < lanes; lane++) {
                if (mightContainHash(hashes[from + base + lane])) {
                    word |= 1L << lane;
                }
            }
            result[base >>> 6] = word;
        }
    }

    /**
     * How many keys the filter holds, as far as its structure can count. Kinds that store one entry a key count every
     * insert and delete. Bloom kinds count the inserts that changed something: a key put in twice counts once, and a
     * new key that looked present already does not count.
     */
    long count();

    /** The memory that holds the filter's contents, metadata and reserves included, Java object headers not. */
    long sizeInBits();

    /** The chance that a hash which was never put in and never asked is answered "maybe", in the filter's present state. */
    double expectedFpp();
}
