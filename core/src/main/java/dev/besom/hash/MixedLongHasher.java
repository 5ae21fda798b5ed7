package dev.besom.hash;

import java.util.Optional;

/**
 * Two rounds of {@link Mix#mix(long)} with a key before each. Both keys are mixed from the seed, so that seeds which lie
 * close together give hashes that have nothing in common, even for keys that lie close together.
 */
final class MixedLongHasher implements LongHasher {

    private final long seed;
    private final long firstKey;
    private final long secondKey;

    MixedLongHasher(long seed) {
        this.seed = seed;
        this.firstKey = Mix.expand(seed, 0, 0);
        this.secondKey = Mix.expand(seed, 0, 1);
    }

    @Override
    public long hash(long key) {
        return Mix.mix(Mix.mix(key ^ firstKey) + secondKey);
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
