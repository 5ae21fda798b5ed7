package dev.besom.codec;

import dev.besom.MalformedFilterException;
import dev.besom.bits.Words;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The sections of one filter file: words, little-endian, then the CRC-32C of the header's checksum and these bytes. With
 * the header's checksum in it, a section of one file does not pass for that of another.
 */
final class SectionFormat {

    private static final int CHECKSUM_BYTES = 4;
    private static final int BUFFER_WORDS = 1 << 13;

    /** How many words a reader allocates before it has seen that many. */
    private static final int UNSEEN_WORDS = 1 << 15;

    private final int headerChecksum;
    private final ByteBuffer buffer =
            ByteBuffer.allocate(BUFFER_WORDS * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);

    SectionFormat(int headerChecksum) {
        this.headerChecksum = headerChecksum;
    }

    static long sizeInBytes(long wordCount) {
        return wordCount * Long.BYTES + CHECKSUM_BYTES;
    }

    void write(long[] section, OutputStream out) throws IOException {
        CRC32C crc = startChecksum();
        for (int at = Words.LEAD; at < section.length; at += BUFFER_WORDS) {
            int words = Math.min(BUFFER_WORDS, section.length - at);
            buffer.clear().asLongBuffer().put(section, at, words);
            crc.update(buffer.array(), 0, words * Long.BYTES);
            out.write(buffer.array(), 0, words * Long.BYTES);
        }
        buffer.clear().putInt((int) crc.getValue());
        out.write(buffer.array(), 0, CHECKSUM_BYTES);
    }

    /** @param trusted whether as many bytes are known to follow, so that the array may be allocated at once */
    long[] read(InputStream in, int wordCount, boolean trusted) throws IOException {
        CRC32C crc = startChecksum();
        long[] section;
        if (trusted || wordCount <= UNSEEN_WORDS) {
            section = Words.allocate(wordCount);
            readWords(in, section, Words.LEAD, wordCount, crc);
        } else {
            section = readPiecewise(in, wordCount, crc);
        }
        readBytes(in, CHECKSUM_BYTES);
        if (buffer.getInt(0) != (int) crc.getValue()) {
            throw new MalformedFilterException("a section's checksum is wrong");
        }
        return section;
    }

    private long[] readPiecewise(InputStream in, int wordCount, CRC32C crc) throws IOException {
        List<long[]> pieces = new ArrayList<>();
        int done = 0;
        while (done < wordCount) {
            long[] piece = new long[Math.min(wordCount - done, Math.max(UNSEEN_WORDS, done))];
            readWords(in, piece, 0, piece.length, crc);
            pieces.add(piece);
            done += piece.length;
        }
        long[] section = Words.allocate(wordCount);
        int at = Words.LEAD;
        for (long[] piece : pieces) {
            System.arraycopy(piece, 0, section, at, piece.length);
            at += piece.length;
        }
        return section;
    }

    private void readWords(InputStream in, long[] target, int from, int count, CRC32C crc) throws IOException {
        int done = 0;
        while (done < count) {
            int words = Math.min(BUFFER_WORDS, count - done);
            readBytes(in, words * Long.BYTES);
            crc.update(buffer.array(), 0, words * Long.BYTES);
            buffer.clear().asLongBuffer().get(target, from + done, words);
            done += words;
        }
    }

    private void readBytes(InputStream in, int count) throws IOException {
        if (in.readNBytes(buffer.array(), 0, count) < count) {
            throw new MalformedFilterException("the filter ends within a section");
        }
    }

    private CRC32C startChecksum() {
        CRC32C crc = new CRC32C();
        buffer.clear().putInt(headerChecksum);
        crc.update(buffer.array(), 0, CHECKSUM_BYTES);
        return crc;
    }
}
