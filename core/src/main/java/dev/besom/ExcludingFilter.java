package dev.besom;

/**
 * A filter over a list of keys that can be told, at any time, of one more key that is not in the list. From then on it answers
 * "no" for that key, for ever: nothing that was excluded is given up again.
 *
 * <p>The keys of the list do not change; who wants other ones builds another filter. So there is nothing to keep in step, and
 * the hashes of the list are needed only while a key is excluded.
 */
public interface ExcludingFilter extends MembershipFilter {

    /**
     * Tells the filter that a hash is not that of a key of its list. Where it answers "no" already this changes nothing.
     *
     * @param listed the hashes of all keys of the list; others may be among them. Where these are known to be fewer than the
     *     list has, nothing is changed
     * @return {@link Adaptation#FIXED}, or {@link Adaptation#INSEPARABLE} where the answer is still "maybe": a key of the list has
     *     the very same hash, or {@code listed} is too small to be the list
     */
    Adaptation excludeHash(long hash, StoredHashes listed);

    /** How many hashes were excluded that would be answered "maybe" otherwise. */
    long excludedCount();
}
