package dev.besom.lab.report;

import static dev.besom.lab.report.Wording.number;
import static dev.besom.lab.report.Wording.percent;
import static dev.besom.lab.report.Wording.text;

import dev.besom.lab.experiment.Series;
import dev.besom.lab.report.PlotPoints.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** What the experiments of the TinySet paper found. */
final class TinySetHeadlines {

    /** A number of the paper's counts as met within this. */
    private static final double NEAR_THE_PAPER = 0.05;

    private final List<PlotPoints> plots;

    TinySetHeadlines(List<PlotPoints> plots) {
        this.plots = plots;
    }

    private static boolean isTinySet(String series) {
        return series.startsWith("tinyset");
    }

    /** A number that the paper prints, and how far what was made here is from it. */
    private record Printed(String where, double off) {}

    /** Who takes the fewest bits, and how near the paper's numbers are. */
    Optional<String> bits() {
        PlotPoints plot = plots.get(0);
        List<Printed> printed = new ArrayList<>();
        plot.series(Series.Origin.PAPER, name -> true)
                .forEach(paper -> paper.points()
                        .forEach(point -> plot.plot().series().stream()
                                .filter(series -> series.origin() != Series.Origin.PAPER
                                        && series.name().equals(paper.name()))
                                .map(series -> PlotPoints.at(series, point.x()))
                                .flatMap(Optional::stream)
                                .forEach(made -> printed.add(new Printed(
                                        paper.name() + " at " + percent(point.x()), made.y() / point.y() - 1)))));
        if (printed.isEmpty()) {
            return Optional.empty();
        }
        String winners = plot.wins(name -> true).entrySet().stream()
                .map(win -> text("%s takes the fewest bits at %d", win.getKey(), win.getValue()))
                .collect(Collectors.joining(" and "));
        Printed farthest = printed.stream()
                .reduce((one, other) -> Math.abs(one.off) >= Math.abs(other.off) ? one : other)
                .orElseThrow();
        return Optional.of(text(
                "%s of %d rates. Of %d numbers that the paper prints %d are met within 5 %%; the farthest is that of %s, by"
                        + " %+.1f %%.",
                winners,
                plot.places().size(),
                printed.size(),
                printed.stream()
                        .filter(each -> Math.abs(each.off) <= NEAR_THE_PAPER)
                        .count(),
                farthest.where,
                100 * farthest.off));
    }

    /** Times as ratios to those of the Bloom filter, at one of the places. */
    Optional<String> times(String where, ToDoubleFunction<List<Double>> place) {
        List<String> parts = new ArrayList<>();
        for (PlotPoints plot : plots) {
            if (plot.places().isEmpty()) {
                return Optional.empty();
            }
            double x = place.applyAsDouble(plot.places());
            String ratios = plot.at(x, TinySetHeadlines::isTinySet)
                    .map(value -> text("%s %s%s", value.name(), number(value.y()), ofPaper(plot, value.name(), x)))
                    .collect(Collectors.joining(", "));
            parts.add(plot.plot().title().toLowerCase(Locale.ROOT) + " " + ratios);
        }
        return Optional.of(
                text("Processor time %s, as ratios to the Bloom filter's: %s.", where, String.join("; ", parts)));
    }

    private static String ofPaper(PlotPoints plot, String name, double x) {
        return plot.paper(x, name::equals)
                .map(value -> text(" (paper: %s)", number(value.y())))
                .orElse("");
    }

    /** From where on TinySet is ahead, and by how much at the end. */
    Optional<String> accuracy() {
        PlotPoints plot = plots.get(0);
        List<String> ends = plot.ours(TinySetHeadlines::isTinySet)
                .map(series -> atTheEnd(plot, series))
                .flatMap(Optional::stream)
                .toList();
        if (ends.isEmpty()) {
            return Optional.empty();
        }
        double ahead = Double.NaN;
        List<Double> places = plot.places();
        for (int i = places.size() - 1; i >= 0 && isAhead(plot, places.get(i)); i--) {
            ahead = places.get(i);
        }
        String from = Double.isNaN(ahead)
                ? "TinySet is not ahead of all others at the end"
                : text("TinySet is ahead of all others from %s bits a key on", number(ahead));
        return Optional.of(text("%s; %s.", from, String.join(", ", ends)));
    }

    private static boolean isAhead(PlotPoints plot, double x) {
        Optional<Value> tiny = plot.least(x, TinySetHeadlines::isTinySet);
        Optional<Value> other = plot.least(x, name -> !isTinySet(name));
        return tiny.isPresent()
                && other.isPresent()
                && tiny.get().y() < other.get().y();
    }

    /** At the largest size at which it was wrong at all. */
    private static Optional<String> atTheEnd(PlotPoints plot, Series series) {
        List<Double> places = plot.places();
        for (int i = places.size() - 1; i >= 0; i--) {
            double x = places.get(i);
            Optional<Value> tiny = PlotPoints.at(series, x);
            Optional<Value> other = plot.least(x, name -> !isTinySet(name));
            if (tiny.isPresent() && other.isPresent() && tiny.get().y() > 0) {
                return Optional.of(text(
                        "at %s bits %s is %s times as accurate as %s",
                        number(x),
                        series.name(),
                        number(other.get().y() / tiny.get().y()),
                        other.get().name()));
            }
        }
        return Optional.empty();
    }

    Optional<String> overload() {
        PlotPoints plot = plots.get(0);
        OptionalDouble end = plot.places().stream()
                .mapToDouble(x -> x)
                .filter(x -> plot.least(x, "tinyset"::equals).isPresent()
                        && plot.least(x, "bloom"::equals).isPresent())
                .max();
        if (end.isEmpty()) {
            return Optional.empty();
        }
        double x = end.getAsDouble();
        String tuned = plot.least(x, "bloom, tuned for the last load"::equals)
                .map(value -> ", and one that was planned for so many in " + percent(value.y()))
                .orElse("");
        return Optional.of(text(
                "Filled with %s keys, far beyond the plan, tinyset is wrong in %s, a Bloom filter of the same memory in"
                        + " %s%s.",
                number(x),
                percent(plot.least(x, "tinyset"::equals).orElseThrow().y()),
                percent(plot.least(x, "bloom"::equals).orElseThrow().y()),
                tuned));
    }

    Optional<String> leftBehind() {
        PlotPoints plot = plots.get(0);
        List<String> shares = new ArrayList<>();
        for (double x : new double[] {1, plot.end()}) {
            String all = plot.at(x, name -> name.contains("sliding"))
                    .map(value -> value.name().replaceFirst(",.*", "") + " " + percent(value.y()))
                    .collect(Collectors.joining(", "));
            String paper = plot.paper(x, name -> true)
                    .map(value -> text(" (paper: %s)", percent(value.y())))
                    .orElse("");
            shares.add(text("after %s removals a key %s%s", number(x), all, paper));
        }
        return Optional.of(text("Slots that belong to no key in a sliding window: %s.", String.join("; ", shares)));
    }
}
