package dev.besom.cli;

import dev.besom.cli.keys.Columns;
import dev.besom.cli.keys.Columns.Column;
import dev.besom.cli.keys.KeyFormat;
import dev.besom.cli.keys.KeyLayout;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** In which column of their files keys stand. */
final class ColumnOptions {

    @Option(
            names = "--column",
            paramLabel = "C",
            converter = ColumnConverter.class,
            description = "The keys are this column of a CSV or TSV file: its name in the first row, or its number.")
    private @Nullable Column column;

    @Option(
            names = "--separator",
            paramLabel = "S",
            converter = SeparatorConverter.class,
            description = "What stands between columns: a character, or tab. Default: a tab in *.tsv, else a comma.")
    private @Nullable Character separator;

    @Option(names = "--header", description = "The first row is no key, also where columns are given by number.")
    private boolean hasHeader;

    /** How keys of that format stand in the files. */
    KeyLayout keys(KeyFormat format) {
        return layout(format, column, Columns.Beside.NOTHING);
    }

    /** How queries of that format stand in the files. */
    KeyLayout queries(KeyFormat format, LogOptions log) {
        Columns.Beside beside = new Columns.Beside(
                Optional.ofNullable(log.count), Optional.ofNullable(log.outcome), Optional.ofNullable(log.cost));
        if (log.key == null && !beside.equals(Columns.Beside.NOTHING)) {
            throw new InputException("--query-column: is missing beside --count-column, --hit-column or --cost-column");
        }
        return layout(format, log.key, beside);
    }

    private KeyLayout layout(KeyFormat format, @Nullable Column key, Columns.Beside beside) {
        if (key == null) {
            return KeyLayout.of(format);
        }
        Columns columns = new Columns(key, beside, Optional.ofNullable(separator), hasHeader);
        return BesomCommand.ofOption("--column", () -> new KeyLayout(format, Optional.of(columns)));
    }

    /** Which columns of a log of queries matter. */
    static final class LogOptions {

        @Option(
                names = "--query-column",
                paramLabel = "C",
                converter = ColumnConverter.class,
                description = "The queries are this column of a CSV or TSV file: its name or its number.")
        private @Nullable Column key;

        @Option(
                names = "--count-column",
                paramLabel = "C",
                converter = ColumnConverter.class,
                description = "With --query-column: how often a row's key was looked up.")
        private @Nullable Column count;

        @Option(
                names = "--hit-column",
                paramLabel = "C",
                converter = ColumnConverter.class,
                description = "With --query-column: whether the key was found: hit or miss, true or false, 1 or 0.")
        private @Nullable Column outcome;

        @Option(
                names = "--cost-column",
                paramLabel = "C",
                converter = ColumnConverter.class,
                description = "With --query-column: what a wasted read of the row's key costs. Default: 1 each.")
        private @Nullable Column cost;

        /** Whether the log tells hits from misses. */
        boolean hasOutcomes() {
            return outcome != null;
        }
    }

    /** Reads a column's name or number. */
    static final class ColumnConverter implements ITypeConverter<Column> {
        @Override
        public Column convert(String text) {
            try {
                return Column.of(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** Reads a separator. */
    static final class SeparatorConverter implements ITypeConverter<Character> {
        @Override
        public Character convert(String text) {
            if (text.equals("tab") || text.equals("\\t")) {
                return '\t';
            }
            if (text.length() != 1 || text.charAt(0) > '~' || text.equals("\"") || text.equals("\n")) {
                throw new TypeConversionException("'" + text + "' is no separator: one ASCII character, or tab");
            }
            return text.charAt(0);
        }
    }
}
