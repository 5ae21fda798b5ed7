package dev.besom.hash;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a file records of the hasher whose hashes it holds, and the way back to that hasher.
 *
 * <p>An id names what is hashed, the function and the version of the two: {@code bytes:rapidhash3:1}. Texts as UTF-8
 * have the hashes and so the stamp of their bytes.
 *
 * @param id the hasher's frozen name
 * @param seed the seed; for a secret hasher a check value of its key, from which the key cannot be found
 */
public record HasherStamp(String id, long seed) {

    static final String BYTES_ID = "bytes:rapidhash3:1";
    static final String CHARS_ID = "chars:rapidhash3:1";
    static final String LONGS_ID = "longs:mix:1";

    /** The stamp of a filter that was given bare hashes. */
    public static final HasherStamp NONE = new HasherStamp("none", 0);

    public HasherStamp {
        Objects.requireNonNull(id, "id");
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
     * @throws IllegalArgumentException if there is none for UTF-16 code units
     */
    public KeyHasher<CharSequence> toCharsHasher() {
        require(id.equals(CHARS_ID), "texts as UTF-16");
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
            if (id.equals(function.bytesId()) || id.equals(function.longsId())) {
                return function;
            }
        }
        return null;
    }

    private boolean isKnown() {
        return isOfBytes() || isOfLongs() || id.equals(CHARS_ID);
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
