package dev.besom.guard.local;

import dev.besom.StoredHashes;
import dev.besom.stored.SortedHashFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/** A {@link SortedHashFile} that stays open when a thread that reads it is interrupted. */
final class UninterruptibleHashes implements StoredHashes, Closeable {

    private final Path path;
    private volatile SortedHashFile file;
    private boolean isClosed;

    UninterruptibleHashes(Path path) throws IOException {
        this.path = path;
        this.file = SortedHashFile.open(path);
    }

    @Override
    public void forEachBetween(long lo, long hi, LongConsumer action) {
        for (long hash : between(lo, hi)) {
            action.accept(hash);
        }
    }

    @Override
    public long[] between(long lo, long hi) {
        boolean isInterrupted = Thread.interrupted();
        try {
            while (true) {
                SortedHashFile current = file;
                try {
                    return current.between(lo, hi);
                } catch (UncheckedIOException e) {
                    if (!(e.getCause() instanceof ClosedChannelException)) {
                        throw e;
                    }
                    isInterrupted |= Thread.interrupted();
                    reopen(current, e);
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized void reopen(SortedHashFile closed, UncheckedIOException reason) {
        if (isClosed) {
            throw reason;
        }
        if (file == closed) {
            try {
                file = SortedHashFile.open(path);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public long count() {
        return file.count();
    }

    @Override
    public synchronized void close() throws IOException {
        isClosed = true;
        file.close();
    }
}
