package dev.besom.lab.report;

import dev.besom.filters.Filters;
import dev.besom.lab.experiment.Description;
import dev.besom.lab.experiment.ExperimentResult;
import dev.besom.lab.experiment.Findings;
import dev.besom.lab.experiment.Plot;
import dev.besom.lab.experiment.ResultTable;
import dev.besom.lab.experiment.Scale;
import dev.besom.lab.experiment.Series;
import dev.besom.spi.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What tests put onto pages. */
final class PageData {

    private PageData() {}

    /** A result with series of all origins, a mark, and text that has to be escaped. */
    static ExperimentResult result(String name) {
        Plot plot = new Plot(
                "Left <b>",
                Plot.Axis.linear("load"),
                Plot.Axis.logarithmic("rate"),
                List.of(
                        Series.ours("bloom", List.of(new Series.Point(1, 0.1), new Series.Point(2, 0.01))),
                        Series.paper("bloom", 1, 0.12),
                        Series.theory("bloom", new double[] {1, 2}, x -> Math.pow(10, -x))),
                List.of(new Plot.Mark(1.5, "paper: here")));
        return new ExperimentResult(
                new Description(name, "A & B", "Paper <2026>", "Figure 7", "See </script><i>this</i>."),
                new ExperimentResult.Provenance(
                        Scale.QUICK,
                        7,
                        "besom report --quick --experiments " + name + " --seed 7 --out " + name + ".html",
                        "a machine",
                        2.5),
                new Findings(
                        Map.of("n", "1,000"),
                        List.of(plot, plot),
                        ResultTable.columns("x", "kind <k>")
                                .row(0.00123456, "bloom")
                                .row(1e6, "\"q\"")
                                .end()));
    }

    /** A filter that does not adapt with rates of 2 % and 4 %, one that adapts, and one that is better and keeps an index. */
    static ExperimentResult skewed(String name, double adaptive) {
        Plot plot = new Plot(
                "",
                Plot.Axis.logarithmic("A/S"),
                Plot.Axis.logarithmic("rate"),
                List.of(
                        Series.ours("bloom", List.of(new Series.Point(1, 0.02), new Series.Point(10, 0.04))),
                        Series.ours(
                                "cuckoo-cyclic, s = 1",
                                List.of(new Series.Point(1, adaptive / 2), new Series.Point(10, adaptive / 2))),
                        Series.ours(
                                "telescoping",
                                List.of(new Series.Point(1, adaptive), new Series.Point(10, adaptive)))));
        ExperimentResult other = result(name);
        return new ExperimentResult(
                other.description(),
                other.provenance(),
                new Findings(Map.of(), List.of(plot), other.findings().table()));
    }

    /** By kind, the lowest rates that fit a memory. */
    static List<Map<String, Object>> lowestRates(double keys, double bits) {
        List<Map<String, Object>> rates = new ArrayList<>();
        for (Kind kind : Filters.kinds()) {
            Map<String, Object> rate = new LinkedHashMap<>();
            rate.put("kind", kind.name());
            rate.put("rate", Calculator.lowestRate(Calculator.model(kind), keys, 1, bits));
            rates.add(rate);
        }
        return rates;
    }
}
