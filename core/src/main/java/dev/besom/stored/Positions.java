package dev.besom.stored;

import dev.besom.hash.Permutation;

/**
 * Where hashes are at one moment of their way from one hash function to the next, for queries: what depends on the moment alone is
 * computed in advance. All hashes of a part but one have one function, so that one permutation is enough, and no guess.
 */
public final class Positions {

    private final Rehash rehash;
    private final long partOfFrontier;
    private final long oldKey;

    /** The bits in which the keys of both functions differ. */
    private final long keyChange;

    /** All bits where old positions are the hashes themselves; none otherwise. */
    private final long oldIsHash;

    Positions(Rehash rehash) {
        this.rehash = rehash;
        this.partOfFrontier = rehash.partOfFrontier();
        this.oldKey = rehash.oldKey();
        this.keyChange = oldKey ^ rehash.newKey();
        this.oldIsHash = rehash.generation() == 0 ? -1 : 0;
    }

    /** Where a hash is. */
    public long of(long hash) {
        long part = hash >>> (Long.SIZE - Rehash.PART_BITS);
        if (part == partOfFrontier) {
            return ofFrontier(hash);
        }
        long isNew = (part - partOfFrontier) >> (Long.SIZE - 1);
        long permuted = Permutation.apply(hash, oldKey ^ (keyChange & isNew));
        return permuted ^ ((permuted ^ hash) & oldIsHash & ~isNew);
    }

    private long ofFrontier(long hash) {
        long old = rehash.oldPosition(hash);
        return rehash.isMoved(old) ? rehash.newPosition(hash) : old;
    }
}
