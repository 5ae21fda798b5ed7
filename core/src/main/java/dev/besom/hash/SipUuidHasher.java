package dev.besom.hash;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** UUIDs by the SipHash of their sixteen bytes, the highest first. */
final class SipUuidHasher implements KeyHasher<UUID> {

    private final HashSecret secret;
    private final SecretHash function;

    SipUuidHasher(HashSecret secret, SecretHash function) {
        this.secret = Objects.requireNonNull(secret, "secret");
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    public long hash(UUID key) {
        return SipHash.hash(
                secret,
                function,
                Long.reverseBytes(key.getMostSignificantBits()),
                Long.reverseBytes(key.getLeastSignificantBits()));
    }

    @Override
    public HasherStamp stamp() {
        return new HasherStamp(function.bytesId(), secret.checkValue());
    }

    @Override
    public Optional<KeyHasher<UUID>> withSecret(HashSecret newSecret, SecretHash newFunction) {
        return Optional.of(new SipUuidHasher(newSecret, newFunction));
    }

    @Override
    public String toString() {
        return stamp().toString();
    }
}
