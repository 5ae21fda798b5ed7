package dev.besom;

/** What became of a repair. */
public enum Adaptation {
    /** The filter answers "no" for the hash now, and every earlier repair still holds. */
    FIXED,
    /** The filter answers "no" for the hash now; some earlier repairs were given up to make room. */
    FORGOT,
    /**
     * The filter still answers "maybe" for the hash. A stored key has the very same 64-bit hash, and no filter over
     * hashes can tell the two apart; or an insert or delete is under way, so that it is not certain which key owns what
     * the hash met, and changing it might lose a key; or the hash meets so many keys in one place that all the room there
     * is not enough to tell it from each of them, which takes fingerprints of a bit or two. In the second and the third
     * case a later repair may succeed.
     */
    INSEPARABLE
}
