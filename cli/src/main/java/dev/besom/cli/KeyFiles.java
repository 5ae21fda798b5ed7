package dev.besom.cli;

import dev.besom.cli.keys.KeyFormat;
import dev.besom.cli.keys.KeyHashing;
import dev.besom.cli.keys.KeyLayout;
import dev.besom.cli.keys.KeyReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;

/** The key files of a command, in order; {@code -} is standard input. */
final class KeyFiles {

    private static final String STANDARD_INPUT = "-";

    private final List<String> names;
    private final Console console;

    /** Takes a batch of keys: the first {@code count} of the reader. */
    @FunctionalInterface
    interface BatchConsumer {
        void accept(KeyReader keys, int count) throws IOException;
    }

    /** @throws InputException if a file cannot be a key file */
    KeyFiles(List<String> names, Console console) {
        this.names = names;
        this.console = console;
        if (Collections.frequency(names, STANDARD_INPUT) > 1) {
            throw new InputException("-: standard input can be read only once");
        }
        for (String name : names) {
            if (!name.equals(STANDARD_INPUT)) {
                checkReadable(name);
            }
        }
    }

    private static void checkReadable(String name) {
        Path file = Paths.of(name);
        if (!Files.exists(file)) {
            throw new InputException(name + ": no such file");
        }
        if (Files.isDirectory(file)) {
            throw new InputException(name + ": is a folder, not a key file");
        }
        if (!Files.isReadable(file)) {
            throw new InputException(name + ": permission denied");
        }
    }

    /** Whether the keys can be read twice, as pipes cannot. */
    boolean areRereadable() {
        return names.stream().allMatch(name -> !name.equals(STANDARD_INPUT) && Files.isRegularFile(Paths.of(name)));
    }

    /** Whether one of the files is that one. */
    boolean contains(Path other) throws IOException {
        for (String name : names) {
            if (!name.equals(STANDARD_INPUT) && Files.exists(other) && Files.isSameFile(Paths.of(name), other)) {
                return true;
            }
        }
        return false;
    }

    /** How many keys the files hold; only for files that can be read twice. */
    long countKeys(KeyLayout layout) throws IOException {
        long keys = 0;
        for (String name : names) {
            try (InputStream in = layout.plain(name, open(name))) {
                keys += layout.format() == KeyFormat.LONG_LE ? countBytes(in) / Long.BYTES : countLines(in);
            } catch (IOException e) {
                throw new IOException(name + ": " + InputOutput.describe(e), e);
            }
        }
        return keys;
    }

    private static long countBytes(InputStream in) throws IOException {
        return in.transferTo(OutputStream.nullOutputStream());
    }

    private static long countLines(InputStream in) throws IOException {
        byte[] buffer = new byte[1 << 17];
        long lines = 0;
        byte last = '\n';
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            for (int i = 0; i < read; i++) {
                if (buffer[i] == '\n') {
                    lines++;
                }
            }
            if (read > 0) {
                last = buffer[read - 1];
            }
        }
        return last == '\n' ? lines : lines + 1;
    }

    /** Reads all keys and hands them over batch by batch. */
    void forEachBatch(KeyLayout layout, KeyHashing hashing, BatchConsumer consumer) throws IOException {
        for (String name : names) {
            String shown = name.equals(STANDARD_INPUT) ? "standard input" : name;
            try (KeyReader keys = layout.open(shown, open(name), hashing)) {
                for (int count = keys.readBatch(); count > 0; count = keys.readBatch()) {
                    consumer.accept(keys, count);
                }
            }
        }
    }

    private InputStream open(String name) throws IOException {
        if (name.equals(STANDARD_INPUT)) {
            return new FilterInputStream(console.input()) {
                @Override
                public void close() {
                    // Standard input belongs to whoever started the command.
                }
            };
        }
        try {
            return Files.newInputStream(Paths.of(name));
        } catch (NoSuchFileException | AccessDeniedException e) {
            throw new InputException(InputOutput.describe(e), e);
        }
    }
}
