package dev.besom.lab.experiment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The numbers behind the plots of an experiment.
 *
 * @param columns the headings
 * @param rows a cell for each column: a text or a {@code Double}
 */
public record ResultTable(List<String> columns, List<List<Object>> rows) {

    public ResultTable {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<Object> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException(row.size() + " cells for " + columns.size() + " columns");
            }
            for (Object cell : row) {
                if (!(cell instanceof String) && !(cell instanceof Double)) {
                    throw new IllegalArgumentException("neither a text nor a double: " + cell);
                }
            }
        }
    }

    /** Starts a table. */
    public static Builder columns(String... columns) {
        return new Builder(List.of(columns));
    }

    /** The number of a row in that column; not a number where there is no such column, or a text. */
    public double number(List<Object> row, String column) {
        int at = columns.indexOf(column);
        return at >= 0 && row.get(at) instanceof Double number ? number : Double.NaN;
    }

    /** A table of all points: a row for each x, a column for each series that has it. */
    public static ResultTable of(Plot plot) {
        double[] xs = plot.series().stream()
                .flatMap(series -> series.points().stream())
                .mapToDouble(Series.Point::x)
                .sorted()
                .distinct()
                .toArray();
        List<String> columns = new ArrayList<>(List.of(plot.x().label()));
        for (Series series : plot.series()) {
            columns.add(
                    series.origin() == Series.Origin.OURS
                            ? series.name()
                            : series.name() + " (" + series.origin().label() + ")");
        }
        Builder table = new Builder(columns);
        for (double x : xs) {
            List<Object> cells = new ArrayList<>(List.of(x));
            for (Series series : plot.series()) {
                cells.add(series.points().stream()
                        .filter(point -> point.x() == x)
                        .findFirst()
                        .<Object>map(Series.Point::y)
                        .orElse(""));
            }
            table.row(cells.toArray());
        }
        return table.end();
    }

    /** A table under construction. */
    public static final class Builder {

        private final List<String> columns;
        private final List<List<Object>> rows = new ArrayList<>();

        private Builder(List<String> columns) {
            this.columns = columns;
        }

        /** Adds a row of texts and numbers. */
        public Builder row(Object... cells) {
            rows.add(Arrays.stream(cells)
                    .map(cell -> cell instanceof Number number ? (Object) number.doubleValue() : cell.toString())
                    .toList());
            return this;
        }

        public ResultTable end() {
            return new ResultTable(columns, rows);
        }
    }
}
