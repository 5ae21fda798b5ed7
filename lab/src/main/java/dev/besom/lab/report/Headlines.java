package dev.besom.lab.report;

import static dev.besom.lab.report.Wording.number;
import static dev.besom.lab.report.Wording.percent;
import static dev.besom.lab.report.Wording.text;

import dev.besom.filters.Filters;
import dev.besom.lab.experiment.ExperimentResult;
import dev.besom.lab.experiment.Findings;
import dev.besom.lab.experiment.ResultTable;
import dev.besom.lab.experiment.Series;
import dev.besom.lab.report.PlotPoints.Value;
import dev.besom.spi.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a run found, in sentences that are computed from its numbers: which side is ahead, by how much and where follows from the
 * points, so that no sentence can say what its plot contradicts. Captions only say what is drawn.
 */
final class Headlines {

    private static final Set<String> ADAPTIVE =
            Filters.kinds().stream().filter(Kind::isAdaptive).map(Kind::name).collect(Collectors.toUnmodifiableSet());

    /** Of these, the ones that keep an index beside their filter, which is many times as large and in no plot. */
    private static final Set<String> INDEXED = Filters.kinds().stream()
            .filter(kind -> kind.isAdaptive() && kind.family().equals("cuckoo"))
            .map(Kind::name)
            .collect(Collectors.toUnmodifiableSet());

    /** Filters that repair themselves and are no kinds. */
    private static final Set<String> ADAPTIVE_RIVALS =
            Set.of("the paper's TAF", "rival:paper-telescoping", "rival:break-even");

    /** What a visitor is told first; the sentences of all others stand at their plots. */
    private static final Set<String> FIRST = Set.of(
            "telescoping-figure-2-active",
            "telescoping-figure-4-adversary",
            "telescoping-figure-5-throughput",
            "rivals-by-skew",
            "tinyset-figure-14",
            "daisy-space-by-skew",
            "broom-sustained-rate");

    /** A filter that is wrong in more of an adversary's last round is broken, one below the other share holds. */
    private static final double BROKEN = 0.5;

    private static final double HOLDS = 0.02;

    /** Rates from here on have false positives enough to be compared. */
    private static final double COMPARABLE = 0.001;

    private final List<PlotPoints> plots;
    private final ResultTable table;

    Headlines(Findings findings) {
        this.plots = findings.plots().stream().map(PlotPoints::new).toList();
        this.table = findings.table();
    }

    /** The sentence of an experiment; empty where nothing is known to say of it, or its points are missing. */
    static Optional<String> of(ExperimentResult result) {
        Headlines told = new Headlines(result.findings());
        TinySetHeadlines tiny = new TinySetHeadlines(told.plots);
        DaisyHeadlines daisy = new DaisyHeadlines(told.plots, told.table);
        return switch (result.description().name()) {
            case "telescoping-figure-2-active" -> told.skewed("On an active set of missing keys that moves on");
            case "telescoping-figure-2-powerlaw" -> told.skewed("On missing keys that follow a power law");
            case "telescoping-figure-3-stand-in" -> told.skewed("On a synthetic stand-in for network traces");
            case "telescoping-figure-3-trace" -> told.skewed("On your own queries");
            case "telescoping-figure-4-adversary" -> told.adversary();
            case "telescoping-figure-5-throughput" -> told.throughput();
            case "telescoping-corollary-3-selectors" -> told.selectors();
            case "rivals-by-skew" -> told.rivals();
            case "tinyset-table-1", "tinyset-table-3", "tinyset-table-4", "tinyset-table-5", "tinyset-table-6" ->
                tiny.bits();
            case "tinyset-table-2" -> tiny.times("at the lowest rate", places -> places.get(0));
            case "tinyset-figure-11" -> tiny.times("with all keys in", places -> places.get(places.size() - 1));
            case "tinyset-figure-12", "tinyset-figure-13" -> tiny.accuracy();
            case "tinyset-figure-14" -> tiny.overload();
            case "tinyset-figure-15" -> tiny.leftBehind();
            case "tinyset-figure-10", "classic-rate-by-keys" -> told.formulas();
            case "classic-rate-by-probes" -> told.probes();
            case "daisy-space-by-skew" -> daisy.space();
            case "daisy-rate-by-error" -> daisy.errors();
            case "daisy-rate-over-sets" -> daisy.sets();
            case "daisy-words-touched", "broom-words-touched" -> told.touched();
            case "broom-sustained-rate" -> told.sustained();
            default -> Optional.empty();
        };
    }

    /** Whether a visitor should be told of it first. */
    static boolean isFirst(ExperimentResult result) {
        return FIRST.contains(result.description().name());
    }

    /** Whether the filter of a series repairs its mistakes. */
    static boolean isAdaptive(String series) {
        return ADAPTIVE.contains(kindOf(series)) || ADAPTIVE_RIVALS.contains(series);
    }

