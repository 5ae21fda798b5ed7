package dev.besom;

/**
 * An adaptive filter that can move to another capacity little by little while it serves, and takes along what it has
 * learned. The others have to be built anew for that, from the stored hashes.
 */
public interface IncrementallyGrowableFilter extends AdaptiveFilter, GrowableFilter {

    @Override
    IncrementallyGrowableFilter grown(long newCapacity, StoredHashes stored);

    /** The beginning of a move to another capacity, before the same stored hashes. */
    IncrementalGrowth growth(long newCapacity);
}
