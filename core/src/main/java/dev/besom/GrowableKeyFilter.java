package dev.besom;

/**
 * A filter of keys that can be had in another capacity by reading the hashes of its keys again.
 *
 * @param <K> the keys
 */
public interface GrowableKeyFilter<K> extends InsertableKeyFilter<K> {

    /**
     * A filter of another capacity that holds all the stored keys; see {@link GrowableFilter#grown}. This filter is left alone.
     *
     * @param stored the hashes of the keys, by this filter's hasher
     * @throws FilterFullException if they are more than fit
     */
    GrowableKeyFilter<K> grown(long newCapacity, StoredHashes stored);
}
