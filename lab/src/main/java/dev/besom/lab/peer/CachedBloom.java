package dev.besom.lab.peer;

import dev.besom.InsertableFilter;
import dev.besom.filters.Filters;

/**
 * A Bloom filter before a cache of misses as applications have one: a map on the heap, whose entries take {@value
 * #BYTES_AN_ENTRY} bytes. Filter and cache share the given memory.
 */
final class CachedBloom implements Rival {

    /** A boxed key (16), an entry of a linked hash map (40) and its place in a table that is two thirds full (6). */
    static final int BYTES_AN_ENTRY = 62;

    private final InsertableFilter filter;
    private final MissCache cache;

    CachedBloom(RivalPlan plan) {
        long cacheBits = plan.cacheBits();
        filter = (InsertableFilter)
                EqualMemory.make(Filters.kind("bloom"), plan.spec(), plan.mostBits() - cacheBits, plan.stored());
        // What the filter leaves over, because its entries have whole bits, goes to the cache.
        cache = new MissCache(cacheBits == 0 ? 0 : plan.mostBits() - filter.sizeInBits(), BYTES_AN_ENTRY * Byte.SIZE);
    }

    @Override
    public boolean mightContainHash(long hash) {
        return filter.mightContainHash(hash) && !cache.contains(hash);
    }

    @Override
    public void learnMissing(long hash) {
        cache.add(hash);
    }

    @Override
    public boolean insertHash(long hash) {
        cache.remove(hash);
        return filter.insertHash(hash);
    }

    @Override
    public long count() {
        return filter.count();
    }

    @Override
    public long sizeInBits() {
        return filter.sizeInBits() + cache.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        return filter.expectedFpp();
    }
}
