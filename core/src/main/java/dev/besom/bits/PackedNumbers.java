package dev.besom.bits;

/** An array of unsigned numbers of one width with no gaps between them. */
public interface PackedNumbers {

    /** The number at an index. */
    long get(long index);

    /** Stores the low bits of the value. */
    void set(long index, long value);
}
