package dev.besom.hash;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.Optional;
import java.util.UUID;

/** UUIDs by the hash that {@link RapidBytesHasher} gives to their sixteen bytes. */
final class RapidUuidHasher implements KeyHasher<UUID> {

    private final long seed;
    private final Hasher64 hasher;

    RapidUuidHasher(long seed) {
        this.seed = seed;
        this.hasher = Hashing.rapidhashV3(seed);
    }

    @Override
    public long hash(UUID key) {
        // hash4j takes the lowest byte of a number first, and a UUID is written with its highest first.
        return hasher.hashLongLongToLong(
                Long.reverseBytes(key.getMostSignificantBits()), Long.reverseBytes(key.getLeastSignificantBits()));
    }

    @Override
    public HasherStamp stamp() {
        return new HasherStamp(HasherStamp.BYTES_ID, seed);
    }

    @Override
    public Optional<KeyHasher<UUID>> withSecret(HashSecret secret, SecretHash function) {
        return Optional.of(KeyHasher.secretUuids(secret, function));
    }

    @Override
    public String toString() {
        return stamp().toString();
    }
}
