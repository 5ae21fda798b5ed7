package dev.besom.cli;

import dev.besom.cli.keys.KeyFormat;
import dev.besom.cli.keys.KeyHashing;
import dev.besom.cli.keys.KeyLayout;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How files of keys stand that go with a filter file: options of the commands that read one. */
final class LayoutOptions {

    @Option(
            names = "--format",
            paramLabel = "F",
            converter = KeyFormatConverter.OfShownKeys.class,
            description = "How the keys stand: lines, long-text or long-le."
                    + " Default: lines for a filter of texts, long-text for one of numbers.")
    private @Nullable KeyFormat format;

    @Mixin
    private ColumnOptions columns = new ColumnOptions();

    /**
     * How keys stand.
     *
     * @param hashing how they become hashes of the filter
     * @param file the filter's, as the user names it
     */
    KeyLayout of(KeyHashing hashing, String file) {
        return columns.keys(format(hashing, file));
    }

    private KeyFormat format(KeyHashing hashing, String file) {
        if (format == null) {
            return hashing.isNumeric() ? KeyFormat.LONG_TEXT : KeyFormat.LINES;
        }
        if (format.isNumeric() != hashing.isNumeric()) {
            throw new InputException("--format " + format.label() + ": " + file + " holds "
                    + (hashing.isNumeric() ? "numbers, not texts" : "texts, not numbers"));
        }
        return format;
    }
}
