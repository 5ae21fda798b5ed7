package dev.besom.cli;

import dev.besom.cli.keys.KeyReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Hashes on disk, eight bytes each: what is kept of keys that can be read only once until it is known how many they
 * are. The file has no name any more once it is open, where the system allows that, so that nothing stays behind
 * whatever happens; elsewhere it is deleted when closed.
 */
final class HashSpool extends HashBatches implements Closeable {

    private final Path folder;
    private final FileChannel channel;
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(KeyReader.BATCH_SIZE * Long.BYTES);
    private final LongBuffer words = bytes.asLongBuffer();
    private long count;

    /** @param folder where the file is made */
    HashSpool(Path folder) throws IOException {
        this.folder = folder;
        Path file = Files.createTempFile(folder, ".besom-", ".hashes");
        channel = FileChannel.open(
                file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // An open file keeps its name on some systems. It is deleted when closed.
            channel.position(0);
        }
    }

    @Override
    long count() {
        return count;
    }

    /** Adds at most a batch of hashes at the end. */
    void append(long[] hashes, int length) throws IOException {
        words.clear().put(hashes, 0, length);
        bytes.position(0).limit(length * Long.BYTES);
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw new IOException("temporary file in " + folder + ": " + InputOutput.describe(e), e);
        }
        count += length;
    }

    @Override
    boolean isRereadable() {
        return true;
    }

    @Override
    void forEachBatch(Consumer consumer) throws IOException {
        long[] hashes = new long[KeyReader.BATCH_SIZE];
        channel.position(0);
        for (int length = read(hashes); length > 0; length = read(hashes)) {
            consumer.accept(hashes, length);
        }
    }

    /** Reads the next hashes, at most a batch; 0 means that there are no more. */
    private int read(long[] target) throws IOException {
        bytes.clear();
        int read = 0;
        while (read >= 0 && bytes.hasRemaining()) {
            read = channel.read(bytes);
        }
        int length = bytes.position() / Long.BYTES;
        words.clear().get(target, 0, length);
        return length;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
