package dev.besom;

/** What became of a repair. */
public enum Adaptation {
    /** The filter answers "no" for the hash now, and every earlier repair still holds. */
    FIXED,
    /** The filter answers "no" for the hash now; some earlier repairs were given up to make room. */
    FORGOT,
    /** A stored key has the very same 64-bit hash: no filter over hashes can tell the two apart. */
    INSEPARABLE
}
