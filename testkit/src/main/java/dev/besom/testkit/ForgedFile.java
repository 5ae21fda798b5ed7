package dev.besom.testkit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * A filter file with numbers of the forger's choice and right checksums, made from a true one. It knows version 1 of the
 * format from its specification, not from the codec, and so holds the two against each other.
 *
 * <pre>
 *   0  magic 8 | version 2 | header length 2 | kind 1 + n | hasher 1 + n | seed 8
 *      parameter count 2, parameters 8 each | section count 2, lengths in words 8 each | CRC-32C 4
 *      then each section: words 8 each | CRC-32C of header CRC and words 4
 * </pre>
 */
final class ForgedFile {

    private static final int NAMES_OFFSET = 12;
    private static final int CRC_BYTES = 4;

    /** Sections up to this size in all are filled in; of larger ones only the claim is made. */
    private static final long MOST_WORDS = 1 << 16;

    private final byte[] original;
    private final int headerLength;
    private final int parametersOffset;
    private final int lengthsOffset;

    ForgedFile(byte[] original) {
        this.original = original.clone();
        ByteBuffer buffer = littleEndian(this.original);
        headerLength = buffer.getShort(10) & 0xFFFF;
        int hasherOffset = NAMES_OFFSET + 1 + (original[NAMES_OFFSET] & 0xFF);
        parametersOffset = hasherOffset + 1 + (original[hasherOffset] & 0xFF) + Long.BYTES;
        lengthsOffset = parametersOffset + 2 + Long.BYTES * (buffer.getShort(parametersOffset) & 0xFFFF);
    }

    /** The kind's parameters, then the lengths of the sections in words. */
    long[] numbers() {
        long[] parameters = longsAt(parametersOffset);
        long[] lengths = longsAt(lengthsOffset);
        long[] numbers = Arrays.copyOf(parameters, parameters.length + lengths.length);
        System.arraycopy(lengths, 0, numbers, parameters.length, lengths.length);
        return numbers;
    }

    /** The words of all sections, one after the other. */
    long[] words() {
        ByteBuffer buffer = littleEndian(original).position(headerLength);
        ByteBuffer words = ByteBuffer.allocate(original.length).order(ByteOrder.LITTLE_ENDIAN);
        for (long length : longsAt(lengthsOffset)) {
            for (long i = 0; i < length; i++) {
                words.putLong(buffer.getLong());
            }
            buffer.getInt();
        }
        long[] result = new long[words.position() / Long.BYTES];
        words.flip().asLongBuffer().get(result);
        return result;
    }

    /** The file with other numbers and words in it. */
    byte[] forge(long[] numbers, long[] words) {
        int parameterCount = longsAt(parametersOffset).length;
        long[] parameters = Arrays.copyOf(numbers, parameterCount);
        long[] sectionLengths = Arrays.copyOfRange(numbers, parameterCount, numbers.length);
        long claimed = 0;
        for (long length : sectionLengths) {
            claimed = length < 0 || length > MOST_WORDS ? MOST_WORDS + 1 : Math.min(MOST_WORDS + 1, claimed + length);
        }
        boolean filledIn = claimed <= MOST_WORDS;
        int bodyBytes =
                filledIn ? (int) claimed * Long.BYTES + CRC_BYTES * sectionLengths.length : words.length * Long.BYTES;
        ByteBuffer file = ByteBuffer.allocate(headerLength + bodyBytes).order(ByteOrder.LITTLE_ENDIAN);
        file.put(original, 0, parametersOffset);
        putLongs(file, parameters);
        putLongs(file, sectionLengths);
        int headerCrc = crc(file.array(), 0, file.position(), new CRC32C());
        file.putInt(headerCrc);
        if (!filledIn) {
            file.asLongBuffer().put(words);
            return file.array();
        }
        int next = 0;
        for (long length : sectionLengths) {
            int start = file.position();
            for (int i = 0; i < length; i++) {
                file.putLong(words.length == 0 ? 0 : words[next++ % words.length]);
            }
            CRC32C crc = new CRC32C();
            crc.update(ByteBuffer.allocate(CRC_BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(headerCrc)
                    .flip());
            file.putInt(crc(file.array(), start, file.position(), crc));
        }
        return file.array();
    }

    private long[] longsAt(int offset) {
        ByteBuffer buffer = littleEndian(original);
        long[] values = new long[buffer.getShort(offset) & 0xFFFF];
        buffer.position(offset + 2).asLongBuffer().get(values);
        return values;
    }

    private static void putLongs(ByteBuffer buffer, long[] values) {
        buffer.putShort((short) values.length);
        for (long value : values) {
            buffer.putLong(value);
        }
    }

    private static int crc(byte[] file, int from, int to, CRC32C crc) {
        crc.update(file, from, to - from);
        return (int) crc.getValue();
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
