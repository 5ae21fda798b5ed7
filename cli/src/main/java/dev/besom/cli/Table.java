package dev.besom.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Lines of cells in columns as wide as their widest cell; numbers stand right, words left.
 *
 * <p>A table that is wider than it may be gives way in two steps: the words of its last column are wrapped, if that is a column
 * of words, and then it is cut into several tables below each other, each of which begins with the first column.
 */
final class Table {

    /** The width of a terminal, unless it was made wider. */
    static final int TERMINAL_WIDTH = 80;

    private static final String GAP = "  ";

    /** A wrapped column is at least so wide. */
    private static final int LEAST_WRAPPED = 24;

    private final List<String[]> rows = new ArrayList<>();
    private final String[] headings;
    private final boolean[] right;

    /** Columns whose heading begins with ">" stand right. */
    Table(String... headings) {
        this.headings = new String[headings.length];
        this.right = new boolean[headings.length];
        for (int i = 0; i < headings.length; i++) {
            right[i] = headings[i].startsWith(">");
            this.headings[i] = right[i] ? headings[i].substring(1) : headings[i];
        }
    }

    Table row(String... cells) {
        if (cells.length != headings.length) {
            throw new IllegalArgumentException(cells.length + " cells for " + headings.length + " columns");
        }
        rows.add(cells);
        return this;
    }

    /** Prints the table as wide as a terminal at most. */
    void print(Console console) throws IOException {
        print(console, TERMINAL_WIDTH);
    }

    /** Prints the table as wide as it is. */
    void printWide(Console console) throws IOException {
        print(console, Integer.MAX_VALUE);
    }

    private void print(Console console, int most) throws IOException {
        int[] widths = new int[headings.length];
        measure(headings, widths);
        rows.forEach(row -> measure(row, widths));
        int last = headings.length - 1;
        int beforeLast = Arrays.stream(widths, 0, last).sum() + last * GAP.length();
        if (!right[last] && beforeLast + LEAST_WRAPPED <= most) {
            widths[last] = Math.min(widths[last], most - beforeLast);
        }
        for (int from = 1; from < headings.length; ) {
            int to = fitting(from, widths, most);
            if (from > 1) {
                console.print("");
            }
            print(console, from, to, widths);
            from = to;
        }
    }

    /** The end of the columns from one on that stand beside the first one; at least one does. */
    private int fitting(int from, int[] widths, int most) {
        int width = widths[0];
        int to = from;
        while (to < headings.length && (to == from || width + GAP.length() + widths[to] <= most)) {
            width += GAP.length() + widths[to];
            to++;
        }
        return to;
    }

    private void print(Console console, int from, int to, int[] widths) throws IOException {
        print(console, headings, from, to, widths);
        for (String[] row : rows) {
            print(console, row, from, to, widths);
        }
    }

    /** One row: its line, and further ones for what its last cell has too much. */
    private void print(Console console, String[] cells, int from, int to, int[] widths) throws IOException {
        List<String> lastCell = wrap(cells[to - 1], widths[to - 1]);
        for (int line = 0; line < lastCell.size(); line++) {
            StringBuilder text = new StringBuilder();
            append(text, line == 0 ? cells[0] : "", 0, widths);
            for (int i = from; i < to - 1; i++) {
                append(text.append(GAP), line == 0 ? cells[i] : "", i, widths);
            }
            append(text.append(GAP), lastCell.get(line), to - 1, widths);
            console.print(text.toString().stripTrailing());
        }
    }

    private void append(StringBuilder text, String cell, int column, int[] widths) {
        String padding = " ".repeat(Math.max(0, widths[column] - length(cell)));
        text.append(right[column] ? padding + cell : cell + padding);
    }

    /** Lines of at most that width, unless a word is longer. */
    static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && length(line) + 1 + length(word) > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private static void measure(String[] cells, int[] widths) {
        for (int i = 0; i < cells.length; i++) {
            widths[i] = Math.max(widths[i], length(cells[i]));
        }
    }

    private static int length(CharSequence text) {
        return Character.codePointCount(text, 0, text.length());
    }
}
