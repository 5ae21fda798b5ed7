package dev.besom;

import dev.besom.hash.KeyHasher;

/** A hasher bound to a filter that gives keys up again. Made by {@link KeyFilter#of(KeyHasher, DeletableFilter)}. */
public final class DeletableKeyFilter<K> extends InsertableKeyFilter<K> {

    private final DeletableFilter filter;

    DeletableKeyFilter(KeyHasher<? super K> hasher, DeletableFilter filter) {
        super(hasher, filter);
        this.filter = filter;
    }

    /**
     * Takes out a key that was put in before; see {@link DeletableFilter#deleteHash(long)} on keys that were not.
     *
     * @return false, and no change, where nothing matched
     */
    public boolean remove(K key) {
        return filter.deleteHash(hasher().hash(key));
    }

    @Override
    public DeletableFilter filter() {
        return filter;
    }
}
