package dev.besom.cuckoo;

import dev.besom.bits.FastRange;
import dev.besom.bits.PackedArray;
import dev.besom.hash.Mix;
import java.util.Arrays;

/**
 * Which two places belong together, for a fingerprint: {@code other(other(place))} is the place again, whatever the number
 * of places. So a fingerprint can be moved without knowing its key.
 *
 * <pre>
 *   places     0   1   2   3   4   5   6   7   8   9        10 places, a fingerprint of offset 3
 *              |   +---+   |   |   |   +---+   |   |        place + other place = 3, or 3 + 10
 *              +-----------+   |   +-----------+   |
 *                              +-------------------+
 * </pre>
 *
 * The usual exclusive or of a place and a hash of the fingerprint stays within the table only if the number of places is a
 * power of two. Here the other place is the mirror image, {@code offset - place} modulo the number of places. If that
 * number is even, offsets are odd, and no place is its own mirror image; if it is odd, one of them is.
 *
 * <p><b>Ranges.</b> With ranges, a place's mirror image lies in its own range of places, so that both are near each other in
 * memory. One size for all ranges would have to be large, or some of them would overflow; so fingerprints come in four
 * classes with ranges of different sizes, powers of two. The last range of a class takes what is left, up to twice
 * the size.
 *
 * <p>M. Wang, M. Zhou, S. Shi and C. Qian: Vacuum filters: more space-efficient and faster replacement for Bloom and cuckoo
 * filters. VLDB 2020.
 */
final class Pairing {

    /** Classes of fingerprints, with ranges of a size each. */
    static final int CLASSES = 4;

    /** The largest shift of a range, in which each table is one range. */
    static final int WHOLE = 63;

    private static final long SEED_SALT = 0x3956C25BF348B538L;
    private static final int CLASS_MASK = CLASSES - 1;
    private static final int SHIFT_BITS = 8;

    /** A table of offsets takes at most one bit for so many bits of the slots. */
    private static final int SLOT_BITS_PER_OFFSET_BIT = 128;

    /**
     * What the offsets of fingerprints of 8 bits are taken from, fractions of 2^32, for pairs from all over a table. They are the same in
     * all filters, large ones and small ones, so that queries find offsets in one way: a loop that knows two takes a third longer.
     */
    private static final int[] FRACTIONS = new int[1 << Byte.SIZE];

    static {
        Arrays.setAll(FRACTIONS, i -> (int) (Mix.expand(i, SEED_SALT, 0) >>> Integer.SIZE));
    }

    private final long places;
    private final long factor;
    private final boolean isOfBytes;
    private final boolean isRanged;
    private final int shifts;

    /** 1 if the number of places is even, and so offsets are odd. */
    private final int even;

    /** The offsets of all fingerprints, which take a few multiplications to compute; of none if they are many, or have ranges. */
    private final int[] offsets;

    private Pairing(long places, long seed, boolean isOfBytes, boolean isRanged, int shifts, int offsetCount) {
        this.places = places;
        this.factor = Mix.factor(seed + SEED_SALT);
        this.isOfBytes = isOfBytes;
        this.isRanged = isRanged;
        this.shifts = shifts;
        this.even = even(places);
        this.offsets = new int[offsetCount];
        Arrays.setAll(offsets, i -> (int) offset(Mix.scatter(i, factor), places));
    }

    /**
     * Pairs from all over the table.
     *
     * @param slots the table, whose size says whether a table of offsets is worth its memory
     */
    static Pairing of(long places, long seed, PackedArray slots) {
        long values = 1L << slots.widthInBits();
        boolean isOfBytes = values == FRACTIONS.length;
        boolean isTabled = !isOfBytes
                && places <= Integer.MAX_VALUE
                && values * Integer.SIZE * SLOT_BITS_PER_OFFSET_BIT <= slots.sizeInBits();
        return new Pairing(places, seed, isOfBytes, false, 0, isTabled ? (int) values : 0);
    }

    /**
     * Pairs within ranges.
     *
     * @param shifts of the four classes of fingerprints: ranges of {@code 1 << shift} places
     */
    static Pairing ranged(long places, long seed, int... shifts) {
        if (shifts.length != CLASSES) {
            throw new IllegalArgumentException(CLASSES + " classes of ranges, not " + shifts.length);
        }
        int packed = 0;
        for (int i = 0; i < CLASSES; i++) {
            packed |= shifts[i] << (SHIFT_BITS * i);
        }
        return new Pairing(places, seed, false, true, packed, 0);
    }

    boolean isRanged() {
        return isRanged;
    }

    /** The shift of a class's ranges. */
    int shift(int fingerprintClass) {
        return isRanged ? (shifts >>> (SHIFT_BITS * fingerprintClass)) & ((1 << SHIFT_BITS) - 1) : WHOLE;
    }

    /** The memory of the table of offsets. */
    long sizeInBits() {
        return (long) offsets.length * Integer.SIZE;
    }

    /** The other place of a fingerprint that may be in one. */
    long other(long place, long fingerprint) {
        if (isOfBytes) {
            return mirrored(place, offsetOfByte((int) fingerprint), places);
        }
        if (offsets.length > 0) {
            return mirrored(place, offsets[(int) fingerprint], places);
        }
        long scattered = Mix.scatter(fingerprint, factor);
        return isRanged
                ? otherInRange(place, fingerprint, scattered)
                : mirrored(place, offset(scattered, places), places);
    }

    /** {@link #other} of a fingerprint of 8 bits without ranges, in fewer instructions. */
    int otherOfByte(int place, int fingerprint) {
        int mirrored = (int) offsetOfByte(fingerprint) - place;
        return mirrored + ((mirrored >> 31) & (int) places);
    }

    private long offsetOfByte(int fingerprint) {
        // With a power of two in this form the compiler sees that no index is out of bounds.
        long fraction = Integer.toUnsignedLong(FRACTIONS[fingerprint & FRACTIONS.length - 1]);
        return FastRange.placeOfHalf(fraction, places) | even;
    }

    private long otherInRange(long place, long fingerprint, long scattered) {
        int shift = shift((int) fingerprint & CLASS_MASK);
        long last = Math.max(0, (places >>> shift) - 1);
        long range = Math.min(place >>> shift, last);
        long start = range << shift;
        long size = range == last ? places - start : 1L << shift;
        return start + mirrored(place - start, offset(scattered, size), size);
    }

    private static long offset(long scattered, long size) {
        int even = even(size);
        return (FastRange.place(scattered, size >>> even) << even) | even;
    }

    private static int even(long size) {
        return (int) (~size & 1);
    }

    private static long mirrored(long place, long offset, long size) {
        long mirrored = offset - place;
        return mirrored + ((mirrored >> 63) & size);
    }
}
