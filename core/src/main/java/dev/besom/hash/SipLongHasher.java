package dev.besom.hash;

import java.util.Objects;
import java.util.Optional;

/** Numbers by the SipHash of their eight bytes, the lowest first. */
final class SipLongHasher implements LongHasher {

    private final HashSecret secret;
    private final SecretHash function;

    SipLongHasher(HashSecret secret, SecretHash function) {
        this.secret = Objects.requireNonNull(secret, "secret");
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    public long hash(long key) {
        return SipHash.hash(secret, function, key);
    }

    @Override
    public HasherStamp stamp() {
        return new HasherStamp(function.longsId(), secret.checkValue());
    }

    @Override
    public Optional<KeyHasher<Long>> withSecret(HashSecret newSecret, SecretHash newFunction) {
        return Optional.of(KeyHasher.secretLongs(newSecret, newFunction));
    }

    @Override
    public String toString() {
        return stamp().toString();
    }
}
