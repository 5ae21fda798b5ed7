package dev.besom.cli.keys;

import dev.besom.lab.workload.KeySource;
import dev.besom.lab.workload.QueryStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;

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
public record KeyFile(Path path, KeyFormat format, long seed) implements KeySource {

    @Override
    public String name() {
        return path.toString();
    }

    @Override
    public List<String> words() {
        return List.of(name(), "--format", format.label());
    }

    @Override
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
