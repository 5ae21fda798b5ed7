package dev.besom.codec;

import dev.besom.MalformedFilterException;
import dev.besom.bits.Words;
import dev.besom.hash.HasherStamp;
import dev.besom.spi.FilterImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The start of a filter file. All numbers are little-endian.
 *
 * <pre>
 *   offset  bytes  what
 *        0      8  magic: 'B' 'E' 'S' 'O' 'M' CR LF 0x1A
 *        8      2  format version
 *       10      2  length of the header, checksum included
 *       12      1  length of the kind's name, then the name in ASCII
 *               1  length of the hasher's id, then the id in ASCII
 *               8  the hasher's seed, or the check value of its secret key
 *               2  number of parameters, then 8 bytes each
 *               2  number of sections, then 8 bytes each: their lengths in words
 *               4  CRC-32C of all bytes before
 * </pre>
 */
final class Header {

    static final int VERSION = 1;

    private static final byte[] MAGIC = {'B', 'E', 'S', 'O', 'M', '\r', '\n', 0x1A};
    private static final int LENGTH_OFFSET = 10;
    private static final int PREFIX_BYTES = 12;
    private static final int CHECKSUM_BYTES = 4;
    private static final int MAX_BYTES = 0xFFFF;

    private final String kind;
    private final HasherStamp hasher;
    private final long[] parameters;
    private final long[] sectionLengths;

    private Header(String kind, HasherStamp hasher, long[] parameters, long[] sectionLengths) {
        this.kind = kind;
        this.hasher = hasher;
        this.parameters = parameters;
        this.sectionLengths = sectionLengths;
    }

    static Header of(FilterImage image, HasherStamp hasher) {
        long[] parameters = new long[image.parameterCount()];
        Arrays.setAll(parameters, image::parameter);
        long[] lengths = image.sections().stream().mapToLong(Words::count).toArray();
        return new Header(image.kind(), hasher, parameters, lengths);
    }

    String kind() {
        return kind;
    }

    HasherStamp hasher() {
        return hasher;
    }

    long[] parameters() {
        return parameters;
    }

    long[] sectionLengths() {
        return sectionLengths;
    }

    byte[] toBytes() {
        byte[] kindBytes = name(kind);
        byte[] hasherBytes = name(hasher.id());
        int length = PREFIX_BYTES
                + (1 + kindBytes.length)
                + (1 + hasherBytes.length)
                + Long.BYTES
                + (2 + Long.BYTES * parameters.length)
                + (2 + Long.BYTES * sectionLengths.length)
                + CHECKSUM_BYTES;
        if (length > MAX_BYTES) {
            throw new IllegalStateException("a header of " + length + " bytes does not fit the format");
        }
        ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        buffer.put(MAGIC).putShort((short) VERSION).putShort((short) length);
        buffer.put((byte) kindBytes.length).put(kindBytes);
        buffer.put((byte) hasherBytes.length).put(hasherBytes);
        buffer.putLong(hasher.seed());
        putLongs(buffer, parameters);
        putLongs(buffer, sectionLengths);
        buffer.putInt(crc(buffer.array(), length - CHECKSUM_BYTES));
        return buffer.array();
    }

    /** Reads just the header's bytes, after a look at the magic and the length. */
    static byte[] readBytes(InputStream in) throws IOException {
        byte[] prefix = in.readNBytes(PREFIX_BYTES);
        if (!Arrays.equals(prefix, 0, Math.min(prefix.length, MAGIC.length), MAGIC, 0, MAGIC.length)) {
            throw new MalformedFilterException("not a Besom filter");
        }
        if (prefix.length < PREFIX_BYTES) {
            throw new MalformedFilterException("the filter ends within its header");
        }
        int length = littleEndian(prefix).getShort(LENGTH_OFFSET) & 0xFFFF;
        if (length < PREFIX_BYTES + CHECKSUM_BYTES) {
            throw new MalformedFilterException("a header of " + length + " bytes cannot be");
        }
        byte[] bytes = Arrays.copyOf(prefix, length);
        int rest = length - PREFIX_BYTES;
        if (in.readNBytes(bytes, PREFIX_BYTES, rest) < rest) {
            throw new MalformedFilterException("the filter ends within its header");
        }
        return bytes;
    }

    static Header parse(byte[] bytes) {
        if (crc(bytes, bytes.length - CHECKSUM_BYTES) != checksumOf(bytes)) {
            throw new MalformedFilterException("the header's checksum is wrong");
        }
        ByteBuffer buffer = littleEndian(bytes).limit(bytes.length - CHECKSUM_BYTES);
        int version = buffer.getShort(MAGIC.length) & 0xFFFF;
        if (version != VERSION) {
            throw new MalformedFilterException(
                    "format version " + version + " is not known; this reader knows version " + VERSION);
        }
        buffer.position(PREFIX_BYTES);
        try {
            String kind = getName(buffer);
            String hasherId = getName(buffer);
            long hasherSeed = buffer.getLong();
            long[] parameters = getLongs(buffer);
            long[] sectionLengths = getLongs(buffer);
            if (buffer.hasRemaining()) {
                throw new MalformedFilterException("the header is longer than its contents");
            }
            return new Header(kind, new HasherStamp(hasherId, hasherSeed), parameters, sectionLengths);
        } catch (BufferUnderflowException e) {
            throw new MalformedFilterException("the header is shorter than its contents", e);
        }
    }

    /** The checksum that ends the header. */
    static int checksumOf(byte[] header) {
        return littleEndian(header).getInt(header.length - CHECKSUM_BYTES);
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int crc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    private static byte[] name(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (!isPlain(bytes)) {
            throw new IllegalArgumentException(
                    "a name in a header is printable ASCII without blanks, not '" + text + "'");
        }
        if (bytes.length > 0xFF) {
            throw new IllegalArgumentException("a name of " + bytes.length + " bytes does not fit the format");
        }
        return bytes;
    }

    /** Whether a name can be shown as it is: it becomes part of messages, and files may come from anybody. */
    private static boolean isPlain(byte[] name) {
        for (byte letter : name) {
            if (letter <= ' ' || letter > '~') {
                return false;
            }
        }
        return true;
    }

    private static String getName(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.get() & 0xFF];
        buffer.get(bytes);
        if (!isPlain(bytes)) {
            throw new MalformedFilterException("a name in the header is not printable ASCII without blanks");
        }
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    private static void putLongs(ByteBuffer buffer, long[] values) {
        buffer.putShort((short) values.length);
        for (long value : values) {
            buffer.putLong(value);
        }
    }

    private static long[] getLongs(ByteBuffer buffer) {
        int count = buffer.getShort() & 0xFFFF;
        if (count * Long.BYTES > buffer.remaining()) {
            throw new BufferUnderflowException();
        }
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = buffer.getLong();
        }
        return values;
    }
}
