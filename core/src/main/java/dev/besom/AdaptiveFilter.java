package dev.besom;

/**
 * A filter that repairs the false positives it is told of. It is bound, when made, to the {@link StoredHashes} of the
 * dictionary it stands before.
 *
 * <p>Keys that are in the filter and not in the store, or in the store and not in the filter, because a change is under
 * way, do no harm; but not both sorts at once. A slot of a key that is not stored looks exactly like one of a stored key
 * with the same fingerprint that is not in the filter, and no repair can tell them apart. So keep one order: insert into
 * the filter first and the store second, delete from the store first and the filter second. Then the filter always
 * holds at least what the store holds.
 *
 * <p>One thread at a time changes a filter. A query that another one makes meanwhile ends all the same, with any
 * answer or an exception: whoever asks without a lock has to find out afterwards whether anything was changed.
 *
 * <p>Whenever a change reads the {@link StoredHashes}, the filter holds all keys that it held before the change, but for one
 * that is being deleted. So queries may be let in while a change waits for the store, and where the store fails no key is
 * lost.
 */
public interface AdaptiveFilter extends DeletableFilter {

    /**
     * Tells the filter that {@code hash}, for which it answered "maybe", is not the hash of a stored key, so that it
     * answers "no" from now on.
     *
     * <p>Where the hash is not a false positive any more (another thread repaired it first), this changes nothing and
     * says {@link Adaptation#FIXED}.
     */
    Adaptation repairHash(long hash);

    /**
     * Memory that the filter has for an index of its own beside it, by which it finds the keys that a repair changes. It is no
     * part of {@link #sizeInBits()}, and 0 as long as the stored hashes are all that the filter needs.
     */
    default long indexSizeInBits() {
        return 0;
    }

    /** What repairs have cost and kept since the filter was made or read from a file. */
    AdaptationStatistics adaptationStatistics();
}
