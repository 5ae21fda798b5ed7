package dev.besom.hash;

import java.util.Objects;
import java.util.Optional;

/** Texts by the SipHash of their bytes in UTF-8, which are never laid out in an array. */
final class SipUtf8Hasher implements KeyHasher<CharSequence> {

    private final HashSecret secret;
    private final SecretHash function;

    SipUtf8Hasher(HashSecret secret, SecretHash function) {
        this.secret = Objects.requireNonNull(secret, "secret");
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    public long hash(CharSequence key) {
        return SipHash.hash(secret, function, key);
    }

    @Override
    public HasherStamp stamp() {
        return new HasherStamp(function.bytesId(), secret.checkValue());
    }

    @Override
    public Optional<KeyHasher<CharSequence>> withSecret(HashSecret newSecret, SecretHash newFunction) {
        return Optional.of(KeyHasher.secretUtf8(newSecret, newFunction));
    }

    @Override
    public String toString() {
        return stamp().toString();
    }
}
