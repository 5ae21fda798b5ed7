package dev.besom.hash;

/**
 * Turns keys into the 64-bit hashes that filters work on. The same hasher with the same seed gives the same hash for
 * ever, on every machine and in every version: filters in files depend on it.
 *
 * <p>Hashers are immutable, may be used by many threads and allocate nothing.
 *
 * <ul>
 *   <li>{@link #bytes()} and {@link #utf8()} give the same hash for a text and for its bytes in UTF-8, so they share
 *       one stamp: a filter built from lines of a file can be asked with strings.
 *   <li>{@link #chars()} hashes UTF-16 code units as they are. It is faster for texts that are not ASCII, and its
 *       hashes have nothing to do with those of {@link #utf8()}.
 *   <li>{@link #longs()} is a permutation of the 64-bit numbers for each seed: no two keys share a hash.
 *   <li>The {@code secret...} hashers are for keys chosen by an adversary: without the {@link HashSecret} nobody can
 *       tell which keys collide.
 * </ul>
 *
 * <p>An empty array and an empty text are keys like any other.
 */
public interface KeyHasher<K> {

    /** The seed of the hashers that are made without one. */
    long DEFAULT_SEED = 0x6265736F6DL;

    /** The hash of a key: equal keys have equal hashes, for ever. */
    long hash(K key);

    /** What a file records of this hasher, so that a reader can tell whether it has the right one. */
    HasherStamp stamp();

    /** {@link #bytes(long)} with the {@linkplain #DEFAULT_SEED default seed}. */
    static BytesHasher bytes() {
        return bytes(DEFAULT_SEED);
    }

    /** Byte arrays and ranges of them, by rapidhash. */
    static BytesHasher bytes(long seed) {
        return new RapidBytesHasher(seed);
    }

    /** {@link #utf8(long)} with the {@linkplain #DEFAULT_SEED default seed}. */
    static KeyHasher<CharSequence> utf8() {
        return utf8(DEFAULT_SEED);
    }

    /**
     * Texts, by what {@link #bytes(long)} makes of their bytes in UTF-8. As in {@link String#getBytes}, a surrogate
     * without its other half counts as a question mark.
     */
    static KeyHasher<CharSequence> utf8(long seed) {
        return new RapidUtf8Hasher(seed);
    }

    /** {@link #chars(long)} with the {@linkplain #DEFAULT_SEED default seed}. */
    static KeyHasher<CharSequence> chars() {
        return chars(DEFAULT_SEED);
    }

    /** Texts, by rapidhash over their UTF-16 code units. */
    static KeyHasher<CharSequence> chars(long seed) {
        return new RapidCharsHasher(seed);
    }

    /** {@link #longs(long)} with the {@linkplain #DEFAULT_SEED default seed}. */
    static LongHasher longs() {
        return longs(DEFAULT_SEED);
    }

    /** Numbers of 64 bits, by a seeded permutation. */
    static LongHasher longs(long seed) {
        return new MixedLongHasher(seed);
    }

    /** {@link #secretBytes(HashSecret, SecretHash)} by SipHash-2-4. */
    static BytesHasher secretBytes(HashSecret secret) {
        return secretBytes(secret, SecretHash.SIPHASH_2_4);
    }

    /** Byte arrays and ranges of them, under a secret. */
    static BytesHasher secretBytes(HashSecret secret, SecretHash function) {
        return new SipBytesHasher(secret, function);
    }

    /** {@link #secretUtf8(HashSecret, SecretHash)} by SipHash-2-4. */
    static KeyHasher<CharSequence> secretUtf8(HashSecret secret) {
        return secretUtf8(secret, SecretHash.SIPHASH_2_4);
    }

    /** Texts under a secret, by what {@link #secretBytes(HashSecret, SecretHash)} makes of their bytes in UTF-8. */
    static KeyHasher<CharSequence> secretUtf8(HashSecret secret, SecretHash function) {
        return new SipUtf8Hasher(secret, function);
    }

    /** {@link #secretLongs(HashSecret, SecretHash)} by SipHash-2-4. */
    static LongHasher secretLongs(HashSecret secret) {
        return secretLongs(secret, SecretHash.SIPHASH_2_4);
    }

    /** Numbers of 64 bits under a secret, hashed as their eight bytes with the lowest first. */
    static LongHasher secretLongs(HashSecret secret, SecretHash function) {
        return new SipLongHasher(secret, function);
    }
}
