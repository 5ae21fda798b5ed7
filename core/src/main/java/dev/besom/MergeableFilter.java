package dev.besom;

/** A filter that can take in all the keys of another of the same shape. */
public interface MergeableFilter extends InsertableFilter {

    /**
     * Adds every key of {@code other} to this filter. The other filter is left alone.
     *
     * @throws IllegalArgumentException if the two differ in kind, shape or seed; the message names the difference
     * @throws FilterFullException if there is no room for all of them; this filter is unchanged then
     */
    void mergeFrom(MergeableFilter other);
}
