package dev.besom.bloom;

import dev.besom.bits.BitVector;
import dev.besom.bits.Bitmaps;
import dev.besom.bits.FastRange;
import dev.besom.bits.Words;
import dev.besom.hash.Mix;

/**
 * The words of a Bloom filter and where in them the bits of a hash are. Which of the three forms a filter has follows from
 * its scheme, once for all queries.
 *
 * <pre>
 *   LinedWords     three bits lie in a cache line
 *   WalkedWords    bits lie anywhere; a step of a walk is two fractions of 32 bits, or in a large filter one of 64
 *   SlicedWords    bits lie anywhere; no walk: each fraction is a slice of its own
 *
 *   fraction       | top bits: which word | ...  | lowest six: which bit of it |
 * </pre>
 */
abstract sealed class ProbedWords implements Bitmaps.Batch permits LinedWords, WalkedWords, SlicedWords {

    /** Keeps the seed 0 from leaving the hash 0 at 0. */
    static final long SEED_SALT = 0x6A09E667F3BCC909L;

    final long[] words;
    final long wordCount;
    final int probes;
    final long factor;

    ProbedWords(long[] words, int probes, long seed) {
        this.words = words;
        this.wordCount = Words.count(words);
        this.probes = probes;
        this.factor = Mix.factor(seed + SEED_SALT);
    }

    static ProbedWords of(BitVector bits, int probes, IndexScheme scheme, long seed) {
        long[] words = bits.words();
        if (scheme == IndexScheme.LINES) {
            return new LinedWords(words, probes, seed);
        }
        return scheme == IndexScheme.SLICES
                ? new SlicedWords(words, probes, seed)
                : new WalkedWords(words, probes, scheme, seed);
    }

    /** Whether all bits of a hash are set. */
    abstract boolean areSet(long hash);

    /** The same by a loop that queries do not use, so that the compiler does not learn from inserts what they look like. */
    abstract boolean areSetByLoop(long hash);

    /** Sets all bits of a hash, for a single writer; 1 if one of them was not set, 0 otherwise. */
    abstract long set(long hash);

    /** Sets all bits of a hash for all threads, in the vector that has these words. */
    abstract void setAtomically(BitVector bits, long hash);

    /** The false-positive rate that follows from the bits that are set. */
    double expectedFpp() {
        long set = 0;
        for (int i = Words.LEAD; i < words.length; i++) {
            set += Long.bitCount(words[i]);
        }
        return Math.pow(set / (double) (wordCount * Long.SIZE), probes);
    }

    /** What everything else about a hash follows from, where bits lie anywhere. */
    final long start(long hash) {
        return IndexScheme.start(hash, factor);
    }

    /** The array index of the word at a fraction of 2^64. */
    final int wordAt(long fraction) {
        return (int) FastRange.place(fraction, wordCount) + Words.LEAD;
    }

    /** The index of a bit in the vector, from the array index of its word and its fraction. */
    static long bitIndex(int word, long fraction) {
        return ((long) (word - Words.LEAD) << 6) | (fraction & 63);
    }

    /** Sets the bit of a word that a fraction chooses and returns what it was, lowest; the bits above are arbitrary. */
    final long setBit(int word, long fraction) {
        return setIn(word, 1L << fraction) >>> fraction;
    }

    /** Sets bits of a word, given by its array index, and returns what it was. */
    final long setIn(int word, long bits) {
        long before = words[word];
        words[word] = before | bits;
        return before;
    }
}
