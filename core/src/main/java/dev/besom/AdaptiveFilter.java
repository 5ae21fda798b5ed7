package dev.besom;

/**
 * A filter that repairs the false positives it is told of. It is bound, when made, to the {@link StoredHashes} of the
 * dictionary it stands before.
 *
 * <p>The stored hashes must cover every key that the filter holds, at the latest when {@link #repair(long)} or
 * {@link #delete(long)} is called for a hash in the same range; a key whose insert is still under way on either side
 * does no harm.
 */
public interface AdaptiveFilter extends DeletableFilter {

    /**
     * Tells the filter that {@code hash}, for which it answered "maybe", is not the hash of a stored key, so that it
     * answers "no" from now on.
     *
     * <p>Where the hash is not a false positive any more (another thread repaired it first), this changes nothing and
     * says {@link Adaptation#FIXED}.
     */
    Adaptation repair(long hash);

    /** What repairs have cost and kept since the filter was made or read from a file. */
    AdaptationStatistics adaptationStatistics();
}
