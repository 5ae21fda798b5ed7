package dev.besom.lab.peer;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;

/** Gives filters of different kinds the same memory: each is planned for the lowest rate that fits into it. */
public final class EqualMemory {

    /** Rates are searched between these powers of two. */
    private static final double LOWEST_LOG_RATE = -30;

    private static final double HIGHEST_LOG_RATE = -0.1;
    private static final int SEARCH_STEPS = 24;

    private EqualMemory() {}

    /**
     * What is planned for the lowest rate whose empty filter takes at most so many bits.
     *
     * @param kind one that can be made empty
     * @param spec capacity, seed and options; its rate does not count
     * @throws IllegalArgumentException if the kind takes more than that at any rate
     */
    public static FilterSpec fit(Kind kind, FilterSpec spec, long mostBits) {
        double low = LOWEST_LOG_RATE;
        double high = HIGHEST_LOG_RATE;
        if (sizeInBits(kind, at(spec, high)) > mostBits) {
            throw new IllegalArgumentException("kind " + kind.name() + " takes more than " + mostBits + " bits for "
                    + spec.capacity() + " keys at any rate");
        }
        for (int step = 0; step < SEARCH_STEPS; step++) {
            double middle = (low + high) / 2;
            if (sizeInBits(kind, at(spec, middle)) <= mostBits) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return at(spec, high);
    }

    /** An empty filter of the lowest planned rate that takes at most so many bits. */
    static PersistentFilter make(Kind kind, FilterSpec spec, long mostBits, StoredHashes stored) {
        return kind.make(fit(kind, spec, mostBits), stored);
    }

    private static FilterSpec at(FilterSpec spec, double logRate) {
        return spec.withFpp(Math.pow(2, logRate));
    }

    /** A kind that refuses a rate as too low for it takes more than any memory there. */
    private static long sizeInBits(Kind kind, FilterSpec spec) {
        try {
            return kind.make(spec, StoredHashes.none()).sizeInBits();
        } catch (IllegalArgumentException e) {
            if (spec.fpp() > 0.25) {
                throw e;
            }
            return Long.MAX_VALUE;
        }
    }
}
