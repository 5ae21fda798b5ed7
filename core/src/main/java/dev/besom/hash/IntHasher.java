package dev.besom.hash;

/** Hashes 32-bit numbers without boxing them: each has the hash of the 64-bit number that equals it. */
public interface IntHasher extends KeyHasher<Integer> {

    /** The hash of a number. */
    long hash(int key);

    @Override
    default long hash(Integer key) {
        return hash(key.intValue());
    }
}