    /** What stands behind a comma are options. */
    private static String kindOf(String series) {
        return series.replaceFirst(",.*", "");
    }

    /** The best filter that adapts, in equal memory, against the best that does not, over all places. */
    private Optional<String> skewed(String where) {
        PlotPoints plot = plots.get(0);
        List<Double> places = plot.places();
        int ahead = 0;
        String words = "";
        double most = 0;
        for (double x : places) {
            Optional<Value> adaptive = plot.least(x, name -> isAdaptive(name) && !INDEXED.contains(kindOf(name)));
            Optional<Value> plain = plot.least(x, name -> !isAdaptive(name));
            if (adaptive.isEmpty() || plain.isEmpty()) {
                return Optional.empty();
            }
            double gain = plain.get().y() / adaptive.get().y();
            ahead += gain > 1 ? 1 : 0;
            if (gain > most) {
                most = gain;
                words = text(
                        "%s is wrong in %s of lookups and %s in %s, with %s different missing keys for each stored one",
                        adaptive.get().name(),
                        percent(adaptive.get().y()),
                        plain.get().name(),
                        percent(plain.get().y()),
                        number(x));
            }
        }
        String pays = most > 1 ? text("pays up to %s times", number(most)) : "does not pay here";
        return Optional.of(text(
                "Repairing mistakes %s. %s and at equal memory %s. The best filter that adapts and keeps no index beside is"
                        + " ahead of the best that does not adapt at %d of %d numbers of stored keys.",
                pays, where, words, ahead, places.size()));
    }

