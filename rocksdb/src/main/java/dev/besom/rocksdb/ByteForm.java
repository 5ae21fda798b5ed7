package dev.besom.rocksdb;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * How keys or values stand in a store. Different things must have different bytes.
 *
 * @param toBytes never changes what it is given
 * @param fromBytes takes what {@code toBytes} gave
 */
public record ByteForm<T>(Function<T, byte[]> toBytes, Function<byte[], T> fromBytes) {

    /** Byte arrays as they are. */
    public static ByteForm<byte[]> bytes() {
        return new ByteForm<>(Function.identity(), Function.identity());
    }

    /**
     * Texts in UTF-8. A text with half of a surrogate pair has no such form and is refused: another text would stand in
     * its place.
     */
    public static ByteForm<String> utf8() {
        return new ByteForm<>(ByteForm::encoded, bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    private static byte[] encoded(String text) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] encoded = new byte[bytes.remaining()];
            bytes.get(encoded);
            return encoded;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a text with half of a surrogate pair has no form in UTF-8", e);
        }
    }

    /** Numbers as eight bytes, the highest first. */
    public static ByteForm<Long> longs() {
        return new ByteForm<>(
                number -> ByteBuffer.allocate(Long.BYTES).putLong(number).array(),
                bytes -> ByteBuffer.wrap(bytes).getLong());
    }
}
