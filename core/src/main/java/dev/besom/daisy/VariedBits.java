package dev.besom.daisy;

import dev.besom.bits.BitVector;
import dev.besom.bits.FastRange;
import dev.besom.bits.Words;
import dev.besom.bloom.IndexScheme;
import dev.besom.hash.Mix;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;

/**
 * The bits of a Bloom filter whose keys have different numbers of probes. The places of a hash are one walk; a hash with
 * fewer probes uses the start of it, so what was inserted with many is found with few.
 *
 * <pre>
 *   start = mix(hash + salt)               steps by enhanced double hashing, as IndexScheme has it
 *   word = step / 2^64 of the words        bit = the lowest six bits of the step
 * </pre>
 *
 * <p>P. C. Dillinger, P. Manolios: Bloom filters in probabilistic verification. FMCAD 2004, for the walk.
 */
final class VariedBits {

    private static final long SEED_SALT = 0x428A2F98D728AE22L;

    private final long[] words;
    private final long wordCount;
    private final long salt;

    /** Takes over an array made by {@link Words} of one word at least. */
    VariedBits(long[] words, long seed) {
        this.words = words;
        this.wordCount = Words.count(words);
        this.salt = seed + SEED_SALT;
    }

    /** All 0, of so many bits or a few more. */
    static VariedBits allocate(String kind, double sizeInBits, long seed) {
        if (sizeInBits > BitVector.MAX_SIZE_IN_BITS) {
            throw new IllegalArgumentException("a " + kind + " filter of " + sizeInBits
                    + " bits is larger than the largest, " + BitVector.MAX_SIZE_IN_BITS);
        }
        long bits = Math.max(Long.SIZE, (long) Math.ceil(sizeInBits));
        return new VariedBits(Words.allocate(Words.forBits(bits)), seed);
    }

    /** Whether the first so many places of a hash are set. */
    boolean areSet(long hash, int probes) {
        long start = Mix.mix(hash + salt);
        int i = 0;
        if (probes >= 3) {
            // Three places before the first branch: one that depends on each bit is wrong every second time.
            long three = bitAt(start) & bitAt(IndexScheme.step(start, 1)) & bitAt(IndexScheme.step(start, 2));
            if ((three & 1) == 0) {
                return false;
            }
            i = 3;
        }
        for (; i < probes; i++) {
            if ((bitAt(IndexScheme.step(start, i)) & 1) == 0) {
                return false;
            }
        }
        return true;
    }

    /** Sets the first so many places of a hash; true if one of them was not set. */
    boolean set(long hash, int probes) {
        long start = Mix.mix(hash + salt);
        long present = 1;
        for (int i = 0; i < probes; i++) {
            long x = IndexScheme.step(start, i);
            int word = wordIndex(x);
            present &= words[word] >>> x;
            words[word] |= 1L << x;
        }
        return present == 0;
    }

    /**
     * Sets the first so many places of a hash; true if it would not have been found by its first so many places before.
     *
     * @param probesToQuery not more than those that are set
     */
    boolean set(long hash, int probes, int probesToQuery) {
        if (probes == probesToQuery) {
            return set(hash, probes);
        }
        boolean isNew = !areSet(hash, probesToQuery);
        set(hash, probes);
        return isNew;
    }

    /** The bit at a step, lowest in the word; the bits above it are arbitrary. */
    private long bitAt(long x) {
        return words[wordIndex(x)] >>> x;
    }

    private int wordIndex(long x) {
        return (int) FastRange.place(x, wordCount) + Words.LEAD;
    }

    void or(VariedBits other) {
        for (int i = Words.LEAD; i < words.length; i++) {
            words[i] |= other.words[i];
        }
    }

    static VariedBits read(FilterImage image, ImageForm.Section section, long seed) {
        long[] words = image.get(section);
        image.check(Words.count(words) >= 1, "a filter with no bits cannot be");
        return new VariedBits(words, seed);
    }

    VariedBits copy() {
        return new VariedBits(words.clone(), salt - SEED_SALT);
    }

    long[] words() {
        return words;
    }

    long sizeInBits() {
        return (long) Words.count(words) << 6;
    }

    /** The part of the bits that are set. */
    double fill() {
        long set = 0;
        for (int i = Words.LEAD; i < words.length; i++) {
            set += Long.bitCount(words[i]);
        }
        return (double) set / sizeInBits();
    }
}
