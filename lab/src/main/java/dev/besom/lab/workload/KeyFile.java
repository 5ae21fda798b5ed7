package dev.besom.lab.workload;

import dev.besom.lab.keys.HashReader;
import dev.besom.lab.keys.KeyFormat;
import dev.besom.lab.keys.KeyHashing;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.function.LongConsumer;

/**
 * A file of the user's own keys. It is read as a stream, anew each time, and never held in memory.
 *
 * <p>A key becomes a 64-bit number as the file is read, by the same seeded hashers with which a filter file is built
 * from it. All filters of a race are given that number, so a peer hashes it once more.
 *
 * @param path the file
 * @param format how keys stand in it
 * @param seed what the hashing is drawn from
 */
public record KeyFile(Path path, KeyFormat format, long seed) implements Workload.Stream {

    @Override
    public String name() {
        return path.toString();
    }

    @Override
    public QueryStream open(KeySpace space, long stored) {
        return open();
    }

    /**
     * Starts to read.
     *
     * @throws IllegalArgumentException if there is no such file, or none that may be read or is of the format; also thrown by the
     *     stream, where it comes to a key that the format does not allow
     * @throws UncheckedIOException if reading fails
     */
    public QueryStream open() {
        if (!Files.isRegularFile(path)) {
            throw new IllegalArgumentException(path + ": " + whyNone());
        }
        try {
            InputStream in = Files.newInputStream(path);
            try {
                return new Hashes(path, format.openHashes(path.toString(), in, KeyHashing.seeded(format, seed)));
            } catch (IOException | RuntimeException e) {
                in.close();
                throw e;
            }
        } catch (AccessDeniedException e) {
            throw new IllegalArgumentException(path + ": permission denied", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String whyNone() {
        if (Files.isDirectory(path)) {
            return "not a file";
        }
        boolean isStandardInput = path.toString().equals("-");
        return isStandardInput || Files.exists(path)
                ? "not a file; keys are read several times, so they must stand in one"
                : "no such file";
    }

    /**
     * Gives each key of the file, as often as it comes.
     *
     * @throws IllegalArgumentException as {@link #open()}
     */
    public void forEach(LongConsumer action) {
        try (QueryStream stream = open()) {
            while (stream.hasNext()) {
                action.accept(stream.next());
            }
        }
    }

    /** The keys of a reader, one by one. */
    private static final class Hashes implements QueryStream {

        private final Path path;
        private final HashReader reader;
        private int count;
        private int next;

        Hashes(Path path, HashReader reader) {
            this.path = path;
            this.reader = reader;
        }

        @Override
        public boolean hasNext() {
            if (next == count) {
                try {
                    count = reader.readBatch();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                next = 0;
            }
            return next < count;
        }

        @Override
        public long next() {
            if (!hasNext()) {
                throw new NoSuchElementException(path + " has no more keys");
            }
            return reader.hashes()[next++];
        }

        @Override
        public void close() {
            try {
                reader.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
