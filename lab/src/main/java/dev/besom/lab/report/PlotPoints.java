package dev.besom.lab.report;

import dev.besom.lab.experiment.Plot;
import dev.besom.lab.experiment.Series;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds what sentences are made of among the points of a plot.
 *
 * @param plot the plot
 */
record PlotPoints(Plot plot) {

    /** A series and its value at some place. */
    record Value(String name, double y) {}

    /** The series of an origin whose names pass. */
    Stream<Series> series(Series.Origin origin, Predicate<String> names) {
        return plot.series().stream().filter(series -> series.origin() == origin && names.test(series.name()));
    }

    /** What was measured. */
    Stream<Series> ours(Predicate<String> names) {
        return series(Series.Origin.OURS, names);
    }

    /** The measured values at a place. */
    Stream<Value> at(double x, Predicate<String> names) {
        return ours(names).map(series -> at(series, x)).flatMap(Optional::stream);
    }

    /** The lowest measured value at a place. */
    Optional<Value> least(double x, Predicate<String> names) {
        return at(x, names).min(Comparator.comparingDouble(Value::y));
    }

    /** What the paper prints there. */
    Optional<Value> paper(double x, Predicate<String> names) {
        return series(Series.Origin.PAPER, names)
                .map(series -> at(series, x))
                .flatMap(Optional::stream)
                .findFirst();
    }

    static Optional<Value> at(Series series, double x) {
        return series.points().stream()
                .filter(point -> point.x() == x && Double.isFinite(point.y()))
                .map(point -> new Value(series.name(), point.y()))
                .findFirst();
    }

    /** The places at which something was measured, ascending. */
    List<Double> places() {
        return ours(name -> true)
                .flatMap(series -> series.points().stream())
                .map(Series.Point::x)
                .distinct()
                .sorted()
                .toList();
    }

    /** The last of them; 0 where there is none. */
    double end() {
        List<Double> places = places();
        return places.isEmpty() ? 0 : places.get(places.size() - 1);
    }

    /** At how many places each series is the lowest of those whose names pass. */
    Map<String, Integer> wins(Predicate<String> names) {
        Map<String, Integer> wins = new LinkedHashMap<>();
        for (double x : places()) {
            least(x, names).ifPresent(best -> wins.merge(best.name(), 1, Integer::sum));
        }
        return wins;
    }
}
