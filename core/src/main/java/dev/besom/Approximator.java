package dev.besom;

/**
 * A map from hashes to elements of a lattice that forgets details: what it says of a hash is never below what was joined to it,
 * and now and then above. A hash to which nothing was joined has the least element, which says that it is not there, except now
 * and then.
 *
 * <p>Elements are numbers; which of them are there, and what <i>below</i> means, is a matter of the {@link Lattice}.
 */
public interface Approximator extends InsertableFilter {

    /** What elements are. All are numbers of {@link Approximator#elementBits()} bits. */
    enum Lattice {
        /** 0 and 1: whether a key is there. */
        BOOLEAN,
        /** Numbers, of which the largest one that was joined counts. The least element is 0. */
        MAX,
        /** Numbers, of which the smallest one that was joined counts. The least element, in this order, is the largest number. */
        MIN,
        /** Sets of small numbers, bit {@code i} for {@code i}, of which the union counts. The least element is the empty set. */
        SETS
    }

    /** What elements are. */
    Lattice lattice();

    /** The bits of an element, from 1 to 32; 1 for {@link Lattice#BOOLEAN}. */
    int elementBits();

    /** The element of a hash to which nothing was joined. */
    long bottom();

    /**
     * Joins an element to a hash: from then on the hash has at least that element.
     *
     * @return true if the hash was certainly not there before
     * @throws IllegalArgumentException if the element is negative or too wide
     */
    boolean joinHash(long hash, long element);

    /** What a hash has at most: never below the join of what it was given. */
    long elementOfHash(long hash);

    /** {@inheritDoc} The hash gets the greatest element. */
    @Override
    boolean insertHash(long hash);
}
