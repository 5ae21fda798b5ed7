package dev.besom.hash;

import java.util.Optional;

/** Numbers of 32 bits by what a hasher makes of the same numbers of 64 bits. */
final class WidenedIntHasher implements IntHasher {

    private final LongHasher longs;

    WidenedIntHasher(LongHasher longs) {
        this.longs = longs;
    }

    @Override
    public long hash(int key) {
        return longs.hash((long) key);
    }

    @Override
    public HasherStamp stamp() {
        return longs.stamp();
    }

    @Override
    public Optional<KeyHasher<Integer>> withSecret(HashSecret secret, SecretHash function) {
        return Optional.of(KeyHasher.secretInts(secret, function));
    }

    @Override
    public String toString() {
        return stamp().toString();
    }
}