    private Optional<String> adversary() {
        PlotPoints plot = plots.get(0);
        Optional<Value> best = plot.least(plot.end(), Headlines::isAdaptive);
        Optional<Value> plain = plot.least(plot.end(), name -> !isAdaptive(name));
        if (best.isEmpty() || plain.isEmpty()) {
            return Optional.empty();
        }
        String holding = Stream.of("the paper's TAF", "telescoping-compact", "telescoping", "extension")
                .map(name -> lastThatHolds(plot, name))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(", "));
        return Optional.of(text(
                "An adversary asks %s different missing keys for each stored one and then repeats what was wrong: in the"
                        + " last round %s is wrong in %s, %s in %s.%s",
                number(plot.end()),
                plain.get().name(),
                percent(plain.get().y()),
                best.get().name(),
                percent(best.get().y()),
                holding.isEmpty() ? "" : " Below 2 % stay " + holding + "."));
    }

    /** Up to which place a filter is hardly ever wrong. */
    private static Optional<String> lastThatHolds(PlotPoints plot, String name) {
        double last = 0;
        for (double x : plot.places()) {
            Optional<Value> value = plot.least(x, name::equals);
            if (value.isEmpty() || value.get().y() >= HOLDS) {
                break;
            }
            last = x;
        }
        return last == 0 ? Optional.empty() : Optional.of(text("%s up to %s", name, number(last)));
    }

    private Optional<String> throughput() {
        PlotPoints queries = plots.stream()
                .filter(each -> each.plot().title().equals("Queries"))
                .findFirst()
                .orElse(plots.get(0));
        Map<String, Double> rates =
                queries.at(queries.end(), name -> true).collect(Collectors.toMap(Value::name, Value::y));
        Double plain = rates.get("quotient");
        if (plain == null) {
            return Optional.empty();
        }
        String ratios = Stream.of(
                        "telescoping", "telescoping-compact", "extension", "telescoping-plain", "the paper's TAF")
                .filter(rates::containsKey)
                .map(name -> text("%s %s", name, number(rates.getOrDefault(name, 0.0) / plain)))
                .collect(Collectors.joining(", "));
        return Optional.of(text(
                "Queries a second at a load of %s, as parts of those of the quotient filter, which does not adapt: %s.",
                number(queries.end()), ratios));
    }

    private Optional<String> selectors() {
        OptionalDouble once = most("once");
        OptionalDouble repeated = most("repeated");
        if (once.isEmpty() || repeated.isEmpty()) {
            return Optional.empty();
        }
        List<List<Object>> bounded = table.rows().stream()
                .filter(row -> Double.isFinite(table.number(row, "bound of Theorem 4")))
                .toList();
        long kept = bounded.stream()
                .filter(row ->
                        table.number(row, "bits a key of an optimal code") <= table.number(row, "bound of Theorem 4"))
                .count();
        return Optional.of(text(
                "Where queries are asked once, selectors are at most %s times as frequent as Corollary 3 allows, chance"
                        + " included; where they are repeated, up to %s times. The bits of Theorem 4 are kept in %d of"
                        + " %d cases.",
                number(once.getAsDouble()), number(repeated.getAsDouble()), kept, bounded.size()));
    }

    /** The largest ratio of selectors to their bound, where some keys at least are expected. */
    private OptionalDouble most(String asked) {
        return table.rows().stream()
                .filter(row -> row.contains(asked) && table.number(row, "law") > COMPARABLE)
                .mapToDouble(row -> table.number(row, "measured / bound"))
                .filter(Double::isFinite)
                .max();
    }

    /** Who wastes fewest on skew, and whom an adversary breaks. */
    private Optional<String> rivals() {
        if (plots.size() < 2) {
            return Optional.empty();
        }
        PlotPoints skewed = plots.get(0);
        String winners = skewed.wins(name -> !name.equals("rival:stacked")).entrySet().stream()
                .map(win -> win.getKey() + " at " + win.getValue())
                .collect(Collectors.joining(" and "));
        PlotPoints attacked = plots.get(1);
        List<Value> last = attacked.at(attacked.end(), name -> true).toList();
        return Optional.of(text(
                "Fewest reads of skewed queries are wasted by %s of %d exponents, but for a stacked filter, which is told"
                        + " what will be asked. After an adversary's %s different queries a key these are wrong in more"
                        + " than half of what is repeated: %s; and these in less than 2 %%: %s.",
                winners,
                skewed.places().size(),
                number(attacked.end()),
                names(last, value -> value.y() > BROKEN),
                names(last, value -> value.y() < HOLDS)));
    }

    private static String names(List<Value> values, Predicate<Value> which) {
        String names = values.stream().filter(which).map(Value::name).collect(Collectors.joining(", "));
        return names.isEmpty() ? "none" : names;
    }

    /** How far measured rates are from the formulas that have their names. */
    private Optional<String> formulas() {
        PlotPoints plot = plots.get(0);
        List<Double> ratios = plot.series(Series.Origin.THEORY, name -> true)
                .flatMap(formula -> formula.points().stream()
                        .filter(point -> point.y() >= COMPARABLE)
                        .map(point ->
                                plot.least(point.x(), formula.name()::equals).map(measured -> measured.y() / point.y()))
                        .flatMap(Optional::stream))
                .sorted()
                .toList();
        return ratios.isEmpty()
                ? Optional.empty()
                : Optional.of(text(
                        "Measured rates are %s to %s times those of the formulas, at %d points where these are at least"
                                + " 0.1 %%.",
                        number(ratios.get(0)), number(ratios.get(ratios.size() - 1)), ratios.size()));
    }

    private Optional<String> probes() {
        List<String> best = new ArrayList<>();
        for (PlotPoints each : plots) {
            each.ours("bloom"::equals)
                    .flatMap(series -> series.points().stream())
                    .min(Comparator.comparingDouble(Series.Point::y))
                    .ifPresent(point -> best.add(text(
                            "with %s %s probes, wrong in %s",
                            each.plot().title().replace(" or counters", ""), number(point.x()), percent(point.y()))));
        }
        return best.isEmpty()
                ? Optional.empty()
                : Optional.of(text("A Bloom filter is best %s.", String.join("; ", best)));
    }

    private Optional<String> touched() {
        PlotPoints plot = plots.get(0);
        List<Double> places = plot.places();
        if (places.isEmpty()) {
            return Optional.empty();
        }
        String ranges = plot.ours(name -> true)
                .map(series -> text(
                        "%s %s and %s",
                        series.name(),
                        PlotPoints.at(series, places.get(0))
                                .map(value -> number(value.y()))
                                .orElse("?"),
                        PlotPoints.at(series, plot.end())
                                .map(value -> number(value.y()))
                                .orElse("?")))
                .collect(Collectors.joining("; "));
        return Optional.of(text(
                "Words touched at the 99.9th percentile with %s and with %s keys: %s.",
                number(places.get(0)), number(plot.end()), ranges));
    }

    private Optional<String> sustained() {
        PlotPoints plot = plots.get(0);
        OptionalDouble worst = highest(plot.ours("worst block"::equals));
        OptionalDouble bound = highest(plot.series(Series.Origin.THEORY, "bound of the worst block"::equals));
        return worst.isEmpty() || bound.isEmpty()
                ? Optional.empty()
                : Optional.of(text(
                        "Under four adversaries in turn, up to %s false positives for each key, the worst block of a"
                                + " million queries to a broom filter had %s, %s the bound of %s.",
                        number(plot.end()),
                        percent(worst.getAsDouble()),
                        worst.getAsDouble() <= bound.getAsDouble() ? "within" : "beyond",
                        percent(bound.getAsDouble())));
    }

    private static OptionalDouble highest(Stream<Series> series) {
        return series.flatMap(each -> each.points().stream())
                .mapToDouble(Series.Point::y)
                .filter(Double::isFinite)
                .max();
    }
}
