package dev.besom.hash;

import java.util.Objects;

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
    public String toString() {
        return stamp().toString();
    }
}
