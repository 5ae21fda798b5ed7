package dev.besom;

/**
 * A filter that can take in all the keys of another of the same shape.
 *
 * @param <K> the keys
 */
public interface MergeableKeyFilter<K> extends InsertableKeyFilter<K> {

    /**
     * Adds every key of {@code other} to this filter. The other filter is left alone.
     *
     * @throws IllegalArgumentException if the two differ in hasher, kind, shape or seed; the message names the difference
     * @throws FilterFullException if there is no room for all of them; this filter is unchanged then
     */
    void mergeFrom(KeyFilter<K> other);
}
