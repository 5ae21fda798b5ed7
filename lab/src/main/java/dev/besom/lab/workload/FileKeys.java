package dev.besom.lab.workload;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.NoSuchElementException;

/** Keys from a file, read one ahead. */
abstract class FileKeys implements QueryStream {

    private static final int BUFFER_BYTES = 1 << 16;

    private final String name;
    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int limit;

    private boolean isAhead;
    private boolean isOver;
    private long ahead;

    FileKeys(String name, InputStream in) {
        this.name = name;
        this.in = in;
    }

    /** Reads one key and hands it to {@link #found(long)}; does not where the file is over. */
    abstract void read() throws IOException;

    final void found(long key) {
        ahead = key;
        isAhead = true;
    }

    final String name() {
        return name;
    }

    /** The next byte, or -1 at the end. */
    final int readByte() throws IOException {
        if (position == limit) {
            limit = Math.max(0, in.read(buffer));
            position = 0;
            if (limit == 0) {
                return -1;
            }
        }
        return buffer[position++] & 0xFF;
    }

    @Override
    public final boolean hasNext() {
        if (!isAhead && !isOver) {
            try {
                read();
            } catch (IOException e) {
                throw new UncheckedIOException(name + ": " + e.getMessage(), e);
            }
            isOver = !isAhead;
        }
        return isAhead;
    }

    @Override
    public final long next() {
        if (!hasNext()) {
            throw new NoSuchElementException(name + " has no more keys");
        }
        isAhead = false;
        return ahead;
    }

    @Override
    public final void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
