package dev.besom.distribution;

import dev.besom.InsertableFilter;

/**
 * A filter that knows a distribution, and can be told the class of a key by whoever has more than its hash.
 *
 * <p>A hash must be asked for with the class it was put in with. With a hash alone the class is looked up; where only the
 * caller could tell it, the filter puts the hash in for every class and asks for it in any, so that nothing is lost.
 */
public interface ClassifiedFilter extends InsertableFilter {

    /** What the filter knows. */
    Distribution distribution();

    /** Puts in a hash of a class. */
    boolean insert(long hash, int keyClass);

    /** Asks for a hash of a class. */
    boolean mightContain(long hash, int keyClass);

    @Override
    default boolean insertHash(long hash) {
        return insert(hash, distribution().classOf(hash));
    }

    @Override
    default boolean mightContainHash(long hash) {
        return mightContain(hash, distribution().classOf(hash));
    }
}
