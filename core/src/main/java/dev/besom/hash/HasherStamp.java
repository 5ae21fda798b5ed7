package dev.besom.hash;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a file records of the hasher whose hashes it holds, and the way back to that hasher.
 *
 * <p>An id names what is hashed, the function and the version of the two: {@code bytes:rapidhash3:1}. Texts as UTF-8 and
 * UUIDs have the hashes and so the stamp of their bytes. The user's own types have the name that the user gave:
 * {@code user:seat:rapidhash3:1}.
 *
 * @param id the hasher's frozen name
 * @param seed the seed; for a secret hasher a check value of its key, from which the key cannot be found
 */
public record HasherStamp(String id, long seed) {

    static final String BYTES_ID = "bytes:rapidhash3:1";
    static final String CHARS = "chars";
    static final String CHARS_ID = CHARS + ":rapidhash3:1";
    static final String LONGS_ID = "longs:mix:1";

    /** The most characters in the name of a type of the user's own; a file has room for 255 in an id. */
    public static final int LONGEST_NAME = 100;

    private static final String USER = "user:";

    /** The stamp of a filter that was given bare hashes. */
    public static final HasherStamp NONE = new HasherStamp("none", 0);

    /** Refuses no id, as those of later versions are not known. */
    public HasherStamp {
        Objects.requireNonNull(id, "id");
    }

    /**
     * What an id says of the keys of a type of the user's own.
     *
     * @throws IllegalArgumentException if it is no such name
     */
    static String userKeys(String name) {
        if (!name.matches("[A-Za-z0-9._-]{1," + LONGEST_NAME + "}")) {
            throw new IllegalArgumentException("the name of a hasher is 1 to " + LONGEST_NAME
                    + " letters, digits, dots, hyphens and underscores, not '" + name + "'");
        }
        return USER + name;
    }

    /** The name that {@link KeyHasher#of(String, KeyFeeder)} was given for a type of the user's own, if it is one. */
    public Optional<String> userName() {
        int end = id.indexOf(':', USER.length());
        return id.startsWith(USER) && end > 0 ? Optional.of(id.substring(USER.length(), end)) : Optional.empty();
    }

    /** Whether it is the stamp of a hasher that was made with neither a seed nor a secret. */
    public boolean hasDefaultSeed() {
        return !isSecret() && seed == KeyHasher.DEFAULT_SEED && !equals(NONE);
    }

    /** Whether it takes a {@link HashSecret} to make the hasher. */
    public boolean isSecret() {
        return secretFunction() != null;
    }

    /** Whether the hasher takes bytes, and so texts as UTF-8 too. */
    public boolean isOfBytes() {
        SecretHash function = secretFunction();
        return function == null ? id.equals(BYTES_ID) : id.equals(function.bytesId());
    }

    /** Whether the hasher takes 64-bit numbers. */
    public boolean isOfLongs() {
        SecretHash function = secretFunction();
        return function == null ? id.equals(LONGS_ID) : id.equals(function.longsId());
    }

    /**
     * The hasher with this stamp.
     *
     * @throws IllegalArgumentException if there is none for bytes or it is a secret one
     */
    public BytesHasher toBytesHasher() {
        require(isOfBytes(), "bytes");
        requireOpen();
        return KeyHasher.bytes(seed);
    }

    /**
     * The hasher with this stamp for texts as UTF-8.
     *
     * @throws IllegalArgumentException if there is none for texts as UTF-8 or it is a secret one
     */
    public KeyHasher<CharSequence> toUtf8Hasher() {
        require(isOfBytes(), "texts as UTF-8");
        requireOpen();
        return KeyHasher.utf8(seed);
    }

    /**
     * The hasher with this stamp.
     *
     * @throws IllegalArgumentException if there is none for UTF-16 code units or it is a secret one
     */
    public KeyHasher<CharSequence> toCharsHasher() {
        require(isOfChars(), "texts as UTF-16");
        requireOpen();
        return KeyHasher.chars(seed);
    }

    /**
     * The hasher with this stamp.
     *
     * @throws IllegalArgumentException if there is none for 64-bit numbers or it is a secret one
     */
    public LongHasher toLongHasher() {
        require(isOfLongs(), "64-bit numbers");
        requireOpen();
        return KeyHasher.longs(seed);
    }

    /**
     * The secret hasher with this stamp.
     *
     * @throws IllegalArgumentException if there is no secret one for bytes or the secret is another
     */
    public BytesHasher toBytesHasher(HashSecret secret) {
        require(isOfBytes(), "bytes");
        return KeyHasher.secretBytes(secret, requireSecret(secret));
    }

    /**
     * The secret hasher with this stamp for texts as UTF-8.
     *
     * @throws IllegalArgumentException if there is no secret one for texts as UTF-8 or the secret is another
     */
    public KeyHasher<CharSequence> toUtf8Hasher(HashSecret secret) {
        require(isOfBytes(), "texts as UTF-8");
        return KeyHasher.secretUtf8(secret, requireSecret(secret));
    }

    /**
     * The secret hasher with this stamp for UTF-16 code units.
     *
     * @throws IllegalArgumentException if there is no secret one for UTF-16 code units or the secret is another
     */
    public KeyHasher<CharSequence> toCharsHasher(HashSecret secret) {
        require(isOfChars(), "texts as UTF-16");
        return KeyHasher.secretChars(secret, requireSecret(secret));
    }

    /**
     * The secret hasher with this stamp.
     *
     * @throws IllegalArgumentException if there is no secret one for 64-bit numbers or the secret is another
     */
    public LongHasher toLongHasher(HashSecret secret) {
        require(isOfLongs(), "64-bit numbers");
        return KeyHasher.secretLongs(secret, requireSecret(secret));
    }

    private @Nullable SecretHash secretFunction() {
        for (SecretHash function : SecretHash.values()) {
            if (id.endsWith(":" + function.function())) {
                return function;
            }
        }
        return null;
    }

    private boolean isOfChars() {
        SecretHash function = secretFunction();
        return function == null ? id.equals(CHARS_ID) : id.equals(CHARS + ":" + function.function());
    }

    private boolean isKnown() {
        return isOfBytes() || isOfLongs() || isOfChars() || userName().isPresent();
    }

    private void require(boolean suits, String keys) {
        if (!suits) {
            throw new IllegalArgumentException(
                    isKnown()
                            ? "the hasher '" + id + "' is not for " + keys
                            : equals(NONE)
                                    ? "the filter was given bare hashes, so there is no hasher for " + keys
                                    : "no hasher is known by the name '" + id + "'");
        }
    }

    private void requireOpen() {
        if (isSecret()) {
            throw new IllegalArgumentException("the hasher '" + id + "' needs its secret");
        }
    }

    private SecretHash requireSecret(HashSecret secret) {
        SecretHash function = secretFunction();
        if (function == null) {
            throw new IllegalArgumentException("the hasher '" + id + "' has a seed and takes no secret");
        }
        if (secret.checkValue() != seed) {
            throw new IllegalArgumentException("the secret is not the one of this '" + id + "' hasher");
        }
        return function;
    }
}
