package dev.besom.cascade;

import dev.besom.FilterFullException;
import dev.besom.spi.FilterImage;
import dev.besom.spi.PersistentFilter;

/**
 * What a cascade needs of the filters that are its levels: a multiset of fingerprints, one a key, each a function of
 * the hash alone.
 *
 * <p>To be a level, a kind must be able to name the fingerprint of any hash as a number, and a range of hashes in
 * which all that have the same fingerprint are found. Both follow where the place of a fingerprint is given by the
 * upper bits of a hash, as in quotient filters. If two hashes are mistaken for each other and have different numbers
 * here, repairs still hold, but the key stays where it was and is mistaken again for others; if they have the same
 * number and are not mistaken for each other, keys move in vain.
 */
interface SingleHashFilter {

    /** Whether the fingerprint of a hash is in. */
    boolean mightContainHash(long hash);

    /**
     * Puts a hash in once more.
     *
     * @throws FilterFullException if there is no room; nothing has changed then
     */
    void insertHash(long hash);

    /** Takes out a hash that was put in. */
    void deleteHash(long hash);

    /** The fingerprint of a hash as a number, below {@link #fingerprintCount()}. */
    long fingerprint(long hash);

    /** How many fingerprints there are; at most 2^62. */
    long fingerprintCount();

    /** The part of the hashes with a fingerprint that {@link #mightContainHash} is true for now. */
    double foundShare(long fingerprint);

    /** No smaller hash, in unsigned order, has the fingerprint of the given one. */
    long firstAlike(long hash);

    /** No larger hash, in unsigned order, has the fingerprint of the given one. */
    long lastAlike(long hash);

    /**
     * Whether the filter has an entry that answers for a hash and is none of others' own.
     *
     * @param others keys that are in the filter once each, at least all those between {@link #firstAlike(long)} and
     *     {@link #lastAlike(long)}
     * @return false where it cannot be told
     */
    boolean hasEntryBeside(long hash, long[] others);

    /** The filter that holds the fingerprints. */
    PersistentFilter filter();

    /** How many fingerprints are in. */
    default long count() {
        return filter().count();
    }

    /** The memory of the filter. */
    default long sizeInBits() {
        return filter().sizeInBits();
    }

    /** The chance that a hash that was not put in is taken for one. */
    default double expectedFpp() {
        return filter().expectedFpp();
    }

    /** The state, in the form of the kind that the level is of. */
    default FilterImage image() {
        return filter().image();
    }
}
