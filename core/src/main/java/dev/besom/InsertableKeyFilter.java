package dev.besom;

import dev.besom.hash.KeyHasher;

/** A hasher bound to a filter that takes keys. Made by {@link KeyFilter#of(KeyHasher, InsertableFilter)}. */
public sealed class InsertableKeyFilter<K> extends KeyFilter<K> permits DeletableKeyFilter {

    private final InsertableFilter filter;

    InsertableKeyFilter(KeyHasher<? super K> hasher, InsertableFilter filter) {
        super(hasher, filter);
        this.filter = filter;
    }

    /**
     * Puts a key in.
     *
     * @return true if the key is certainly new
     * @throws FilterFullException if the filter has no room; it is unchanged then
     */
    public final boolean add(K key) {
        return filter.insertHash(hasher().hash(key));
    }

    @Override
    public InsertableFilter filter() {
        return filter;
    }
}
