package dev.besom.cli.keys;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which columns of a file of rows matter.
 *
 * @param key where the keys stand
 * @param beside what else of a row matters
 * @param separator what stands between columns; where it is missing, the file's name tells: a tab in {@code .tsv}, else a comma
 * @param hasHeader whether the first row has the columns' names; columns that are named need that
 */
public record Columns(Column key, Beside beside, Optional<Character> separator, boolean hasHeader) {

    /**
     * Columns beside the keys'.
     *
     * @param count where it stands how often the key came; once where it is missing
     * @param outcome where it stands whether the key was found
     * @param cost where it stands what a wasted read of the key costs; 1 where it is missing
     */
    public record Beside(Optional<Column> count, Optional<Column> outcome, Optional<Column> cost) {

        /** No other column. */
        public static final Beside NOTHING = new Beside(Optional.empty(), Optional.empty(), Optional.empty());

        /** Whether a column is named, and not numbered. */
        private boolean hasNames() {
            return Stream.of(count, outcome, cost).flatMap(Optional::stream).anyMatch(column -> !column.isNumber());
        }
    }

    /** The keys' column alone. */
    public static Columns of(String key) {
        return new Columns(Column.of(key), Beside.NOTHING, Optional.empty(), false);
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
        return hasHeader || !key.isNumber() || beside.hasNames();
    }

    /** The separator in a file of that name. */
    byte separatorIn(String file) {
        if (separator.isPresent()) {
            return String.valueOf(separator.get()).getBytes(StandardCharsets.ISO_8859_1)[0];
        }
        return (byte) (file.matches("(?i).*\\.(tsv|tab)(\\.(gz|zst))?") ? '\t' : ',');
    }
}
