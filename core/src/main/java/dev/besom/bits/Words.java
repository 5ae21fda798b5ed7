package dev.besom.bits;

/**
 * The arrays of 64-bit words in which all of Besom's structures live.
 *
 * <pre>
 *   index     0 .. 5      6        7
 *           +--------+--------+--------+----
 *           | unused | word 0 | word 1 | ...
 *           +--------+--------+--------+----
 * </pre>
 *
 * A {@code long[]} has a header of 16 bytes, and the JVM puts large arrays at the start of a memory region (G1, the
 * default collector, never moves them). With six unused words before it, word 0 then starts a cache line of 64 bytes,
 * and so does each eighth word after it. Where an array lies elsewhere nothing is lost but that.
 *
 * <p>The lead-in is memory only: it is not written to files.
 */
public final class Words {

    /** Unused words at the start of an array. */
    public static final int LEAD = 6;

    /** The most words that one Java array can hold after the lead-in; with it ends the size of a structure. */
    public static final long MAX_COUNT = Integer.MAX_VALUE - 8 - LEAD;

    private Words() {}

    /** An array for that many words, all 0. */
    public static long[] allocate(long wordCount) {
        if (wordCount < 0 || wordCount > MAX_COUNT) {
            throw new IllegalArgumentException(
                    "a structure holds at most " + MAX_COUNT + " words of 64 bits, not " + wordCount);
        }
        return new long[(int) wordCount + LEAD];
    }

    /** How many words the array holds, its lead-in not counted. */
    public static int count(long[] words) {
        return words.length - LEAD;
    }

    /** How many words it takes to hold that many bits. */
    public static long forBits(long bitCount) {
        return (bitCount + Long.SIZE - 1) >>> 6;
    }
}
