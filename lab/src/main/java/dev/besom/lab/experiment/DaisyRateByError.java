package dev.besom.lab.experiment;

import dev.besom.FilterSpec;
import dev.besom.daisy.DaisyFilter;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.KeyClass;
import dev.besom.filters.Filters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a wrong distribution costs: the same keys and queries as in {@link DaisySpaceBySkew} with exponent 0.8, and a
 * filter that was told p or q too high or too low by a factor. The paper remarks that a constant factor costs O(n) bits.
 *
 * <p>I. O. Bercea, J. B. T. Houen, R. Pagh: Daisy Bloom filters. SWAT 2024.
 */
final class DaisyRateByError implements Experiment {

    private static final double FPP = 0.01;
    private static final double EXPONENT = 0.8;
    private static final long UNIVERSE_A_DRAW = 100;
    private static final double[] FACTORS = {0.1, 0.2, 0.5, 1, 2, 5, 10};

    @Override
    public Description description() {
        return new Description(
                "daisy-rate-by-error",
                "Rate and space against the error of the distribution",
                "Bercea, Houen, Pagh: Daisy Bloom filters. SWAT 2024",
                "Section 1, on approximate oracles",
                "A factor f of error moves k by log2 f at most: rates rise by f at most where keys are thought likelier"
                        + " stored than they are, and space by log2 f bits a draw where they are thought less likely.");
    }

    @Override
    public Findings run(Conditions conditions) {
        int draws = conditions.choose(100_000, 1_000_000);
        int queries = conditions.choose(500_000, 4_000_000);
        long universe = UNIVERSE_A_DRAW * draws;
        Distribution right = Distribution.zipf(EXPONENT, 0, universe, conditions.seed());
        DaisyStream stream = new DaisyStream(EXPONENT, universe, draws, conditions.seed());
        List<List<Series.Point>> rates = List.of(new ArrayList<>(), new ArrayList<>());
        List<List<Series.Point>> sizes = List.of(new ArrayList<>(), new ArrayList<>());
        ResultTable.Builder table = ResultTable.columns("what is off", "by a factor of", "bits a draw", "rate");
        for (double factor : FACTORS) {
            for (int which = 0; which < 2; which++) {
                conditions.progress((which == 0 ? "p" : "q") + " off by " + factor);
                double p = which == 0 ? factor : 1;
                double q = which == 0 ? 1 : factor;
                Distribution wrong = right.withClasses(keys -> new KeyClass(
                        Math.min(1, p * keys.insertProbability()),
                        Math.min(1, q * keys.queryProbability()),
                        keys.insertShare(),
                        keys.queryShare()));
                DaisyFilter filter = (DaisyFilter) Filters.makeHashFilter(
                        Filters.kind("daisy"), FilterSpec.of(draws, FPP).withSeed(conditions.seed()), wrong);
                stream.fill(filter);
                double rate = stream.rate(filter, queries);
                double bits = filter.bitsWithoutDistribution() / (double) draws;
                rates.get(which).add(new Series.Point(factor, rate));
                sizes.get(which).add(new Series.Point(factor, bits));
                table.row(which == 0 ? "p" : "q", factor, bits, rate);
            }
        }
        return new Findings(
                Map.of(
                        "draws", "" + draws,
                        "universe", "" + universe,
                        "exponent", "" + EXPONENT,
                        "rate asked for", "" + FPP,
                        "queries", "" + queries),
                List.of(
                        plot("false-positive rate", Plot.Axis.logarithmic("rate"), rates),
                        plot("space", Plot.Axis.linear("bits a draw"), sizes)),
                table.end());
    }

    private static Plot plot(String title, Plot.Axis y, List<List<Series.Point>> points) {
        return new Plot(
                title,
                Plot.Axis.logarithmic("what the filter was told, over the truth"),
                y,
                List.of(Series.ours("p is off", points.get(0)), Series.ours("q is off", points.get(1))));
    }
}
