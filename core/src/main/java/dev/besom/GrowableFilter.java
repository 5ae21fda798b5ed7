package dev.besom;

/**
 * A filter that can be had in another capacity by reading the stored hashes again. Its entries do not tell the hashes they
 * come from, so the hashes are needed.
 */
public interface GrowableFilter extends InsertableFilter {

    /**
     * A filter of another capacity that holds all the stored hashes, made in one pass over them, with the options and the
     * seed of this one. An adaptive filter is bound to them and starts without repairs. This filter is left alone. Keys
     * that are in this filter only are not in the new one: store first, or let no insert be in flight.
     *
     * @throws FilterFullException if the stored hashes are more than fit
     */
    GrowableFilter grown(long newCapacity, StoredHashes stored);
}
