package dev.besom.hash;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.Optional;

/** Texts by hash4j's rapidhash V3 over their UTF-16 code units, two bytes each, the lower first. */
final class RapidCharsHasher implements KeyHasher<CharSequence> {

    private final long seed;
    private final Hasher64 hasher;

    RapidCharsHasher(long seed) {
        this.seed = seed;
        this.hasher = Hashing.rapidhashV3(seed);
    }

    @Override
    public long hash(CharSequence key) {
        return hasher.hashCharsToLong(key);
    }

    @Override
    public HasherStamp stamp() {
        return new HasherStamp(HasherStamp.CHARS_ID, seed);
    }

    @Override
    public Optional<KeyHasher<CharSequence>> withSecret(HashSecret secret, SecretHash function) {
        return Optional.of(KeyHasher.secretChars(secret, function));
    }

    @Override
    public String toString() {
        return stamp().toString();
    }
}
