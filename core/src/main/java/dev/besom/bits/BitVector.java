package dev.besom.bits;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A fixed number of bits with 64-bit indexes.
 *
 * <p>Reads are plain. {@link #set(long)} is for a single writer; {@link #setAtomically(long)} for many at once, beside
 * readers: no set bit is ever lost.
 */
public final class BitVector {

    /** The largest vector, bounded by the length of a Java array: 17 GB. */
    public static final long MAX_SIZE_IN_BITS = Words.MAX_COUNT << 6;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] words;
    private final long sizeInBits;

    /** So many bits, all 0. */
    public BitVector(long sizeInBits) {
        this(Words.allocate(Words.forBits(sizeInBits)), sizeInBits);
    }

    /** Takes over an array made by {@link Words}, whose bits past the size must be 0. */
    public BitVector(long[] words, long sizeInBits) {
        if (sizeInBits < 0 || Words.count(words) != Words.forBits(sizeInBits)) {
            throw new IllegalArgumentException(Words.count(words) + " words do not hold " + sizeInBits + " bits");
        }
        if ((sizeInBits & 63) != 0 && words[words.length - 1] >>> sizeInBits != 0) {
            throw new IllegalArgumentException("bits past the end of the vector are set");
        }
        this.words = words;
        this.sizeInBits = sizeInBits;
    }

    /** Whether the bit is set. */
    public boolean get(long index) {
        return bit(index) != 0;
    }

    /** The bit as 0 or 1. */
    public long bit(long index) {
        return words[(int) (index >>> 6) + Words.LEAD] >>> index & 1;
    }

    /** Sets the bit; true if it was not set. */
    public boolean set(long index) {
        int at = (int) (index >>> 6) + Words.LEAD;
        long before = words[at];
        long after = before | 1L << index;
        words[at] = after;
        return before != after;
    }

    /** Sets the bit for all threads; true if it was not set. */
    public boolean setAtomically(long index) {
        int at = (int) (index >>> 6) + Words.LEAD;
        long mask = 1L << index;
        if ((words[at] & mask) != 0) {
            return false;
        }
        return ((long) WORD.getAndBitwiseOr(words, at, mask) & mask) == 0;
    }

    /** Sets the bits of a mask in one word for all threads. */
    public void setAtomically(int wordIndex, long mask) {
        int at = wordIndex + Words.LEAD;
        if ((words[at] & mask) != mask) {
            WORD.getAndBitwiseOr(words, at, mask);
        }
    }

    /** Sets the bit to 0. */
    public void clear(long index) {
        words[(int) (index >>> 6) + Words.LEAD] &= ~(1L << index);
    }

    /** How many bits there are. */
    public long sizeInBits() {
        return sizeInBits;
    }

    /** How many bits are set. */
    public long cardinality() {
        long set = 0;
        for (int i = Words.LEAD; i < words.length; i++) {
            set += Long.bitCount(words[i]);
        }
        return set;
    }

    /** Sets every bit that the other vector has set. */
    public void or(BitVector other) {
        checkSameSize(other);
        for (int i = Words.LEAD; i < words.length; i++) {
            words[i] |= other.words[i];
        }
    }

    /** Clears every bit that the other vector does not have set. */
    public void and(BitVector other) {
        checkSameSize(other);
        for (int i = Words.LEAD; i < words.length; i++) {
            words[i] &= other.words[i];
        }
    }

    /** A vector of the same bits with memory of its own. */
    public BitVector copy() {
        return new BitVector(words.clone(), sizeInBits);
    }

    /** The array behind the vector, lead-in included. */
    public long[] words() {
        return words;
    }

    private void checkSameSize(BitVector other) {
        if (other.sizeInBits != sizeInBits) {
            throw new IllegalArgumentException(
                    "vectors of " + sizeInBits + " and " + other.sizeInBits + " bits do not match");
        }
    }
}
