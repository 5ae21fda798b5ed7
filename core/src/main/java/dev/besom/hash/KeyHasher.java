package dev.besom.hash;

import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Turns keys into the 64-bit hashes that filters work on. The same hasher with the same seed gives the same hash for
 * ever, on every machine and in every version: filters in files depend on it.
 *
 * <p>Hashers are immutable, may be used by many threads and allocate nothing.
 *
 * <ul>
 *   <li>{@link #bytes()} and {@link #utf8()} give the same hash for a text and for its bytes in UTF-8, so they share
 *       one stamp: a filter built from lines of a file can be queried with strings.
 *   <li>{@link #chars()} hashes UTF-16 code units as they are. It is faster for texts that are not ASCII, and its
 *       hashes have nothing to do with those of {@link #utf8()}.
 *   <li>{@link #longs()} is a permutation of the 64-bit numbers for each seed: no two keys share a hash. {@link #ints()}
 *       gives a number the hash that it has as a {@code long}, and they share one stamp.
 *   <li>{@link #uuids()} gives a UUID the hash of its sixteen bytes, the highest first, and shares the stamp of
 *       {@link #bytes()}: a filter of UUIDs can be queried with the bytes of a database's column.
 *   <li>{@link #of(String, KeyFeeder)} and {@link #ofBytes(String, Function)} hash types of the user's own, under a name that
 *       files record.
 *   <li>The {@code secret...} hashers are for keys chosen by an adversary: without the {@link HashSecret} nobody can
 *       tell which keys collide.
 * </ul>
 *
 * <p>An empty array and an empty text are keys like any other.
 *
 * @param <K> the keys
 */
public interface KeyHasher<K> {

    /** The seed of the hashers that are made without one. */
    long DEFAULT_SEED = 0x6265736F6DL;

    /** The hash of a key. */
    long hash(K key);

    /** What a file records of this hasher, so that a reader can tell whether it has the right one. */
    HasherStamp stamp();

    /**
     * A hasher of the same keys under a secret. Every hasher made here has one; a class that implements this interface by
     * itself has none unless it says so.
     */
    default Optional<KeyHasher<K>> withSecret(HashSecret secret, SecretHash function) {
        return Optional.empty();
    }

    /** {@link #withSecret(HashSecret, SecretHash)} by SipHash-2-4. */
    default Optional<KeyHasher<K>> withSecret(HashSecret secret) {
        return withSecret(secret, SecretHash.SIPHASH_2_4);
    }

    /**
     * Whether a guard may take this hasher as it is although it has no form under a secret. A guard refuses other hashers
     * without one: whoever knows such a hasher can make keys whose hashes collide, and no repair helps against that. To be
     * overridden by a class that keeps a secret of its own, or whose keys no stranger chooses.
     */
    default boolean needsNoSecret() {
        return false;
    }

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

    /** {@link #ints(long)} with the {@linkplain #DEFAULT_SEED default seed}. */
    static IntHasher ints() {
        return ints(DEFAULT_SEED);
    }

    /** Numbers of 32 bits, by what {@link #longs(long)} makes of them. */
    static IntHasher ints(long seed) {
        return new WidenedIntHasher(longs(seed));
    }

    /** {@link #uuids(long)} with the {@linkplain #DEFAULT_SEED default seed}. */
    static KeyHasher<UUID> uuids() {
        return uuids(DEFAULT_SEED);
    }

    /** UUIDs, by what {@link #bytes(long)} makes of their sixteen bytes, the highest first. */
    static KeyHasher<UUID> uuids(long seed) {
        return new RapidUuidHasher(seed);
    }

    /** {@link #of(String, KeyFeeder, long)} with the {@linkplain #DEFAULT_SEED default seed}. */
    static <K> KeyHasher<K> of(String name, KeyFeeder<? super K> feeder) {
        return of(name, feeder, DEFAULT_SEED);
    }

    /**
     * Keys of a type of the user's own, by rapidhash over the parts that a feeder gives.
     *
     * @param name that stands in files for the feeder: letters, digits, dots, hyphens and underscores, at most
     *     {@value HasherStamp#LONGEST_NAME} of them; another feeder must have another name
     */
    static <K> KeyHasher<K> of(String name, KeyFeeder<? super K> feeder, long seed) {
        return new FedHasher<>(HasherStamp.userKeys(name), feeder, bytes(seed));
    }

    /** {@link #ofBytes(String, Function, long)} with the {@linkplain #DEFAULT_SEED default seed}. */
    static <K> KeyHasher<K> ofBytes(String name, Function<? super K, byte[]> toBytes) {
        return ofBytes(name, toBytes, DEFAULT_SEED);
    }

    /**
     * Keys of a type of the user's own, by rapidhash over the bytes that they become. Different keys must become different
     * bytes.
     *
     * @param name as in {@link #of(String, KeyFeeder, long)}
     */
    static <K> KeyHasher<K> ofBytes(String name, Function<? super K, byte[]> toBytes, long seed) {
        return of(name, (key, sink) -> sink.putRaw(toBytes.apply(key)), seed);
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

    /** {@link #secretChars(HashSecret, SecretHash)} by SipHash-2-4. */
    static KeyHasher<CharSequence> secretChars(HashSecret secret) {
        return secretChars(secret, SecretHash.SIPHASH_2_4);
    }

    /** Texts under a secret, hashed as their UTF-16 code units, two bytes each with the lower first. */
    static KeyHasher<CharSequence> secretChars(HashSecret secret, SecretHash function) {
        return new FedHasher<>(
                HasherStamp.CHARS, (text, sink) -> sink.putCodeUnits(text), secretBytes(secret, function));
    }

    /** {@link #secretInts(HashSecret, SecretHash)} by SipHash-2-4. */
    static IntHasher secretInts(HashSecret secret) {
        return secretInts(secret, SecretHash.SIPHASH_2_4);
    }

    /** Numbers of 32 bits under a secret, by what {@link #secretLongs(HashSecret, SecretHash)} makes of them. */
    static IntHasher secretInts(HashSecret secret, SecretHash function) {
        return new WidenedIntHasher(secretLongs(secret, function));
    }

    /** {@link #secretUuids(HashSecret, SecretHash)} by SipHash-2-4. */
    static KeyHasher<UUID> secretUuids(HashSecret secret) {
        return secretUuids(secret, SecretHash.SIPHASH_2_4);
    }

    /** UUIDs under a secret, by what {@link #secretBytes(HashSecret, SecretHash)} makes of their sixteen bytes. */
    static KeyHasher<UUID> secretUuids(HashSecret secret, SecretHash function) {
        return new SipUuidHasher(secret, function);
    }

    /** {@link #secretOf(String, KeyFeeder, HashSecret, SecretHash)} by SipHash-2-4. */
    static <K> KeyHasher<K> secretOf(String name, KeyFeeder<? super K> feeder, HashSecret secret) {
        return secretOf(name, feeder, secret, SecretHash.SIPHASH_2_4);
    }

    /**
     * Keys of a type of the user's own under a secret.
     *
     * @param name as in {@link #of(String, KeyFeeder, long)}
     */
    static <K> KeyHasher<K> secretOf(String name, KeyFeeder<? super K> feeder, HashSecret secret, SecretHash function) {
        return new FedHasher<>(HasherStamp.userKeys(name), feeder, secretBytes(secret, function));
    }
}
