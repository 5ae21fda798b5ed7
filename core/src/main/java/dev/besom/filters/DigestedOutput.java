package dev.besom.filters;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Knows the length and the SHA-256 of what was written through it. */
final class DigestedOutput extends FilterOutputStream {

    private final MessageDigest digest = sha256Digest();
    private long length;

    DigestedOutput(OutputStream out) {
        super(out);
    }

    /** An empty digest. */
    static MessageDigest sha256Digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public void write(int octet) throws IOException {
        out.write(octet);
        digest.update((byte) octet);
        length++;
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        out.write(bytes, from, count);
        digest.update(bytes, from, count);
        length += count;
    }

    long length() {
        return length;
    }

    String sha256() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
