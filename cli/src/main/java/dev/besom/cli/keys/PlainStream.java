package dev.besom.cli.keys;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * What stands in a file of keys, decompressed. Files of gzip and Zstandard are known by their first bytes, which no UTF-8 text
 * and no capture begins with; numbers in binary can begin with any bytes, so such a file is known by its name. A byte-order
 * mark before a text is left out. Nothing is read before somebody wants a byte, and not more than there is to have.
 */
final class PlainStream extends InputStream {

    private static final byte[] GZIP = {0x1F, (byte) 0x8B};
    private static final byte[] ZSTANDARD = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD};
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    private static final int BUFFER_BYTES = 1 << 16;

    private final String name;
    private final KeyFormat format;
    private final InputStream source;
    private @Nullable InputStream plain;

    /** @param name what messages call the input */
    PlainStream(String name, KeyFormat format, InputStream source) {
        this.name = name;
        this.format = format;
        this.source = source;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        int read = read(one, 0, 1);
        return read < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int from, int count) throws IOException {
        try {
            InputStream in = plain;
            if (in == null) {
                in = format == KeyFormat.LONG_LE ? byName() : byFirstBytes();
                plain = in;
            }
            return in.read(target, from, count);
        } catch (ZipException | EOFException | ZstdIOException e) {
            throw new BadKeysException(name + ": its compressed data is damaged or cut off", e);
        }
    }

    private InputStream byName() throws IOException {
        if (name.endsWith(".gz")) {
            return new GZIPInputStream(source, BUFFER_BYTES);
        }
        return name.endsWith(".zst") ? new ZstdInputStream(source) : source;
    }

    private InputStream byFirstBytes() throws IOException {
        byte[] head = head(source, GZIP, ZSTANDARD, BYTE_ORDER_MARK);
        InputStream whole = new SequenceInputStream(new ByteArrayInputStream(head), source);
        if (startsWith(head, GZIP)) {
            return withoutMark(new GZIPInputStream(whole, BUFFER_BYTES));
        }
        if (startsWith(head, ZSTANDARD)) {
            return withoutMark(new ZstdInputStream(whole));
        }
        return withoutMark(whole);
    }

    private InputStream withoutMark(InputStream text) throws IOException {
        if (format == KeyFormat.PCAP) {
            return text;
        }
        byte[] head = head(text, BYTE_ORDER_MARK);
        int from = startsWith(head, BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
        return new SequenceInputStream(new ByteArrayInputStream(head, from, head.length - from), text);
    }

    /** The first bytes: what can be had at once, and more if that does not tell whether they are one of the marks. */
    private static byte[] head(InputStream in, byte[]... marks) throws IOException {
        byte[] head = new byte[BUFFER_BYTES];
        int length = 0;
        while (true) {
            int read = in.read(head, length, head.length - length);
            byte[] soFar = Arrays.copyOf(head, length += Math.max(0, read));
            if (read < 0
                    || Arrays.stream(marks).noneMatch(mark -> soFar.length < mark.length && isBeginning(soFar, mark))) {
                return soFar;
            }
        }
    }

    private static boolean isBeginning(byte[] head, byte[] mark) {
        return Arrays.equals(head, 0, head.length, mark, 0, head.length);
    }

    private static boolean startsWith(byte[] head, byte[] mark) {
        return head.length >= mark.length && Arrays.equals(head, 0, mark.length, mark, 0, mark.length);
    }

    @Override
    public void close() throws IOException {
        source.close();
        if (plain != null) {
            plain.close();
        }
    }
}
