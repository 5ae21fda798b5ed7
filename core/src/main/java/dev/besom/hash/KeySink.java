package dev.besom.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.UUID;

/**
 * Takes the parts of a key from a {@link KeyFeeder} and lays them out as bytes, which are then hashed.
 *
 * <pre>
 *   byte, int, long     1, 4, 8 bytes, the lowest first
 *   UUID                16 bytes, the highest first
 *   bytes, text         4 bytes that say how many follow; the bytes, those of a text in UTF-8
 * </pre>
 *
 * With the lengths in front no two sequences of parts of the same types have the same bytes: ("ab", "c") is not ("a", "bc").
 * The layout is frozen. A surrogate without its other half counts as a question mark.
 */
public final class KeySink {

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int FIRST_ROOM = 64;

    /** No character takes more bytes of UTF-8 for each of its code units. */
    private static final int MOST_BYTES_A_CHAR = 3;

    private byte[] bytes = new byte[FIRST_ROOM];
    private int length;

    KeySink() {}

    /** Adds a byte. */
    public KeySink putByte(byte part) {
        makeRoom(Byte.BYTES);
        bytes[length++] = part;
        return this;
    }

    /** Adds a 32-bit number. */
    public KeySink putInt(int part) {
        makeRoom(Integer.BYTES);
        INTS.set(bytes, length, part);
        length += Integer.BYTES;
        return this;
    }

    /** Adds a 64-bit number. */
    public KeySink putLong(long part) {
        makeRoom(Long.BYTES);
        LONGS.set(bytes, length, part);
        length += Long.BYTES;
        return this;
    }

    /** Adds a UUID. */
    public KeySink putUuid(UUID part) {
        putLong(Long.reverseBytes(part.getMostSignificantBits()));
        return putLong(Long.reverseBytes(part.getLeastSignificantBits()));
    }

    /** Adds bytes, with their number in front. */
    public KeySink putBytes(byte[] part) {
        putInt(part.length);
        return putRaw(part);
    }

    /** Adds bytes as they are. Another part of any length before or behind them makes them ambiguous. */
    public KeySink putRaw(byte[] part) {
        makeRoom(part.length);
        System.arraycopy(part, 0, bytes, length, part.length);
        length += part.length;
        return this;
    }

    /** Adds a text, as the number of its bytes in UTF-8 and these bytes. */
    public KeySink putText(CharSequence part) {
        int charCount = part.length();
        makeRoom(Integer.BYTES + (long) MOST_BYTES_A_CHAR * charCount);
        int start = length;
        length += Integer.BYTES;
        for (int at = 0; at < charCount; ) {
            long encoded = Utf8.encode(part, at, charCount);
            at += Utf8.charCount(encoded);
            long left = Utf8.bytes(encoded);
            for (int bits = Utf8.bitCount(encoded); bits > 0; bits -= Byte.SIZE) {
                bytes[length++] = (byte) left;
                left >>>= Byte.SIZE;
            }
        }
        INTS.set(bytes, start, length - start - Integer.BYTES);
        return this;
    }

    /** Adds the UTF-16 code units of a text as they are, two bytes each, the lower first. */
    KeySink putCodeUnits(CharSequence part) {
        makeRoom((long) Character.BYTES * part.length());
        for (int at = 0; at < part.length(); at++) {
            char unit = part.charAt(at);
            bytes[length++] = (byte) unit;
            bytes[length++] = (byte) (unit >>> Byte.SIZE);
        }
        return this;
    }

    private void makeRoom(long more) {
        long needed = length + more;
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.toIntExact(Math.max(needed, Math.min(2L * bytes.length, 1 << 30))));
        }
    }

    /** The hash of all parts. */
    long hash(BytesHasher hasher) {
        return hasher.hash(bytes, 0, length);
    }

    /** Forgets what was added, and memory beyond what most keys need. */
    void clear() {
        length = 0;
        if (bytes.length > FIRST_ROOM << 10) {
            bytes = new byte[FIRST_ROOM];
        }
    }
}
