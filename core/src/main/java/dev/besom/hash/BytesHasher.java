package dev.besom.hash;

import java.util.Objects;

/** Hashes byte arrays and ranges of them: a range has the hash of the array that holds just its bytes. */
public interface BytesHasher extends KeyHasher<byte[]> {

    /**
     * The hash of {@code length} bytes from {@code offset} on.
     *
     * @throws IndexOutOfBoundsException if the range is not within the array
     */
    long hash(byte[] bytes, int offset, int length);

    @Override
    default long hash(byte[] key) {
        Objects.requireNonNull(key, "key");
        return hash(key, 0, key.length);
    }
}
