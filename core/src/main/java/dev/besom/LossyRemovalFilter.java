package dev.besom;

/**
 * A filter that gives keys up at a price: after removals it may answer "no" for keys that are there. It is the one
 * exception to the promise of {@link MembershipFilter}, and therefore not a {@link DeletableFilter}. As long as nothing
 * was removed there are no false negatives.
 */
public interface LossyRemovalFilter extends InsertableFilter {

    /**
     * Takes a key out. From then on {@link #mightContainHash(long)} is false for it, until it is inserted again; and for
     * each other key that was inserted before it becomes false with a chance of {@link #expectedFalseNegativeRate()}.
     *
     * @return false, and no change, where the filter did not take the key for present
     * @throws FilterFullException if another removal would make false negatives more frequent than was asked for; the
     *     filter is unchanged then
     */
    boolean removeHash(long hash);

    /**
     * Builds the filter anew from all keys that are there. No key is hidden afterwards, and all removals that the filter was
     * sized for are free again.
     */
    void regenerate(HashSource hashes);

    /** The chance that a key which is there is answered "no", in the filter's present state. */
    double expectedFalseNegativeRate();

    /** How many of the removals that the filter was sized for are used up. */
    long removedCount();
}
