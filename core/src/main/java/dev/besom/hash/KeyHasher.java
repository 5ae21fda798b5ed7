package dev.besom.hash;

/**
 * Turns keys into the 64-bit hashes that filters work on. The same hasher with the same seed gives the same hash for
 * ever, on every machine and in every version: filters in files depend on it.
 *
 * <p>Hashers are immutable, may be used by many threads and allocate nothing.
 */
public interface KeyHasher<K> {

    long hash(K key);

    /** What a file records of this hasher, so that a reader can tell whether it has the right one. */
    HasherStamp stamp();
}
