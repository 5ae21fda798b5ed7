package dev.besom.hash;

/**
 * What a file records of the hasher whose hashes it holds.
 *
 * @param id the hasher's frozen name
 * @param seed the seed; for a secret hasher a check value of its key, from which the key cannot be found
 */
public record HasherStamp(String id, long seed) {

    /** The stamp of a filter that was given bare hashes. */
    public static final HasherStamp NONE = new HasherStamp("none", 0);
}
