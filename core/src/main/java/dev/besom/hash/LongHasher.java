package dev.besom.hash;

/** Hashes 64-bit numbers without boxing them. */
public interface LongHasher extends KeyHasher<Long> {

    /** The hash of a number. */
    long hash(long key);

    @Override
    default long hash(Long key) {
        return hash(key.longValue());
    }
}
