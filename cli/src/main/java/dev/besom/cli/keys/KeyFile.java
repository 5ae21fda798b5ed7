package dev.besom.cli.keys;

import dev.besom.lab.workload.KeySource;
import dev.besom.lab.workload.QueryStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Predicate;

/**
 * A file of the user's own keys. It is read as a stream, anew each time, and never held in memory.
 *
 * <p>A key becomes a 64-bit number as the file is read, by the same seeded hashers with which a filter file is built
 * from it. All filters of a race are given that number, so a peer hashes it once more.
 *
 * @param path the file
 * @param layout how keys stand in it; a key with a count comes as often in a row
 * @param seed what the hashing is drawn from
 */
public record KeyFile(Path path, KeyLayout layout, long seed) implements KeySource {

    /** A file of keys of that format without columns. */
    public KeyFile(Path path, KeyFormat format, long seed) {
        this(path, KeyLayout.of(format), seed);
    }

    @Override
    public String name() {
        return path.toString();
    }

    @Override
    public List<String> words() {
        List<String> words = new ArrayList<>(List.of(name()));
        words.addAll(layout.words());
        return words;
    }

    @Override
    public QueryStream open() {
        return open(outcome -> true);
    }

    /** The keys of the rows with that outcome, in a file that tells outcomes. */
    public KeySource only(Outcome outcome) {
        KeyFile all = this;
        return new KeySource() {
            @Override
            public String name() {
                return all.name();
            }

            @Override
            public QueryStream open() {
                return all.open(found -> found == outcome);
            }
        };
    }

    private QueryStream open(Predicate<Outcome> isWanted) {
        if (!Files.isRegularFile(path)) {
            throw new IllegalArgumentException(path + ": " + whyNone());
        }
        try {
            InputStream in = Files.newInputStream(path);
            try {
                KeyHashing hashing = KeyHashing.seeded(layout.format(), seed);
                return new Hashes(path, layout.openHashes(path.toString(), in, hashing), isWanted);
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

    /** The keys of a reader, one by one, each as often as it came. */
    private static final class Hashes implements QueryStream {

        private final Path path;
        private final HashReader reader;
        private final Predicate<Outcome> isWanted;
        private int count;
        private int next = -1;
        private long repeats;

        Hashes(Path path, HashReader reader, Predicate<Outcome> isWanted) {
            this.path = path;
            this.reader = reader;
            this.isWanted = isWanted;
        }

        @Override
        public boolean hasNext() {
            while (repeats == 0 && next < count) {
                next++;
                if (next == count) {
                    count = readBatch();
                    next = count == 0 ? 0 : -1;
                } else if (isWanted.test(reader.outcome(next))) {
                    repeats = reader.count(next);
                }
            }
            return repeats > 0;
        }

        private int readBatch() {
            try {
                return reader.readBatch();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public long next() {
            if (!hasNext()) {
                throw new NoSuchElementException(path + " has no more keys");
            }
            repeats--;
            return reader.hashes()[next];
        }

        @Override
        public double cost() {
            return reader.cost(next);
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
