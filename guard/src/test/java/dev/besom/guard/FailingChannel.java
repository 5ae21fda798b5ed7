package dev.besom.guard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file on a {@link FailingDisk}. */
final class FailingChannel extends FileChannel {

    private final FailingDisk disk;
    private final Path path;
    private final FileChannel inner;

    FailingChannel(FailingDisk disk, Path path, FileChannel inner) {
        this.disk = disk;
        this.path = path;
        this.inner = inner;
    }

    /** Writes as much as there is room for, one byte at least. */
    private interface Writing {
        int write(ByteBuffer part) throws IOException;
    }

    private int write(ByteBuffer source, Writing writing) throws IOException {
        disk.beforeWrite.run();
        disk.written(path);
        int allowed = disk.take(source.remaining());
        ByteBuffer part = source.slice().limit(allowed);
        disk.changes.make(() -> {
            while (part.hasRemaining()) {
                writing.write(part);
            }
        });
        source.position(source.position() + allowed);
        return allowed;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return write(source, inner::write);
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
        long[] at = {position};
        return write(source, part -> {
            int written = inner.write(part, at[0]);
            at[0] += written;
            return written;
        });
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        long written = 0;
        for (int i = offset; i < offset + length; i++) {
            while (sources[i].hasRemaining()) {
                written += write(sources[i]);
            }
        }
        return written;
    }

    /** Reads something, and returns how many bytes it was. */
    private interface Reading {
        long read() throws IOException;
    }

    private long read(Reading reading) throws IOException {
        long[] count = new long[1];
        disk.reads.make(() -> count[0] = reading.read());
        return count[0];
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return (int) read(() -> inner.read(target));
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        return read(() -> inner.read(targets, offset, length));
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        return (int) read(() -> inner.read(target, position));
    }

    @Override
    public long position() throws IOException {
        return inner.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
        inner.position(position);
        return this;
    }

    @Override
    public long size() throws IOException {
        return inner.size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        disk.change();
        disk.changes.make(() -> inner.truncate(size));
        return this;
    }

    @Override
    public void force(boolean metaData) throws IOException {
        disk.change();
        if (Thread.currentThread().isInterrupted()) {
            close();
            throw new ClosedByInterruptException();
        }
        disk.force(path, inner);
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        return inner.transferTo(position, count, target);
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(count, 1 << 16));
        source.read(bytes);
        return write(bytes.flip(), position);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
        return inner.map(mode, position, size);
    }

    @Override
    public @Nullable FileLock lock(long position, long size, boolean shared) throws IOException {
        return inner.lock(position, size, shared);
    }

    @Override
    public @Nullable FileLock tryLock(long position, long size, boolean shared) throws IOException {
        return inner.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        inner.close();
    }
}
