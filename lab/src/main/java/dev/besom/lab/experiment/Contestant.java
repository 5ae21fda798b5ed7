package dev.besom.lab.experiment;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.StoredHashes;
import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.util.Map;

/**
 * A kind of filter with options, and a way to give several of them the same memory.
 *
 * @param label what it is called in plots
 * @param kind the kind's name
 * @param options the kind's options
 */
record Contestant(String label, String kind, Map<String, String> options) {

    /** Rates are searched between these. */
    private static final double LOWEST_LOG_RATE = -30;

    private static final double HIGHEST_LOG_RATE = -0.1;
    private static final int SEARCH_STEPS = 24;

    Contestant {
        options = Map.copyOf(options);
    }

    static Contestant of(String kind) {
        return new Contestant(kind, kind, Map.of());
    }

    /** An empty filter. */
    InsertableFilter make(FilterSpec spec, StoredHashes stored) {
        return insertable(Filters.kind(kind).make(withOptions(spec), stored));
    }

    /** The filter of the lowest planned rate that takes no more memory than given for so many keys. */
    InsertableFilter make(long keys, long mostBits, long seed, StoredHashes stored) {
        Kind made = Filters.kind(kind);
        double low = LOWEST_LOG_RATE;
        double high = HIGHEST_LOG_RATE;
        for (int step = 0; step < SEARCH_STEPS; step++) {
            double middle = (low + high) / 2;
            if (made.make(spec(keys, middle, seed), StoredHashes.none()).sizeInBits() <= mostBits) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return insertable(made.make(spec(keys, high, seed), stored));
    }

    private FilterSpec spec(long keys, double logRate, long seed) {
        return withOptions(FilterSpec.of(keys, Math.pow(2, logRate)).withSeed(seed));
    }

    private FilterSpec withOptions(FilterSpec spec) {
        return new FilterSpec(spec.capacity(), spec.fpp(), spec.seed(), options);
    }

    private InsertableFilter insertable(PersistentFilter filter) {
        if (filter instanceof InsertableFilter insertable) {
            return insertable;
        }
        throw new IllegalArgumentException("kind " + kind + " takes no keys one by one");
    }
}
