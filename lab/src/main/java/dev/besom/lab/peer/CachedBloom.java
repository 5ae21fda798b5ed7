package dev.besom.lab.peer;

import dev.besom.InsertableFilter;

/**
 * A Bloom filter before a cache of misses as applications have one: a map on the heap, whose entries take {@value
 * #BYTES_AN_ENTRY} bytes.
 */
final class CachedBloom extends CachedFilter<InsertableFilter> {

    /** A boxed key (16), an entry of a linked hash map (40) and its place in a table that is two thirds full (6). */
    static final int BYTES_AN_ENTRY = 62;

    CachedBloom(RivalPlan plan) {
        super("bloom", InsertableFilter.class, plan, BYTES_AN_ENTRY * Byte.SIZE);
    }
}
