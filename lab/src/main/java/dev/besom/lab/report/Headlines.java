package dev.besom.lab.report;

import dev.besom.filters.Filters;
import dev.besom.lab.experiment.ExperimentResult;
import dev.besom.lab.experiment.Plot;
import dev.besom.lab.experiment.Series;
import dev.besom.spi.Kind;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a run found, in sentences that are computed from its numbers: which side is ahead, by how much and where follows from the
 * points, so that no sentence can say what its plot contradicts.
 */
final class Headlines {

    private static final Set<String> ADAPTIVE =
            Filters.kinds().stream().filter(Kind::isAdaptive).map(Kind::name).collect(Collectors.toUnmodifiableSet());

    private final List<Plot> plots;

    private Headlines(List<Plot> plots) {
        this.plots = plots;
    }

    /** The sentence of an experiment; empty where nothing is known to say of it. */
    static Optional<String> of(ExperimentResult result) {
        Headlines told = new Headlines(result.findings().plots());
        return switch (result.description().name()) {
            case "telescoping-figure-2-active" -> told.skewed("On an active set of missing keys that moves on");
            case "telescoping-figure-2-powerlaw" -> told.skewed("On missing keys that follow a power law");
            case "telescoping-figure-3-trace" -> told.skewed("On your own queries");
            case "telescoping-figure-4-adversary" -> told.adversary();
            case "telescoping-figure-5-throughput" -> told.throughput();
            case "tinyset-figure-14" -> told.overload();
            case "daisy-space-by-skew" -> told.space();
            case "broom-sustained-rate" -> told.sustained();
            default -> Optional.empty();
        };
    }

    /** A series and its value at some place. */
    private record Value(String name, double y) {}

    private static Optional<Value> least(Plot plot, double x, Predicate<String> names) {
        return ours(plot, names)
                .map(series -> at(series, x))
                .flatMap(Optional::stream)
                .min(Comparator.comparingDouble(Value::y));
    }

    private static Stream<Series> ours(Plot plot, Predicate<String> names) {
        return plot.series().stream()
                .filter(series -> series.origin() == Series.Origin.OURS && names.test(series.name()));
    }

    private static Optional<Value> at(Series series, double x) {
        return series.points().stream()
                .filter(point -> point.x() == x && Double.isFinite(point.y()))
                .map(point -> new Value(series.name(), point.y()))
                .findFirst();
    }

    private static List<Double> places(Plot plot) {
        return ours(plot, name -> true)
                .flatMap(series -> series.points().stream())
                .map(Series.Point::x)
                .distinct()
                .sorted()
                .toList();
    }

    /** The best filter that adapts against the best that does not, over all places. */
    private Optional<String> skewed(String where) {
        Plot plot = plots.get(0);
        List<Double> places = places(plot);
        int ahead = 0;
        String words = "";
        double most = 0;
        for (double x : places) {
            Optional<Value> adaptive = least(plot, x, ADAPTIVE::contains);
            Optional<Value> plain = least(plot, x, name -> !ADAPTIVE.contains(name));
            if (adaptive.isEmpty() || plain.isEmpty()) {
                return Optional.empty();
            }
            double gain = plain.get().y / adaptive.get().y;
            ahead += gain > 1 ? 1 : 0;
            if (gain > most) {
                most = gain;
                words = text(
                        "%s is wrong in %s of lookups and %s in %s, with %s different missing keys for each stored one",
                        adaptive.get().name,
                        percent(adaptive.get().y),
                        plain.get().name,
                        percent(plain.get().y),
                        number(x));
            }
        }
        return Optional.of(text(
                "Repairing mistakes pays up to %s times. %s and at equal memory %s. The best filter that adapts is ahead of the"
                        + " best that does not at %d of %d numbers of stored keys.",
                number(most), where, words, ahead, places.size()));
    }

