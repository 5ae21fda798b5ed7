package dev.besom.guard;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file to read and write at positions that stays open when a thread is interrupted. A channel is closed then, for all
 * threads; this one is opened again and the interrupted thread goes on, and is told afterwards.
 */
final class SteadyFile implements Closeable {

    private final Path path;
    private FileChannel channel;
    private boolean isClosed;

    private SteadyFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** Opens a file that is there. */
    static SteadyFile open(Path path) throws IOException {
        return new SteadyFile(path, FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    /** Makes a file, which must not be there. */
    static SteadyFile create(Path path) throws IOException {
        return new SteadyFile(
                path,
                FileChannel.open(
                        path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    /** What is done with a channel, and may be done again. */
    @FunctionalInterface
    private interface Work {
        void run(FileChannel channel) throws IOException;
    }

    /** Writes all that remains in a buffer. If that fails, any part of it may be written. */
    void write(ByteBuffer bytes, long position) throws IOException {
        steadily(open -> {
            ByteBuffer rest = bytes.duplicate();
            for (long at = position; rest.hasRemaining(); ) {
                at += open.write(rest, at);
            }
        });
    }

    /** Fills a buffer as far as the file goes. */
    void read(ByteBuffer bytes, long position) throws IOException {
        int start = bytes.position();
        steadily(open -> {
            bytes.position(start);
            int read = 0;
            for (long at = position; bytes.hasRemaining() && read >= 0; at += Math.max(0, read)) {
                read = open.read(bytes, at);
            }
        });
    }

    /** Waits until all that was written is on the disk. */
    void force() throws IOException {
        steadily(open -> open.force(false));
    }

    void truncate(long size) throws IOException {
        steadily(open -> open.truncate(size));
    }

    long size() throws IOException {
        long[] size = new long[1];
        steadily(open -> size[0] = open.size());
        return size[0];
    }

    private synchronized void steadily(Work work) throws IOException {
        boolean isInterrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    work.run(channel);
                    return;
                } catch (ClosedByInterruptException e) {
                    isInterrupted |= Thread.interrupted();
                    if (isClosed) {
                        throw e;
                    }
                    channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public synchronized void close() throws IOException {
        isClosed = true;
        channel.close();
    }
}
