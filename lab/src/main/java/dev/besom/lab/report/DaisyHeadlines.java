package dev.besom.lab.report;

import static dev.besom.lab.report.Wording.number;
import static dev.besom.lab.report.Wording.percent;
import static dev.besom.lab.report.Wording.text;

import dev.besom.lab.experiment.ResultTable;
import dev.besom.lab.report.PlotPoints.Value;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** What the experiments on daisy filters found. */
final class DaisyHeadlines {

    private static final String FACTOR = "by a factor of";

    private final List<PlotPoints> plots;
    private final ResultTable table;

    DaisyHeadlines(List<PlotPoints> plots, ResultTable table) {
        this.plots = plots;
        this.table = table;
    }

    Optional<String> space() {
        PlotPoints plot = plots.get(0);
        double end = plot.places().stream()
                .mapToDouble(x -> x)
                .filter(x -> x <= 1)
                .max()
                .orElse(0);
        Optional<Value> daisy = plot.least(end, "daisy"::equals);
        Optional<Value> bloom = plot.least(end, "bloom"::equals);
        if (daisy.isEmpty() || bloom.isEmpty()) {
            return Optional.empty();
        }
        double saved = 1 - daisy.get().y() / bloom.get().y();
        return Optional.of(text(
                "Where inserts follow Zipf's law with exponent %s, a daisy filter that knows it takes %s %s than a Bloom"
                        + " filter of the different keys.",
                number(end), percent(Math.abs(saved)), saved >= 0 ? "less" : "more"));
    }

    /** Rates over the error's factor, and bits beyond those of the right distribution. */
    Optional<String> errors() {
        OptionalDouble right = table.rows().stream()
                .filter(row -> table.number(row, FACTOR) == 1)
                .mapToDouble(row -> table.number(row, "bits a draw"))
                .max();
        OptionalDouble asked = table.rows().stream()
                .filter(row -> table.number(row, FACTOR) == 1)
                .mapToDouble(row -> table.number(row, "rate"))
                .max();
        if (right.isEmpty() || asked.isEmpty()) {
            return Optional.empty();
        }
        double most = table.rows().stream()
                .mapToDouble(row -> table.number(row, FACTOR))
                .max()
                .orElse(1);
        double highest = table.rows().stream()
                .mapToDouble(row -> table.number(row, "rate"))
                .max()
                .orElse(0);
        double largest = table.rows().stream()
                .mapToDouble(row -> table.number(row, "bits a draw"))
                .max()
                .orElse(0);
        return Optional.of(text(
                "Probabilities that are wrong by up to %s times make the rate at most %s times as high as the right ones,"
                        + " and take at most %s bits a draw more, where log2 of that over ln 2 is %s.",
                number(most),
                number(highest / asked.getAsDouble()),
                number(largest - right.getAsDouble()),
                number(Math.log(most) / Math.log(2) / Math.log(2))));
    }

    Optional<String> sets() {
        if (table.rows().isEmpty()) {
            return Optional.empty();
        }
        long kept = table.rows().stream()
                .filter(row -> table.number(row, "highest rate") <= table.number(row, "bound"))
                .count();
        String rates = table.rows().stream()
                .map(row -> text(
                        "%s %s to %s (%s sets above the rate)",
                        row.get(0),
                        percent(table.number(row, "lowest rate")),
                        percent(table.number(row, "highest rate")),
                        number(table.number(row, "sets above the rate"))))
                .collect(Collectors.joining(", "));
        return Optional.of(text(
                "All sets of %d of %d filters are below what the paper proves. Rates over the sets: %s.",
                kept, table.rows().size(), rates));
    }
}
