package dev.besom.cli.keys;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One column of a file of rows, as lines. What other columns say of each line is given by {@link #nextRow()}, line by line.
 *
 * <pre>
 *   id,key,hits        b
 *   1,b,3         -&gt;   c "d"        rows: 3, 5
 *   2,"c ""d""",5
 * </pre>
 *
 * Columns may stand in double quotes, where a double quote is written twice and separators and line ends may stand (RFC 4180);
 * not where they are separated by tabs, which knows no quotes. A line end in a key is refused: a line cannot hold it. Empty rows
 * do not count.
 */
final class ColumnStream extends InputStream {

    private static final int BUFFER_BYTES = 1 << 16;

    /** What a row says beside its key. */
    record Row(long count, Outcome outcome, double cost) {}

    private final String name;
    private final Columns columns;
    private final byte separator;
    private final boolean hasQuotes;
    private final InputStream in;

    private final byte[] buffer = new byte[BUFFER_BYTES];
    private byte[] lines = new byte[0];
    private int given;
    private final ByteArrayOutputStream ready = new ByteArrayOutputStream();
    private final ArrayDeque<Row> rows = new ArrayDeque<>();

    private long rowNumber = 1;
    private boolean isHeader;
    private final List<String> header = new ArrayList<>();
    private int keyColumn = -1;
    private int countColumn = -1;
    private int outcomeColumn = -1;
    private int costColumn = -1;

    /** The row under way: its column, whether that began with a quote, and whether the last byte was a quote in it. */
    private int column;

    private boolean isEmptyRow = true;
    private boolean isEmptyColumn = true;
    private boolean isQuoted;
    private boolean isAfterQuote;
    private @Nullable ByteArrayOutputStream wanted;
    private final ByteArrayOutputStream key = new ByteArrayOutputStream();
    private final ByteArrayOutputStream count = new ByteArrayOutputStream();
    private final ByteArrayOutputStream outcome = new ByteArrayOutputStream();
    private final ByteArrayOutputStream cost = new ByteArrayOutputStream();
    private final ByteArrayOutputStream title = new ByteArrayOutputStream();

    ColumnStream(String name, Columns columns, InputStream in) {
        this.name = name;
        this.columns = columns;
        this.separator = columns.separatorIn(name);
        this.hasQuotes = separator != '\t';
        this.in = in;
        this.isHeader = columns.isFirstRowHeader();
        if (!isHeader) {
            findColumns();
        }
        beginColumn();
    }

    /** What stands beside the key of the next line; called once for each line, in order. */
    Row nextRow() {
        return rows.remove();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        int read = read(one, 0, 1);
        return read < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int from, int most) throws IOException {
        while (given == lines.length) {
            int read = in.read(buffer, 0, buffer.length);
            if (read < 0) {
                if (isQuoted && !isAfterQuote) {
                    throw refuse("does not end: a quote is missing");
                }
                if (isEmptyRow && column == 0) {
                    return -1;
                }
                endRow();
            } else {
                for (int i = 0; i < read; i++) {
                    take(buffer[i]);
                }
            }
            lines = ready.toByteArray();
            ready.reset();
            given = 0;
        }
        int length = Math.min(most, lines.length - given);
        System.arraycopy(lines, given, target, from, length);
        given += length;
        return length;
    }

    private void take(byte next) {
        if (isQuoted && !isAfterQuote) {
            if (next == '"') {
                isAfterQuote = true;
            } else {
                keep(next);
            }
            return;
        }
        if (next == '\n') {
            endRow();
        } else if (next == separator) {
            endColumn();
            isEmptyRow = false;
            column++;
            beginColumn();
        } else if (next == '"' && hasQuotes && (isEmptyColumn || isAfterQuote)) {
            if (isAfterQuote) {
                keep(next);
            }
            isEmptyRow = false;
            isEmptyColumn = false;
            isQuoted = true;
            isAfterQuote = false;
        } else if (!(isAfterQuote && next == '\r')) {
            keep(next);
        }
    }

    private void keep(byte next) {
        isEmptyColumn = false;
        isEmptyRow &= next == '\r';
        if (wanted != null) {
            wanted.write(next);
        }
    }

    private void beginColumn() {
        isEmptyColumn = true;
        isQuoted = false;
        isAfterQuote = false;
        wanted = isHeader ? title : wantedOf(column);
    }

    /** Where the bytes of a column go; null if nobody wants them. */
    private @Nullable ByteArrayOutputStream wantedOf(int index) {
        if (index == keyColumn) {
            return key;
        }
        if (index == countColumn) {
            return count;
        }
        if (index == outcomeColumn) {
            return outcome;
        }
        return index == costColumn ? cost : null;
    }

    private void endColumn() {
        if (isHeader) {
            header.add(text(title));
            title.reset();
        }
    }

    private void endRow() {
        endColumn();
        if (isHeader) {
            isHeader = false;
            findColumns();
        } else if (!isEmptyRow) {
            emit();
        }
        key.reset();
        count.reset();
        outcome.reset();
        cost.reset();
        rowNumber++;
        column = 0;
        isEmptyRow = true;
        beginColumn();
    }

    private void emit() {
        if (column < Math.max(Math.max(keyColumn, costColumn), Math.max(countColumn, outcomeColumn))) {
            throw refuse("has only " + (column + 1) + " columns");
        }
        byte[] bytes = key.toByteArray();
        boolean endsRow = column == keyColumn && !isQuoted;
        int length = endsRow && bytes.length > 0 && bytes[bytes.length - 1] == '\r' ? bytes.length - 1 : bytes.length;
        for (int i = 0; i < length; i++) {
            if (bytes[i] == '\n') {
                throw refuse("has a key with a line end in it");
            }
        }
        ready.write(bytes, 0, length);
        ready.write('\n');
        rows.add(new Row(
                countColumn < 0 ? 1 : countOf(text(count)),
                outcomeColumn < 0 ? Outcome.UNKNOWN : of(text(outcome)),
                costColumn < 0 ? 1 : costOf(text(cost))));
    }

    private double costOf(String text) {
        try {
            double number = Double.parseDouble(text);
            if (number >= 0 && Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw refuse("has a cost that is no number: '" + text + "'");
        }
        throw refuse("has a cost that cannot be: " + text);
    }

    private long countOf(String text) {
        try {
            long number = Long.parseLong(text);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw refuse("has a count that is no whole number: '" + text + "'");
        }
        throw refuse("has a negative count: " + text);
    }

    private Outcome of(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "hit", "true", "yes", "1", "found", "t", "y" -> Outcome.HIT;
            case "miss", "false", "no", "0", "absent", "f", "n" -> Outcome.MISS;
            default -> throw refuse("says neither hit nor miss: '" + text + "'");
        };
    }

    private void findColumns() {
        keyColumn = find(columns.key());
        countColumn = columns.beside().count().map(this::find).orElse(-1);
        outcomeColumn = columns.beside().outcome().map(this::find).orElse(-1);
        costColumn = columns.beside().cost().map(this::find).orElse(-1);
    }

    private int find(Columns.Column wantedColumn) {
        int index = wantedColumn.index(header);
        if (index < 0) {
            throw new BadKeysException(
                    name + ": no column '" + wantedColumn.text() + "'; there are " + String.join(", ", header));
        }
        return index;
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8).strip();
    }

    private BadKeysException refuse(String why) {
        return new BadKeysException(name + ": row " + rowNumber + " " + why);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
