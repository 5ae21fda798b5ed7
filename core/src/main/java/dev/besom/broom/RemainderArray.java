package dev.besom.broom;

import dev.besom.bits.BitMoves;
import dev.besom.bits.PackedArray;
import dev.besom.bits.Words;

/**
 * What signatures leave of remainders: a number for each slot of each bin, in the order of bins and slots and without gaps.
 * The slots in use of a bin are its first ones, here as there; what is behind them is 0.
 */
final class RemainderArray {

    private final PackedArray rests;
    private final int slotsPerBin;
    private final int width;

    RemainderArray(int binCount, int slotsPerBin, int width) {
        this.rests = new PackedArray((long) binCount * slotsPerBin, width);
        this.slotsPerBin = slotsPerBin;
        this.width = width;
    }

    /** Takes over the words of an array. */
    RemainderArray(int binCount, int slotsPerBin, int width, long[] words) {
        this.rests = new PackedArray(words, (long) binCount * slotsPerBin, width);
        this.slotsPerBin = slotsPerBin;
        this.width = width;
    }

    private long index(int bin, int slot) {
        return (long) bin * slotsPerBin + slot;
    }

    long get(int bin, int slot) {
        return rests.get(index(bin, slot));
    }

    /** Makes room for a slot before those from it on; so many were in use. */
    void open(int bin, int slot, int used, long rest) {
        long start = index(bin, 0) * width;
        int bit = (int) start & 63;
        BitMoves.up(rests.words(), base(start), bit + slot * width, bit + used * width, width);
        rests.set(index(bin, slot), rest);
    }

    /** Takes a slot away; so many were in use. */
    void close(int bin, int slot, int used) {
        long start = index(bin, 0) * width;
        int bit = (int) start & 63;
        BitMoves.down(rests.words(), base(start), bit + (slot + 1) * width, bit + used * width, width);
        rests.set(index(bin, used - 1), 0);
    }

    private static int base(long bit) {
        return Words.LEAD + (int) (bit >>> 6);
    }

    long[] words() {
        return rests.words();
    }

    /**
     * Checks one bin of which so many slots are in use.
     *
     * @throws IllegalStateException if others are not empty
     */
    void check(int bin, int used) {
        for (int slot = used; slot < slotsPerBin; slot++) {
            if (get(bin, slot) != 0) {
                throw new IllegalStateException("bin " + bin + " has a remainder at slot " + slot + " of " + used);
            }
        }
    }
}
