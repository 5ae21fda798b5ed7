package dev.besom.hash;

import java.util.Optional;

/**
 * {@link Mix#mix(long)} of a key that was xored with a mixed seed: seeds that lie close together give hashes that have
 * nothing in common, even for keys that lie close together. A permutation: different numbers have different hashes.
 */
final class MixedLongHasher implements LongHasher {

    private final long seed;
    private final long mixedSeed;

    MixedLongHasher(long seed) {
        this.seed = seed;
        this.mixedSeed = Mix.expand(seed, 0, 0);
    }

    @Override
    public long hash(long key) {
        return Mix.mix(key ^ mixedSeed);
    }

    @Override
    public HasherStamp stamp() {
        return new HasherStamp(HasherStamp.LONGS_ID, seed);
    }

    @Override
    public Optional<KeyHasher<Long>> withSecret(HashSecret secret, SecretHash function) {
        return Optional.of(KeyHasher.secretLongs(secret, function));
    }

    @Override
    public String toString() {
        return stamp().toString();
    }
}
