package dev.besom.cuckoo;

import dev.besom.hash.Mix;

/** What slots hold of hashes: numbers from 1 on, because 0 is a free slot. */
final class Remainders {

    private static final long LOW_HALF = 0xFFFFFFFFL;
    private static final int QUARTER_BITS = 16;
    private static final long QUARTER = (1L << QUARTER_BITS) - 1;
    private static final long STEP = 0xC2B2AE3D27D4EB4FL;

    private final int bits;
    private final long values;

    Remainders(int bits) {
        this.bits = bits;
        this.values = (1L << bits) - 1;
    }

    int bits() {
        return bits;
    }

    /** The largest remainder; the low bits of a slot. */
    long mask() {
        return values;
    }

    /** Of a word whose upper bits have chosen a slot. */
    long of(long word) {
        return 1 + ((((word ^ (word >>> 32)) & LOW_HALF) * values) >>> 32);
    }

    /** Number {@code index} of a word. */
    long of(long word, long index) {
        return 1 + (((Mix.mix(word + index * STEP) >>> 32) * values) >>> 32);
    }

    /** Four remainders of up to 16 bits, side by side, of a word that is mixed well. */
    long four(long word) {
        return quarter(word, 0)
                | (quarter(word, 1) << bits)
                | (quarter(word, 2) << (2 * bits))
                | (quarter(word, 3) << (3 * bits));
    }

    /** One of {@link #four}. */
    long quarter(long word, int index) {
        return 1 + ((((word >>> (QUARTER_BITS * index)) & QUARTER) * values) >>> QUARTER_BITS);
    }
}
