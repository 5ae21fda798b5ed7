package dev.besom;

/**
 * A filter that takes keys.
 *
 * @param <K> the keys
 */
public interface InsertableKeyFilter<K> extends KeyFilter<K> {

    /**
     * Puts a key in. From then on {@link #mightContain} is true for it.
     *
     * @return true if the key is certainly new
     * @throws FilterFullException if the filter has no room; it is unchanged then
     */
    boolean add(K key);

    /**
     * Puts many keys in, as fast as the filter can. The caller must be the only one who changes the filter meanwhile.
     *
     * @throws FilterFullException if the filter has no room; the keys before the first that found none may be in
     */
    void addAll(Iterable<? extends K> keys);
}
