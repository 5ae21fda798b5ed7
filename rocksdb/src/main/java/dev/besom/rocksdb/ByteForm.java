package dev.besom.rocksdb;

import java.nio.ByteBuffer;
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

    /** Texts in UTF-8. */
    public static ByteForm<String> utf8() {
        return new ByteForm<>(
                text -> text.getBytes(StandardCharsets.UTF_8), bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    /** Numbers as eight bytes, the highest first. */
    public static ByteForm<Long> longs() {
        return new ByteForm<>(
                number -> ByteBuffer.allocate(Long.BYTES).putLong(number).array(),
                bytes -> ByteBuffer.wrap(bytes).getLong());
    }
}
