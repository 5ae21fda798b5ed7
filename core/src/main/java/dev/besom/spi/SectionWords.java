package dev.besom.spi;

import dev.besom.bits.Words;

/**
 * The arrays of 64-bit words that are the sections of an image. A filter that keeps its words in such an array is written
 * and read without a copy.
 *
 * <pre>
 *   index     0 .. FIRST - 1    FIRST    FIRST + 1
 *           +----------------+--------+--------+----
 *           |    lead-in     | word 0 | word 1 | ...
 *           +----------------+--------+--------+----
 * </pre>
 *
 * With the lead-in, word 0 of a large array starts a cache line. It is memory only: files do not have it.
 */
public final class SectionWords {

    /** The index of word 0. */
    public static final int FIRST = Words.LEAD;

    private SectionWords() {}

    /**
     * An array for that many words, all 0.
     *
     * @throws IllegalArgumentException if no Java array can hold so many
     */
    public static long[] allocate(long wordCount) {
        return Words.allocate(wordCount);
    }

    /** An array of these words. */
    public static long[] copyOf(long... words) {
        long[] section = allocate(words.length);
        System.arraycopy(words, 0, section, FIRST, words.length);
        return section;
    }

    /** How many words the array holds, its lead-in not counted. */
    public static int count(long[] section) {
        return Words.count(section);
    }
}
