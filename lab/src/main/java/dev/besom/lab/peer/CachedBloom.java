package dev.besom.lab.peer;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.bloom.IndexScheme;

/**
 * A Bloom filter before a cache of misses as applications have one: a map on the heap, whose entries take {@value
 * #BYTES_AN_ENTRY} bytes.
 */
final class CachedBloom extends CachedFilter<InsertableFilter> {

    /** A boxed key (16), an entry of a linked hash map (40) and its place in a table that is two thirds full (6). */
    static final int BYTES_AN_ENTRY = 62;

    CachedBloom(RivalPlan plan) {
        super("bloom", InsertableFilter.class, withBitsAnywhere(plan), BYTES_AN_ENTRY * Byte.SIZE);
    }

    /** The smallest Bloom filter, as all have the same memory. */
    private static RivalPlan withBitsAnywhere(RivalPlan plan) {
        FilterSpec spec = plan.spec().with("scheme", IndexScheme.ENHANCED_DOUBLE.label());
        return new RivalPlan(spec, plan.stored(), plan.mostBits(), plan.known(), plan.options());
    }
}
