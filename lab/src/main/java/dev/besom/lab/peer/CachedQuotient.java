package dev.besom.lab.peer;

import dev.besom.DeletableFilter;
import dev.besom.filters.Filters;

/**
 * A quotient filter before a cache of its latest false positives, which answers those "no": the cache-augmented filter of the
 * debate whether to adapt or to cache. The cache holds whole hashes of 8 bytes each, and both share the given memory.
 */
final class CachedQuotient implements Rival, DeletableFilter {

    private static final int BITS_AN_ENTRY = Long.SIZE;

    private final DeletableFilter filter;
    private final MissCache cache;

    CachedQuotient(RivalPlan plan) {
        long cacheBits = plan.cacheBits();
        filter = (DeletableFilter)
                EqualMemory.make(Filters.kind("quotient"), plan.spec(), plan.mostBits() - cacheBits, plan.stored());
        // What the filter leaves over, because its entries have whole bits, goes to the cache.
        cache = new MissCache(cacheBits == 0 ? 0 : plan.mostBits() - filter.sizeInBits(), BITS_AN_ENTRY);
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
    public boolean deleteHash(long hash) {
        return filter.deleteHash(hash);
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
