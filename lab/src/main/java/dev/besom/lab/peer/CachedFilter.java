package dev.besom.lab.peer;

import dev.besom.InsertableFilter;
import dev.besom.filters.Filters;

/**
 * A filter before a cache of misses, which answers those "no". Both share the given memory.
 *
 * @param <F> the filter
 */
abstract class CachedFilter<F extends InsertableFilter> implements Rival {

    final F filter;
    private final MissCache cache;

    /**
     * @param bitsAnEntry what a key takes in the cache
     */
    CachedFilter(String kind, Class<F> type, RivalPlan plan, int bitsAnEntry) {
        long cacheBits = plan.cacheBits();
        filter = type.cast(
                EqualMemory.make(Filters.kind(kind), plan.spec(), plan.mostBits() - cacheBits, plan.stored()));
        // What the filter leaves over, because its entries have whole bits, goes to the cache.
        cache = new MissCache(cacheBits == 0 ? 0 : plan.mostBits() - filter.sizeInBits(), bitsAnEntry);
    }

    @Override
    public final boolean mightContainHash(long hash) {
        return filter.mightContainHash(hash) && !cache.contains(hash);
    }

    @Override
    public final void learnMissing(long hash) {
        cache.add(hash);
    }

    @Override
    public final boolean insertHash(long hash) {
        cache.remove(hash);
        return filter.insertHash(hash);
    }

    @Override
    public final long count() {
        return filter.count();
    }

    @Override
    public final long sizeInBits() {
        return filter.sizeInBits() + cache.sizeInBits();
    }

    @Override
    public final double expectedFpp() {
        return filter.expectedFpp();
    }
}
