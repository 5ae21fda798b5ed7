package dev.besom.hash;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/**
 * The 128 bits that only the owner of a filter knows, and without which nobody can tell which keys collide.
 *
 * <p>It never appears in texts or filter files: a file holds a check value, the secret's SipHash-2-4 of one fixed text.
 * To query the file again after a restart, keep {@link #toBytes()} where secrets are kept.
 */
public final class HashSecret {

    /** How many bytes a secret has. */
    public static final int SIZE_IN_BYTES = 16;

    private static final byte[] CHECKED_TEXT =
            "dev.besom: check value of a hash secret".getBytes(StandardCharsets.US_ASCII);

    private final long low;
    private final long high;

    private HashSecret(long low, long high) {
        this.low = low;
        this.high = high;
    }

    /** A new secret from the system's source of secure random numbers. */
    public static HashSecret random() {
        byte[] bytes = new byte[SIZE_IN_BYTES];
        new SecureRandom().nextBytes(bytes);
        return ofBytes(bytes);
    }

    /** The secret whose bytes 0 to 7 are {@code low} and 8 to 15 {@code high}, the lowest byte first in each. */
    public static HashSecret of(long low, long high) {
        return new HashSecret(low, high);
    }

    /** The secret that {@link #toBytes()} wrote, or any {@value #SIZE_IN_BYTES} bytes that are hard to guess. */
    public static HashSecret ofBytes(byte[] bytes) {
        if (bytes.length != SIZE_IN_BYTES) {
            throw new IllegalArgumentException("a secret has " + SIZE_IN_BYTES + " bytes, not " + bytes.length);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return new HashSecret(buffer.getLong(), buffer.getLong());
    }

    /** Its bytes, to be kept where secrets are kept. */
    public byte[] toBytes() {
        return ByteBuffer.allocate(SIZE_IN_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(low)
                .putLong(high)
                .array();
    }

    long low() {
        return low;
    }

    long high() {
        return high;
    }

    /** Tells secrets apart and gives nothing else away. */
    long checkValue() {
        return SipHash.hash(this, SecretHash.SIPHASH_2_4, CHECKED_TEXT, 0, CHECKED_TEXT.length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HashSecret secret && ((low ^ secret.low) | (high ^ secret.high)) == 0;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(checkValue());
    }

    @Override
    public String toString() {
        return "HashSecret[hidden]";
    }
}
