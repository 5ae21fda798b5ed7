package dev.besom.lab.race;

import dev.besom.lab.workload.KeySource;
import dev.besom.lab.workload.QueryStream;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NoSuchElementException;

/**
 * The keys of a source as hashes in a temporary file, eight bytes each, big-endian. Other JVMs of a race read that instead of
 * the source, which only the first one can open.
 *
 * @param path the file
 */
record SpooledKeys(Path path) implements KeySource, AutoCloseable {

    private static final int BUFFER_BYTES = 1 << 16;

    /** Reads a source once, up to so many keys, into a new file that is deleted by {@link #close()}. */
    static SpooledKeys of(KeySource source, long most) {
        try {
            Path file = Files.createTempFile("besom-race-", ".hashes");
            file.toFile().deleteOnExit();
            SpooledKeys spooled = new SpooledKeys(file);
            try (DataOutputStream out =
                            new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES));
                    QueryStream keys = source.open()) {
                for (long i = 0; i < most && keys.hasNext(); i++) {
                    out.writeLong(keys.next());
                }
            } catch (IOException | RuntimeException | Error e) {
                spooled.close();
                throw e;
            }
            return spooled;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot keep the keys of " + source.name() + " for other JVMs", e);
        }
    }

    @Override
    public String name() {
        return path.toString();
    }

    @Override
    public QueryStream open() {
        try {
            return new Stream(Files.size(path) / Long.BYTES, path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // The end of the JVM tries again.
            return;
        }
    }

    private static final class Stream implements QueryStream {

        private final DataInputStream in;
        private long left;

        Stream(long count, Path path) throws IOException {
            this.left = count;
            this.in = new DataInputStream(new BufferedInputStream(Files.newInputStream(path), BUFFER_BYTES));
        }

        @Override
        public boolean hasNext() {
            return left > 0;
        }

        @Override
        public long next() {
            if (left == 0) {
                throw new NoSuchElementException("no more keys");
            }
            left--;
            try {
                return in.readLong();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            try {
                in.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
