package dev.besom.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How keys stand in a file. */
enum KeyFormat {
    LINES("lines"),
    LONG_TEXT("long-text"),
    LONG_LE("long-le");

    private final String label;

    KeyFormat(String label) {
        this.label = label;
    }

    /** The name on the command line. */
    String label() {
        return label;
    }

    boolean isNumeric() {
        return this != LINES;
    }

    /** Reads keys from a stream; the hashing must be for keys of this format. */
    KeyReader open(String name, InputStream in, KeyHashing hashing) {
        return switch (this) {
            case LINES -> new TextReader(name, in, hashing.ofTexts());
            case LONG_TEXT -> new DecimalReader(name, in, hashing.ofNumbers());
            case LONG_LE -> new BinaryReader(name, in, hashing.ofNumbers());
        };
    }

    /** How many keys a file holds, without a look at what they are. */
    long countKeys(Path file) throws IOException {
        return this == LONG_LE ? Files.size(file) / Long.BYTES : countLines(file);
    }

    private static long countLines(Path file) throws IOException {
        byte[] buffer = new byte[1 << 17];
        long lines = 0;
        byte last = '\n';
        try (InputStream in = Files.newInputStream(file)) {
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
        }
        return last == '\n' ? lines : lines + 1;
    }

    /** Reads the name on the command line. */
    static final class Converter implements ITypeConverter<KeyFormat> {
        @Override
        public KeyFormat convert(String text) {
            for (KeyFormat format : values()) {
                if (format.label.equals(text)) {
                    return format;
                }
            }
            throw new TypeConversionException("unknown format '" + text + "'; there are "
                    + Arrays.stream(values()).map(KeyFormat::label).collect(Collectors.joining(", ")));
        }
    }
}
