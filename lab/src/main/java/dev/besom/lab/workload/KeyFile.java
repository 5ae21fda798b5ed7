package dev.besom.lab.workload;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

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
     * @throws IllegalArgumentException if there is no such file or it cannot be of the format; also thrown by the
     *     stream, where it comes to a key that the format does not allow
     * @throws UncheckedIOException if reading fails
     */
    public QueryStream open() {
        if (!Files.isRegularFile(path)) {
            throw new IllegalArgumentException(path + (Files.exists(path) ? ": not a file" : ": no such file"));
        }
        try {
            InputStream in = Files.newInputStream(path);
            try {
                String name = path.toString();
                return switch (format) {
                    case LINES -> new LineKeys(name, in, seed);
                    case LONG_TEXT -> new DecimalKeys(name, in, seed);
                    case LONG_LE -> new BinaryKeys(name, in, seed);
                    case PCAP -> new FlowKeys(PacketReader.open(name, in), seed);
                };
            } catch (IOException | RuntimeException e) {
                in.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
