package dev.besom.lab.peer;

import dev.besom.DeletableFilter;

/**
 * A quotient filter before a cache of its latest false positives: the cache-augmented filter of the debate whether to adapt or to
 * cache. The cache holds whole hashes of 8 bytes each.
 */
final class CachedQuotient extends CachedFilter<DeletableFilter> implements DeletableFilter {

    CachedQuotient(RivalPlan plan) {
        super("quotient", DeletableFilter.class, plan, Long.SIZE);
    }

    @Override
    public boolean deleteHash(long hash) {
        return filter.deleteHash(hash);
    }
}
