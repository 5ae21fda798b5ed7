package dev.besom.bloomier;

import dev.besom.EntrySource;
import dev.besom.FilterSpec;
import dev.besom.fuse.SortedHashes;
import java.util.Arrays;
import java.util.BitSet;

/** The entries of a source in memory: different hashes in ascending (signed) order, each with its value. */
final class Entries {

    /** With more bits a value would not fit into a slot beside a fingerprint of 32 bits. */
    static final int MOST_VALUE_BITS = 32;

    static final int MOST_ENTRIES = 1 << 30;

    private final SortedHashes hashes;
    private final long[] values;

    private Entries(SortedHashes hashes, long[] values) {
        this.hashes = hashes;
        this.values = values;
    }

    /**
     * Gathers the entries of a source.
     *
     * @throws IllegalArgumentException if there are too many, a hash has two values, or a value is negative or too large
     */
    static Entries of(EntrySource source) {
        if (source.count() > MOST_ENTRIES) {
            throw new IllegalArgumentException("a map holds at most " + MOST_ENTRIES + " keys, not " + source.count());
        }
        long[] all = new long[(int) source.count()];
        int[] next = {0};
        source.forEach((hash, value) -> all[next[0]++] = hash);
        Arrays.sort(all);
        int kept = 0;
        for (int i = 0; i < all.length; i++) {
            if (i == 0 || all[i] != all[i - 1]) {
                all[kept++] = all[i];
            }
        }
        SortedHashes hashes = new SortedHashes(kept == all.length ? all : Arrays.copyOf(all, kept));
        long[] values = new long[kept];
        BitSet isKnown = new BitSet(kept);
        source.forEach((hash, value) -> {
            int index = hashes.indexOf(hash);
            checkValue(value, MOST_VALUE_BITS);
            if (isKnown.get(index) && values[index] != value) {
                throw new IllegalArgumentException("a key cannot have two values, " + values[index] + " and " + value);
            }
            values[index] = value;
            isKnown.set(index);
        });
        return new Entries(hashes, values);
    }

    static void checkValue(long value, int bits) {
        if (value < 0 || value >>> bits != 0) {
            throw new IllegalArgumentException(
                    "a value of " + bits + " bits is from 0 to " + ((1L << bits) - 1) + ", not " + value);
        }
    }

    /** The bits that values take: those of the largest one, or what the option {@code valueBits} says. */
    int valueBits(FilterSpec spec) {
        long largest = Arrays.stream(values).max().orElse(0);
        int needed = Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(largest));
        int bits = (int) spec.option("valueBits", needed, 1, MOST_VALUE_BITS);
        checkValue(largest, bits);
        return bits;
    }

    int count() {
        return values.length;
    }

    SortedHashes sorted() {
        return hashes;
    }

    /** Shared, not copied. */
    long[] hashes() {
        return hashes.hashes();
    }

    long value(int index) {
        return values[index];
    }
}
