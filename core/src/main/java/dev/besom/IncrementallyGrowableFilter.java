package dev.besom;

import dev.besom.spi.PersistentFilter;

/**
 * An adaptive filter that can move to another capacity little by little while it serves, and takes along what it has
 * learned. The others have to be built anew for that, from the stored hashes.
 */
public interface IncrementallyGrowableFilter extends AdaptiveFilter, PersistentFilter {

    /**
     * A filter of another capacity that holds all the stored hashes, made in one pass over them, with the options and
     * the seed of this one and without its repairs. Keys that are in this filter only are not in the new one: store
     * first, or let no insert be under way.
     *
     * @throws FilterFullException if the stored hashes are more than fit
     */
    IncrementallyGrowableFilter grown(long newCapacity);

    /** The beginning of a move to another capacity. */
    IncrementalGrowth growth(long newCapacity);
}
