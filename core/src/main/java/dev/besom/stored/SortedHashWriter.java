package dev.besom.stored;

import dev.besom.StoredHashes;
import dev.besom.codec.AtomicFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;

/** Writes what {@link SortedHashFile} reads. */
final class SortedHashWriter implements LongConsumer {

    private final FileChannel channel;
    private final ByteBuffer buffer = SortedHashFile.buffer(SortedHashFile.STREAM_SIZE_IN_BYTES);
    private final CRC32C crc = new CRC32C();
    private long count;
    private long before;

    private SortedHashWriter(FileChannel channel) {
        this.channel = channel;
    }

    static void write(Path path, StoredHashes hashes) throws IOException {
        try {
            AtomicFile.write(path, channel -> new SortedHashWriter(channel).writeAll(hashes));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void writeAll(StoredHashes hashes) throws IOException {
        channel.position(SortedHashFile.HEADER_SIZE_IN_BYTES);
        hashes.forEachBetween(0, -1, this);
        flush();
        if (count != hashes.count()) {
            throw new IllegalArgumentException("of " + hashes.count() + " hashes " + count + " were given");
        }
        ByteBuffer header = SortedHashFile.buffer(SortedHashFile.HEADER_SIZE_IN_BYTES)
                .putLong(SortedHashFile.MAGIC)
                .putInt(SortedHashFile.VERSION)
                .putInt(0)
                .putLong(count)
                .putInt((int) crc.getValue());
        header.putInt(SortedHashFile.headerCrc(header));
        header.flip();
        for (long at = 0; header.hasRemaining(); ) {
            at += channel.write(header, at);
        }
    }

    @Override
    public void accept(long hash) {
        if (Long.compareUnsigned(hash, before) < 0) {
            throw new IllegalArgumentException("hashes were given out of order");
        }
        before = hash;
        buffer.putLong(hash);
        count++;
        if (!buffer.hasRemaining()) {
            try {
                flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void flush() throws IOException {
        buffer.flip();
        crc.update(buffer.duplicate());
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        buffer.clear();
    }
}
