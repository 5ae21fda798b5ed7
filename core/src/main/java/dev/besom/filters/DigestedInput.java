package dev.besom.filters;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

/** Knows the length and the SHA-256 of what was read through it. */
final class DigestedInput extends FilterInputStream {

    private static final int BUFFER_BYTES = 1 << 16;

    private final MessageDigest digest = DigestedOutput.sha256Digest();
    private long length;

    DigestedInput(InputStream in) {
        super(in);
    }

    @Override
    public int read() throws IOException {
        int octet = in.read();
        if (octet >= 0) {
            digest.update((byte) octet);
            length++;
        }
        return octet;
    }

    @Override
    public int read(byte[] bytes, int from, int count) throws IOException {
        int read = in.read(bytes, from, count);
        if (read > 0) {
            digest.update(bytes, from, read);
            length += read;
        }
        return read;
    }

    /** Reads what is left, up to a length in all. */
    void readUpTo(long most) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        int read = 0;
        while (read >= 0 && length < most) {
            read = read(buffer, 0, (int) Math.min(buffer.length, most - length));
        }
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    long length() {
        return length;
    }

    String sha256() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
