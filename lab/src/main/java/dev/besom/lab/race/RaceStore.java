package dev.besom.lab.race;

import dev.besom.StoredHashes;

/** A real store that holds the keys of a race: what a "maybe" and a repair cost is then what they cost there. */
public interface RaceStore extends AutoCloseable {

    /** Reads the key that has this hash; whether it is stored. */
    boolean find(long hash);

    /** The hashes of the stored keys, as the store keeps them. */
    StoredHashes hashes();

    /** Bytes of blocks that the store has gone through so far, in files and in its own caches; -1 where it does not tell. */
    long bytesTouched();

    @Override
    void close();

    /** Opens a store that holds the keys of the given hashes. */
    @FunctionalInterface
    interface Opener {
        RaceStore open(long[] hashes);
    }
}
