package dev.besom.lab.experiment;

import dev.besom.FilterSpec;
import dev.besom.daisy.DaisyFilter;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.HashClassifier;
import dev.besom.distribution.KeyClass;
import dev.besom.filters.Filters;
import dev.besom.hash.Mix;
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
    /** A key is thought less likely, right or likelier. */
    private static final int LOTS = 3;

    private static final double[] FACTORS = {0.1, 0.2, 0.5, 1, 2, 5, 10};

    @Override
    public Description description() {
        return new Description(
                "daisy-rate-by-error",
                "Rate and space against the error of the distribution",
                "Bercea, Houen, Pagh: Daisy Bloom filters. SWAT 2024",
                "Section 1, on approximate oracles",
                "A filter is told probabilities that are off by a factor f, of all keys or of each key by its own lot: up, down"
                        + " or not at all. By the paper that moves the number of probes by log2 f, so that the rate is"
                        + " at most f times as high and the space at most log2 f / ln 2 bits a draw more.");
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
        List<List<Series.Point>> ratesByKey = List.of(new ArrayList<>(), new ArrayList<>());
        List<List<Series.Point>> sizesByKey = List.of(new ArrayList<>(), new ArrayList<>());
        for (double factor : FACTORS) {
            for (int which = 0; which < 2 && factor >= 1; which++) {
                String what = (which == 0 ? "p" : "q") + " of each key";
                conditions.progress(what + " off by " + factor);
                Measured measured = measure(byKey(right, factor, which == 0), stream, conditions, queries);
                ratesByKey.get(which).add(new Series.Point(factor, measured.rate));
                sizesByKey.get(which).add(new Series.Point(factor, measured.bits));
                table.row(what, factor, measured.bits, measured.rate);
            }
            for (int which = 0; which < 2; which++) {
                conditions.progress((which == 0 ? "p" : "q") + " off by " + factor);
                double p = which == 0 ? factor : 1;
                double q = which == 0 ? 1 : factor;
                Distribution wrong = right.withClasses(keys -> new KeyClass(
                        Math.min(1, p * keys.insertProbability()),
                        Math.min(1, q * keys.queryProbability()),
                        keys.insertShare(),
                        keys.queryShare()));
                Measured measured = measure(wrong, stream, conditions, queries);
                rates.get(which).add(new Series.Point(factor, measured.rate));
                sizes.get(which).add(new Series.Point(factor, measured.bits));
                table.row(which == 0 ? "p" : "q", factor, measured.bits, measured.rate);
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
                        plot("false-positive rate", Plot.Axis.logarithmic("rate"), rates, ratesByKey),
                        plot("space", Plot.Axis.linear("bits a draw"), sizes, sizesByKey)),
                table.end());
    }

    /** What became of one filter. */
    private record Measured(double rate, double bits) {}

    private static Measured measure(Distribution told, DaisyStream stream, Conditions conditions, int queries) {
        int draws = stream.drawCount();
        DaisyFilter filter = (DaisyFilter) Filters.makeHashFilter(
                Filters.kind("daisy"), FilterSpec.of(draws, FPP).withSeed(conditions.seed()), told);
        stream.fill(filter);
        return new Measured(stream.rate(filter, queries), filter.bitsWithoutDistribution() / (double) draws);
    }

    /** Each key is thought likelier by the factor, less likely by it, or as likely as it is, by its own lot. */
    private static Distribution byKey(Distribution right, double factor, boolean isOfInserts) {
        List<KeyClass> classes = new ArrayList<>();
        for (KeyClass keys : right.classes()) {
            for (int lot = 0; lot < LOTS; lot++) {
                double off = Math.pow(factor, lot - 1.0);
                classes.add(new KeyClass(
                        Math.min(1, (isOfInserts ? off : 1) * keys.insertProbability()),
                        Math.min(1, (isOfInserts ? 1 : off) * keys.queryProbability()),
                        keys.insertShare() / LOTS,
                        keys.queryShare() / LOTS));
            }
        }
        return Distribution.classified(new Lots(right), classes, right.areSharesKnown());
    }

    /** A class of the distribution, and a key's own lot. */
    private record Lots(Distribution right) implements HashClassifier {

        @Override
        public String id() {
            return "lots";
        }

        @Override
        public int classOf(long hash) {
            return right.classOf(hash) * LOTS + (int) Long.remainderUnsigned(Mix.mix(~hash), LOTS);
        }
    }

    private static Plot plot(
            String title, Plot.Axis y, List<List<Series.Point>> points, List<List<Series.Point>> byKey) {
        return new Plot(
                title,
                Plot.Axis.logarithmic("what the filter was told, over the truth"),
                y,
                List.of(
                        Series.ours("p is off", points.get(0)),
                        Series.ours("q is off", points.get(1)),
                        Series.ours("p of each key is off, up or down", byKey.get(0)),
                        Series.ours("q of each key is off, up or down", byKey.get(1))));
    }
}
