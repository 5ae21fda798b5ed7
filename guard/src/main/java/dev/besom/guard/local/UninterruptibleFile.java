package dev.besom.guard.local;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file to read and write at positions that stays open when a thread is interrupted. An interrupt closes a channel for all
 * threads; this one is opened again, the work is repeated, and the thread's interrupt flag is set again afterwards.
 */
final class UninterruptibleFile implements Closeable {

    private final Path path;
    private FileChannel channel;
    private boolean isClosed;

    private UninterruptibleFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** Opens a file that is there. */
    static UninterruptibleFile open(Path path) throws IOException {
        return new UninterruptibleFile(path, FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    /** Makes a file, which must not be there. */
    static UninterruptibleFile create(Path path) throws IOException {
        return new UninterruptibleFile(
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
        uninterrupted(open -> {
            ByteBuffer rest = bytes.duplicate();
            for (long at = position; rest.hasRemaining(); ) {
                at += open.write(rest, at);
            }
        });
    }

    /** Fills a buffer as far as the file goes. */
    void read(ByteBuffer bytes, long position) throws IOException {
        int start = bytes.position();
        uninterrupted(open -> {
            bytes.position(start);
            int read = 0;
            for (long at = position; bytes.hasRemaining() && read >= 0; at += Math.max(0, read)) {
                read = open.read(bytes, at);
            }
        });
    }

    /** Waits until all that was written is on the disk. */
    void force() throws IOException {
        uninterrupted(open -> open.force(false));
    }

    void truncate(long size) throws IOException {
        uninterrupted(open -> open.truncate(size));
    }

    long size() throws IOException {
        long[] size = new long[1];
        uninterrupted(open -> size[0] = open.size());
        return size[0];
    }

    private synchronized void uninterrupted(Work work) throws IOException {
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
