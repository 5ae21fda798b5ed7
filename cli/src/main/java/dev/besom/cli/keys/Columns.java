package dev.besom.cli.keys;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Which columns of a file of rows matter.
 *
 * @param key where the keys stand
 * @param count where it stands how often the key came; once where it is missing
 * @param outcome where it stands whether the key was found
 * @param separator what stands between columns; where it is missing, the file's name tells: a tab in {@code .tsv}, else a comma
 * @param hasHeader whether the first row has the columns' names; columns that are named need that
 */
public record Columns(
        Column key,
        Optional<Column> count,
        Optional<Column> outcome,
        Optional<Character> separator,
        boolean hasHeader) {

    /** The keys' column alone. */
    public static Columns of(String key) {
        return new Columns(Column.of(key), Optional.empty(), Optional.empty(), Optional.empty(), false);
    }

    /** A column by its name, or by its number from 1 on. */
    public record Column(String text) {

        /**
         * The column of a name or a number.
         *
         * @throws IllegalArgumentException if it is neither
         */
        public static Column of(String text) {
            if (text.isEmpty() || text.matches("0+")) {
                throw new IllegalArgumentException("'" + text + "' is no column; the first one is 1");
            }
            return new Column(text);
        }

        boolean isNumber() {
            return text.matches("[0-9]{1,6}");
        }

        /** The index of the column, from 0 on; -1 where no name of the header is its name. */
        int index(List<String> header) {
            return isNumber() ? Integer.parseInt(text) - 1 : header.indexOf(text);
        }
    }

    boolean isFirstRowHeader() {
        return hasHeader
                || !key.isNumber()
                || count.filter(column -> !column.isNumber()).isPresent()
                || outcome.filter(column -> !column.isNumber()).isPresent();
    }

    /** The separator in a file of that name. */
    byte separatorIn(String file) {
        if (separator.isPresent()) {
            return String.valueOf(separator.get()).getBytes(StandardCharsets.ISO_8859_1)[0];
        }
        return (byte) (file.matches("(?i).*\\.(tsv|tab)(\\.(gz|zst))?") ? '\t' : ',');
    }
}
