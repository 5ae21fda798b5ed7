package dev.besom.stored;

import dev.besom.StoredHashes;
import java.util.function.LongConsumer;

/**
 * Stored hashes that can change to another hash function little by little, and so let an adaptive filter change its own.
 * They live in two ordered sets, one for each function, and each hash in exactly one of them. Which one follows from
 * {@link #rehash()}, which is kept with the hashes and changes together with them.
 *
 * <p>What the ranges of {@link StoredHashes} give are <i>positions</i>, of both sets together. Where nothing was ever
 * changed a hash's position is the hash itself.
 */
public interface RehashableHashes extends StoredHashes {

    /** How far the change has come. */
    Rehash rehash();

    /** Begins a change of all hashes to the next function. */
    void begin(Rehash begun);

    /** The positions of the old set in a range, in ascending unsigned order. */
    long[] oldBetween(long lo, long hi);

    /**
     * Moves all hashes of the cell at the frontier from the old set to the new one, and the frontier past the cell, in one
     * atomic write: after a failure, all of it has happened or nothing, and {@link #rehash()} says which.
     */
    void moveCell();

    /** Gives every position of both sets in a range, in ascending unsigned order. */
    @Override
    void forEachBetween(long lo, long hi, LongConsumer action);
}