    private Optional<String> adversary() {
        Plot plot = plots.get(0);
        double end = places(plot).stream().mapToDouble(x -> x).max().orElse(0);
        Optional<Value> best = least(plot, end, ADAPTIVE::contains);
        Optional<Value> plain = least(plot, end, name -> !ADAPTIVE.contains(name));
        if (best.isEmpty() || plain.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(text(
                "An adversary asks %s different missing keys for each stored one and then repeats what was wrong: in the"
                        + " last round %s is wrong in %s, %s in %s.",
                number(end), plain.get().name, percent(plain.get().y), best.get().name, percent(best.get().y)));
    }

    private Optional<String> throughput() {
        Plot queries = plots.get(plots.size() - 1);
        double end = places(queries).stream().mapToDouble(x -> x).max().orElse(0);
        Map<String, Double> rates = ours(queries, name -> true)
                .map(series -> at(series, end))
                .flatMap(Optional::stream)
                .collect(Collectors.toMap(Value::name, Value::y));
        Double plain = rates.get("quotient");
        Double adaptive = rates.get("telescoping");
        return plain == null || adaptive == null
                ? Optional.empty()
                : Optional.of(text(
                        "At a load of %s telescoping answers %s times as many queries a second as the quotient filter,"
                                + " which does not adapt.",
                        number(end), number(adaptive / plain)));
    }

    private Optional<String> overload() {
        Plot plot = plots.get(0);
        OptionalDouble end = places(plot).stream()
                .mapToDouble(x -> x)
                .filter(x -> least(plot, x, "tinyset"::equals).isPresent()
                        && least(plot, x, "bloom"::equals).isPresent())
                .max();
        if (end.isEmpty()) {
            return Optional.empty();
        }
        double tiny = least(plot, end.getAsDouble(), "tinyset"::equals).orElseThrow().y;
        double bloom = least(plot, end.getAsDouble(), "bloom"::equals).orElseThrow().y;
        return Optional.of(text(
                "Filled with %s keys, far beyond the plan, tinyset is wrong in %s and a Bloom filter of the same memory in"
                        + " %s.",
                number(end.getAsDouble()), percent(tiny), percent(bloom)));
    }

    private Optional<String> space() {
        Plot plot = plots.get(0);
        double end = places(plot).stream()
                .mapToDouble(x -> x)
                .filter(x -> x <= 1)
                .max()
                .orElse(0);
        Optional<Value> daisy = least(plot, end, "daisy"::equals);
        Optional<Value> bloom = least(plot, end, "bloom"::equals);
        if (daisy.isEmpty() || bloom.isEmpty()) {
            return Optional.empty();
        }
        double saved = 1 - daisy.get().y / bloom.get().y;
        return Optional.of(text(
                "Where inserts follow Zipf's law with exponent %s, a daisy filter that knows it takes %s %s than a Bloom"
                        + " filter of the different keys.",
                number(end), percent(Math.abs(saved)), saved >= 0 ? "less" : "more"));
    }

    private Optional<String> sustained() {
        Plot plot = plots.get(0);
        OptionalDouble worst = ours(plot, "worst block"::equals)
                .flatMap(series -> series.points().stream())
                .mapToDouble(Series.Point::y)
                .filter(Double::isFinite)
                .max();
        OptionalDouble bound = plot.series().stream()
                .filter(series -> series.name().equals("bound of the worst block"))
                .flatMap(series -> series.points().stream())
                .mapToDouble(Series.Point::y)
                .max();
        double end = places(plot).stream().mapToDouble(x -> x).max().orElse(0);
        return worst.isEmpty() || bound.isEmpty()
                ? Optional.empty()
                : Optional.of(text(
                        "Under four adversaries in turn, up to %s false positives for each key, the worst block of a"
                                + " million queries to a broom filter had %s, %s the bound of %s.",
                        number(end),
                        percent(worst.getAsDouble()),
                        worst.getAsDouble() <= bound.getAsDouble() ? "within" : "beyond",
                        percent(bound.getAsDouble())));
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private static String percent(double share) {
        return share == 0 ? "0 %" : text("%s %%", number(100 * share));
    }

    /** With two digits that count, or all before the point. */
    private static String number(double value) {
        if (value == Math.rint(value) || Math.abs(value) >= 100) {
            return text("%,.0f", value);
        }
        return text("%." + (int) Math.max(0, 1 - Math.floor(Math.log10(Math.abs(value)))) + "f", value);
    }
}
