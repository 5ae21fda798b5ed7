package dev.besom.cli.keys;

import dev.besom.hash.LongHasher;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Keys that are {@code long} numbers, little-endian, eight bytes each with nothing between. */
final class BinaryReader extends KeyReader {

    private final LongHasher hashing;
    private final long[] values = new long[BATCH_SIZE];
    private final ByteBuffer buffer = ByteBuffer.allocate(BATCH_SIZE * Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .limit(0);
    private long bytesRead;

    BinaryReader(String name, InputStream in, LongHasher hashing) {
        super(name, in);
        this.hashing = hashing;
    }

    @Override
    public int readBatch() throws IOException {
        buffer.compact();
        while (buffer.position() < Long.BYTES) {
            int read = read(buffer.array(), buffer.position(), buffer.remaining());
            if (read < 0) {
                if (buffer.position() > 0) {
                    throw new BadKeysException(
                            name() + ": its length of " + bytesRead + " bytes is not a multiple of " + Long.BYTES);
                }
                buffer.flip();
                return 0;
            }
            bytesRead += read;
            buffer.position(buffer.position() + read);
        }
        buffer.flip();
        int count = buffer.remaining() / Long.BYTES;
        long[] hashes = hashes();
        for (int i = 0; i < count; i++) {
            values[i] = buffer.getLong();
            hashes[i] = hashing.hash(values[i]);
        }
        return count;
    }

    @Override
    public void writeKey(int index, OutputStream out) throws IOException {
        out.write(Long.toString(values[index]).getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public Object key(int index) {
        return values[index];
    }
}
