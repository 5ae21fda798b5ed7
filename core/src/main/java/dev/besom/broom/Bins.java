package dev.besom.broom;

import dev.besom.bits.Words;

/**
 * An array of bins: slots in runs. Knows nothing of what slots hold.
 *
 * <p>What a bin's own bits leave free is a string of bits that belongs to others. Its first part lies in a word that every query
 * reads.
 */
abstract sealed class Bins permits LineBins, WideBins {

    final BinLayout layout;
    final long[] words;
    final int binCount;

    /** Takes over the words of bins. */
    Bins(BinLayout layout, int binCount, long[] words) {
        if (binCount < 1 || Words.count(words) != wordCount(layout, binCount)) {
            throw new IllegalArgumentException(Words.count(words) + " words are not " + binCount + " bins");
        }
        this.layout = layout;
        this.words = words;
        this.binCount = binCount;
    }

    static long wordCount(BinLayout layout, long binCount) {
        return Math.multiplyExact(binCount, layout.words());
    }

    /** The index of a bin's first word. */
    abstract int base(int bin);

    abstract boolean isOccupied(int base, int run);

    /** The last slot of a run that has any. */
    abstract int runEnd(int base, int run);

    /** The run of a slot in use. */
    abstract int runOf(int base, int slot);

    /** Whether a slot is the first of its run. */
    abstract boolean startsRun(int base, int slot);

    /** How many slots are in use. */
    abstract int used(int base);

    final boolean isFull(int base) {
        return used(base) == layout.slots();
    }

    abstract long slot(int base, int slot);

    /** Adds a slot at the end of a run, of a bin that is not full; returns where it is. */
    abstract int open(int base, int run, long value);

    /** Takes a slot of a run away. */
    abstract void close(int base, int run, int slot);

    /** How many bits of a bin are free. */
    abstract int freeBits();

    /** How many of them are in the first part. */
    abstract int firstFreeBits();

    /** The first part of a bin's free bits. */
    abstract long firstFree(int base);

    /** The 64 free bits from one on; behind the last one they are 0. */
    abstract long free(int base, int from);

    /** Changes the free bits; of a longer string the rest is left out. */
    abstract void setFree(int base, long[] bits);

    /**
     * Checks one bin.
     *
     * @throws IllegalStateException if no operations could have made it
     */
    abstract void check(int bin);
}
