package dev.besom.cli;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The scores of keys, one a line, in the order of the keys. */
final class ScoreLines implements Closeable {

    private final String name;
    private final Path file;
    private final boolean isTemporary;
    private final BufferedReader lines;
    private long read;

    private ScoreLines(String name, Path file, boolean isTemporary) throws IOException {
        this.name = isTemporary ? "--model" : name;
        this.file = file;
        this.isTemporary = isTemporary;
        this.lines = Files.newBufferedReader(file, StandardCharsets.UTF_8);
    }

    /**
     * Opens a file of scores.
     *
     * @param isTemporary whether it is deleted in the end
     */
    static ScoreLines open(String name, boolean isTemporary) throws IOException {
        try {
            return new ScoreLines(name, Paths.of(name), isTemporary);
        } catch (NoSuchFileException e) {
            throw new InputException(name + ": no such file", e);
        }
    }

    /** The score of the next key. */
    double next() throws IOException {
        String line = lines.readLine();
        if (line == null) {
            throw new InputException(name + ": has " + Numbers.whole(read) + " scores, and there are more keys");
        }
        read++;
        try {
            return Double.parseDouble(line.strip());
        } catch (NumberFormatException e) {
            throw new InputException(name + ": line " + read + " is no number", e);
        }
    }

    /** Refuses scores of no key. */
    void requireEnd() throws IOException {
        if (lines.readLine() != null) {
            throw new InputException(name + ": has more scores than the " + Numbers.whole(read) + " keys");
        }
    }

    @Override
    public void close() throws IOException {
        lines.close();
        if (isTemporary) {
            Files.deleteIfExists(file);
        }
    }
}
