package dev.besom;

import java.util.Objects;

/** A filter that takes keys one by one. */
public interface InsertableFilter extends MembershipFilter {

    /**
     * Puts a hash in. From then on {@link #mightContainHash(long)} is true for it.
     *
     * @return true if the filter would have answered "no" just before, so that the key is certainly new
     * @throws FilterFullException if the structure has no room; the filter is unchanged then
     */
    boolean insertHash(long hash);

    /**
     * Puts many hashes in, as fast as the structure can. The caller must be the only one who changes the filter
     * meanwhile, unless it is a {@link ConcurrentFilter}.
     *
     * @throws FilterFullException if the structure has no room; the hashes before the first that found none are in
     */
    default void insertHashes(long[] hashes, int from, int count) {
        Objects.checkFromIndexSize(from, count, hashes.length);
        for (int i = from; i < from + count; i++) {
            insertHash(hashes[i]);
        }
    }
}
