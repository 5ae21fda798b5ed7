package dev.besom.lab.report;

import dev.besom.lab.experiment.ExperimentResult;
import dev.besom.lab.experiment.Plot;
import dev.besom.lab.experiment.Series;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All points of results as CSV (RFC 4180), a line each. */
public final class ResultCsv {

    private static final String END = "\r\n";

    private ResultCsv() {}

    /** With the header {@code experiment,scale,plot,series,origin,x,y}; what is not a number is left empty. */
    public static String write(List<ExperimentResult> results) {
        StringBuilder csv = new StringBuilder("experiment,scale,plot,series,origin,x,y" + END);
        for (ExperimentResult result : results) {
            for (Plot plot : result.findings().plots()) {
                for (Series series : plot.series()) {
                    for (Series.Point point : series.points()) {
                        csv.append(line(
                                result.description().name(),
                                result.provenance().scale().label(),
                                plot.title(),
                                series.name(),
                                series.origin().label(),
                                number(point.x()),
                                number(point.y())));
                    }
                }
            }
        }
        return csv.toString();
    }

    private static String line(String... cells) {
        return Stream.of(cells).map(ResultCsv::quoted).collect(Collectors.joining(",")) + END;
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "" : Double.toString(value);
    }

    private static String quoted(String cell) {
        boolean isPlain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return isPlain ? cell : "\"" + cell.replace("\"", "\"\"") + "\"";
    }
}
