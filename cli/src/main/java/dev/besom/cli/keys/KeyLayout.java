package dev.besom.cli.keys;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How keys stand in a file: in a format, and where lines are rows, in which of their columns. The file may be compressed by gzip
 * or Zstandard, and a text may begin with a byte-order mark.
 *
 * @param format of the keys
 * @param columns of the rows, where lines are rows
 */
public record KeyLayout(KeyFormat format, Optional<Columns> columns) {

    public KeyLayout {
        if (columns.isPresent() && format != KeyFormat.LINES && format != KeyFormat.LONG_TEXT) {
            throw new IllegalArgumentException("keys of format " + format.label() + " have no columns");
        }
    }

    /** Keys that take a whole line each, or stand without lines. */
    public static KeyLayout of(KeyFormat format) {
        return new KeyLayout(format, Optional.empty());
    }

    /** Reads keys that can be shown again; see {@link KeyFormat#open}. */
    public KeyReader open(String name, InputStream in, KeyHashing hashing) {
        return format.open(name, plain(name, in), hashing);
    }

    /** Reads the hashes of keys; see {@link KeyFormat#openHashes}. */
    public HashReader openHashes(String name, InputStream in, KeyHashing hashing) throws IOException {
        return format.openHashes(name, plain(name, in), hashing);
    }

    /** The keys as lines or as their format has them, without what surrounds them. */
    public InputStream plain(String name, InputStream in) {
        InputStream plain = new PlainStream(name, format, in);
        return columns.isPresent() ? new ColumnStream(name, columns.get(), plain) : plain;
    }

    /** The options that say so on the command line, for a file of queries. */
    List<String> words() {
        List<String> words = new ArrayList<>(List.of("--format", format.label()));
        columns.ifPresent(rows -> {
            words.addAll(List.of("--query-column", rows.key().text()));
            Columns.Beside beside = rows.beside();
            beside.count().ifPresent(column -> words.addAll(List.of("--count-column", column.text())));
            beside.outcome().ifPresent(column -> words.addAll(List.of("--hit-column", column.text())));
            beside.cost().ifPresent(column -> words.addAll(List.of("--cost-column", column.text())));
            rows.separator().ifPresent(separator -> words.addAll(List.of("--separator", separator.toString())));
            if (rows.hasHeader()) {
                words.add("--header");
            }
        });
        return words;
    }
}
