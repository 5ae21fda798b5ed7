package dev.besom.lab.peer;

import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What a rival is made from.
 *
 * @param spec how many keys, and the seed; the rate follows from the memory
 * @param stored the stored hashes, for what repairs
 * @param mostBits all the memory that it may take
 * @param known the log of misses, for what learns from one beforehand
 * @param options its own options
 */
public record RivalPlan(
        FilterSpec spec, StoredHashes stored, long mostBits, Supplier<KnownMisses> known, Map<String, String> options) {

    /** The part of the memory that a cache takes, unless stated otherwise. */
    static final double CACHE_SHARE = 0.05;

    /** What a repair costs in reads of a key, unless stated otherwise: a range read, about as slow as a read. */
    static final double REPAIR_COST = 1;

    /** The memory of the cache. */
    long cacheBits() {
        return (long) (mostBits * option("cache", CACHE_SHARE, 0.9));
    }

    /** What a repair costs in reads of a key. */
    double repairCost() {
        return option("cost", REPAIR_COST, 1e9);
    }

    private double option(String name, double fallback, double most) {
        return new FilterSpec(1, 0.5, 0, options).option(name, fallback, 0, most);
    }
}
