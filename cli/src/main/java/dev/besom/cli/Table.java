package dev.besom.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Lines of cells in columns as wide as their widest cell; numbers stand right, words left. */
final class Table {

    private static final String GAP = "  ";

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

    void print(Console console) throws IOException {
        int[] widths = new int[headings.length];
        measure(headings, widths);
        rows.forEach(row -> measure(row, widths));
        console.print(line(headings, widths));
        for (String[] row : rows) {
            console.print(line(row, widths));
        }
    }

    private static void measure(String[] cells, int[] widths) {
        for (int i = 0; i < cells.length; i++) {
            widths[i] = Math.max(widths[i], length(cells[i]));
        }
    }

    private String line(String[] cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.length; i++) {
            String padding = " ".repeat(widths[i] - length(cells[i]));
            line.append(i == 0 ? "" : GAP).append(right[i] ? padding + cells[i] : cells[i] + padding);
        }
        return line.toString().stripTrailing();
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
