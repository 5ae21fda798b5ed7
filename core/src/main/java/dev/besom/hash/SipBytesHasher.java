package dev.besom.hash;

import java.util.Objects;
import java.util.Optional;

/** Bytes by SipHash. */
final class SipBytesHasher implements BytesHasher {

    private final HashSecret secret;
    private final SecretHash function;

    SipBytesHasher(HashSecret secret, SecretHash function) {
        this.secret = Objects.requireNonNull(secret, "secret");
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    public long hash(byte[] bytes, int offset, int length) {
        return SipHash.hash(secret, function, bytes, offset, length);
    }

    @Override
    public HasherStamp stamp() {
        return new HasherStamp(function.bytesId(), secret.checkValue());
    }

    @Override
    public Optional<KeyHasher<byte[]>> withSecret(HashSecret newSecret, SecretHash newFunction) {
        return Optional.of(KeyHasher.secretBytes(newSecret, newFunction));
    }

    @Override
    public String toString() {
        return stamp().toString();
    }
}
