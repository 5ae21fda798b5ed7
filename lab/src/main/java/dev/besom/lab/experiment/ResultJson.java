package dev.besom.lab.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Results as a JSON document, so that a run can be saved and drawn later.
 *
 * <pre>
 *   {"experiments": [{"name": …, "title": …, "paper": …, "figure": …, "toSee": …,
 *                     "scale": "quick", "seed": "1", "command": …, "machine": …, "seconds": …,
 *                     "parameters": {name: text, …},
 *                     "plots": [{"title": …, "x": {"label": …, "logarithmic": false}, "y": {…},
 *                                "series": [{"name": …, "origin": "ours", "points": [[x, y], …]}, …],
 *                                "marks": [{"x": …, "label": …}, …]}, …],
 *                     "table": {"columns": […], "rows": [[…], …]}}, …]}
 * </pre>
 *
 * <p>A seed is a text, because the numbers of JSON have no 64 bits in many readers. A number that is none is null.
 */
public final class ResultJson {

    private ResultJson() {}

    /** The results as maps and lists, for {@link JsonText}. */
    public static Map<String, Object> document(List<ExperimentResult> results) {
        return Map.of("experiments", results.stream().map(ResultJson::result).toList());
    }

    private static Map<String, Object> result(ExperimentResult result) {
        Description description = result.description();
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("name", description.name());
        members.put("title", description.title());
        members.put("paper", description.paper());
        members.put("figure", description.figure());
        members.put("toSee", description.toSee());
        members.put("scale", result.provenance().scale().label());
        members.put("seed", Long.toString(result.provenance().seed()));
        members.put("command", result.provenance().command());
        members.put("machine", result.provenance().machine());
        members.put("seconds", result.provenance().seconds());
        members.put("parameters", result.findings().parameters());
        members.put(
                "plots",
                result.findings().plots().stream().map(ResultJson::plot).toList());
        ResultTable table = result.findings().table();
        members.put("table", Map.of("columns", table.columns(), "rows", table.rows()));
        return members;
    }

    private static Map<String, Object> plot(Plot plot) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("title", plot.title());
        members.put("x", axis(plot.x()));
        members.put("y", axis(plot.y()));
        members.put(
                "series",
                plot.series().stream()
                        .map(series -> Map.of(
                                "name",
                                series.name(),
                                "origin",
                                series.origin().label(),
                                "points",
                                series.points().stream()
                                        .map(point -> List.of(point.x(), point.y()))
                                        .toList()))
                        .toList());
        members.put(
                "marks",
                plot.marks().stream()
                        .map(mark -> Map.of("x", mark.x(), "label", mark.label()))
                        .toList());
        return members;
    }

    private static Map<String, Object> axis(Plot.Axis axis) {
        return Map.of("label", axis.label(), "logarithmic", axis.logarithmic());
    }

    /**
     * The results of a document.
     *
     * @throws IllegalArgumentException if the text is not one
     */
    public static List<ExperimentResult> read(String text) {
        return list(object(JsonText.read(text)), "experiments", ResultJson::readResult);
    }

    private static ExperimentResult readResult(@Nullable Object value) {
        Map<String, @Nullable Object> members = object(value);
        Map<String, String> parameters = new LinkedHashMap<>();
        object(members.get("parameters"))
                .forEach((name, parameter) -> parameters.put(name, is(String.class, name, parameter)));
        Map<String, @Nullable Object> table = object(members.get("table"));
        ResultTable readTable = new ResultTable(
                list(table, "columns", column -> is(String.class, "column", column)),
                list(
                        table,
                        "rows",
                        row -> elements("row", row).stream()
                                .map(ResultJson::cell)
                                .toList()));
        return new ExperimentResult(
                new Description(
                        text(members, "name"),
                        text(members, "title"),
                        text(members, "paper"),
                        text(members, "figure"),
                        text(members, "toSee")),
                new ExperimentResult.Provenance(
                        Scale.valueOf(text(members, "scale").toUpperCase(Locale.ROOT)),
                        Long.parseLong(text(members, "seed")),
                        text(members, "command"),
                        text(members, "machine"),
                        number("seconds", members.get("seconds"))),
                new Findings(parameters, list(members, "plots", ResultJson::readPlot), readTable));
    }

    private static Plot readPlot(@Nullable Object value) {
        Map<String, @Nullable Object> members = object(value);
        return new Plot(
                text(members, "title"),
                readAxis(members.get("x")),
                readAxis(members.get("y")),
                list(members, "series", ResultJson::readSeries),
                list(
                        members,
                        "marks",
                        mark -> new Plot.Mark(number("x", object(mark).get("x")), text(object(mark), "label"))));
    }

    private static Plot.Axis readAxis(@Nullable Object value) {
        Map<String, @Nullable Object> members = object(value);
        return new Plot.Axis(text(members, "label"), is(Boolean.class, "logarithmic", members.get("logarithmic")));
    }

    private static Series readSeries(@Nullable Object value) {
        Map<String, @Nullable Object> members = object(value);
        return new Series(
                text(members, "name"),
                Series.Origin.valueOf(text(members, "origin").toUpperCase(Locale.ROOT)),
                list(members, "points", ResultJson::readPoint));
    }

    private static Series.Point readPoint(@Nullable Object value) {
        List<@Nullable Object> pair = elements("point", value);
        if (pair.size() != 2) {
            throw new IllegalArgumentException("a point has 2 numbers, not " + pair.size());
        }
        return new Series.Point(number("x", pair.get(0)), number("y", pair.get(1)));
    }

    private static Object cell(@Nullable Object value) {
        return value == null ? Double.NaN : value;
    }

    private static String text(Map<String, @Nullable Object> members, String name) {
        return is(String.class, name, members.get(name));
    }

    private static double number(String name, @Nullable Object value) {
        return value == null ? Double.NaN : is(Double.class, name, value);
    }

    private static <T> List<T> list(
            Map<String, @Nullable Object> members, String name, Function<@Nullable Object, T> read) {
        List<T> list = new ArrayList<>();
        for (Object element : elements(name, members.get(name))) {
            list.add(read.apply(element));
        }
        return list;
    }

    @SuppressWarnings("unchecked")
    private static List<@Nullable Object> elements(String name, @Nullable Object value) {
        return is(List.class, name, value);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> object(@Nullable Object value) {
        return is(Map.class, "experiment", value);
    }

    private static <T> T is(Class<T> type, String name, @Nullable Object value) {
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException(
                    "not a saved run: " + name + " is missing or not a " + type.getSimpleName());
        }
        return type.cast(value);
    }
}
