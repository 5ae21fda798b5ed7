package dev.besom.distribution;

import dev.besom.InsertableFilter;

/**
 * A filter that knows a distribution, and can be told the class of a key by whoever has more than its hash.
 *
 * <p>A hash must be queried with the class it was inserted with. With a hash alone the class is looked up; where only the
 * caller could tell it, the filter inserts the hash for every class and queries any, so that nothing is lost.
 */
public interface ClassifiedFilter extends InsertableFilter {

    /** What the filter knows. */
    Distribution distribution();

    /** Inserts a hash of a class; true if a query would have been answered "no" before. */
    boolean insertHash(long hash, int keyClass);

    /** Whether a hash of a class might be in. */
    boolean mightContainHash(long hash, int keyClass);

    /**
     * This filter with the caller's classifier at hand, which a file does not hold; it takes this one's place. Without its
     * classifier a filter loses nothing, but it cannot tell classes apart and answers "maybe" more often, or always.
     *
     * @throws IllegalArgumentException if the classifier is not the one that the filter was made with
     */
    ClassifiedFilter bind(HashClassifier classifier);

    @Override
    default boolean insertHash(long hash) {
        return insertHash(hash, distribution().classOf(hash));
    }

    @Override
    default boolean mightContainHash(long hash) {
        return mightContainHash(hash, distribution().classOf(hash));
    }
}
