package dev.besom.lab.experiment;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.distribution.Distribution;
import dev.besom.filters.Filters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * "With high probability over S": many sets are drawn from one distribution, a filter is made for each, and its rate is measured.
 * Drawn are the rates in ascending order, beside what the paper proves of every set that its failure events spare: 3 e for the
 * space-efficient filter (Lemma 11), 6 e for the Daisy Bloom filter (Lemma 15, with the choices of appendix A), where e is the rate that was
 * asked for.
 *
 * <p>Departure: the distribution is Zipf's law, so that a set is a sequence of draws with repetitions, and queries are uniform.
 *
 * <p>I. O. Bercea, J. B. T. Houen, R. Pagh: Daisy Bloom filters. SWAT 2024.
 */
final class DaisyRateOverSets implements Experiment {

    private static final double FPP = 0.01;
    private static final double EXPONENT = 0.8;
    private static final long UNIVERSE_A_DRAW = 100;
    private static final double FINGERPRINT_BOUND = 3;
    private static final double BLOOM_BOUND = 6;
    private static final List<String> KINDS = List.of("daisy", "daisy, by the formula", "daisy-fingerprint");

    @Override
    public Description description() {
        return new Description(
                "daisy-rate-over-sets",
                "Rates over many sets",
                "Bercea, Houen, Pagh: Daisy Bloom filters. SWAT 2024",
                "Lemmas 11 and 15, appendix A",
                "Each filter holds a set of its own, and the sets are drawn in the order of their rates. Dashed lines are the"
                        + " rate that was asked for and what the paper proves of all sets but a few.");
    }

    @Override
    public Findings run(Conditions conditions) {
        return run(
                conditions,
                conditions.choose(20, 200),
                conditions.choose(10_000, 100_000),
                conditions.choose(100_000, 1_000_000));
    }

    Findings run(Conditions conditions, int sets, int draws, int queries) {
        long universe = UNIVERSE_A_DRAW * draws;
        List<double[]> rates =
                AllProcessors.play(IntStream.range(0, sets).boxed().toList(), set -> {
                    conditions.progress("daisy-rate-over-sets, " + (set + 1) + " of " + sets);
                    return rates(conditions.seed() + set, draws, universe, queries);
                });
        List<Series> series = new ArrayList<>();
        ResultTable.Builder table = ResultTable.columns(
                "filter", "lowest rate", "median rate", "highest rate", "bound", "sets above the rate");
        double[] ends = {1, sets};
        for (int i = 0; i < KINDS.size(); i++) {
            int kind = i;
            double[] sorted =
                    rates.stream().mapToDouble(of -> of[kind]).sorted().toArray();
            List<Series.Point> points = new ArrayList<>();
            for (int set = 0; set < sets; set++) {
                points.add(new Series.Point(set + 1, sorted[set]));
            }
            series.add(Series.ours(KINDS.get(i), points));
            double bound = FPP * (KINDS.get(i).equals("daisy-fingerprint") ? FINGERPRINT_BOUND : BLOOM_BOUND);
            table.row(
                    KINDS.get(i),
                    sorted[0],
                    sorted[sets / 2],
                    sorted[sets - 1],
                    bound,
                    Arrays.stream(sorted).filter(rate -> rate > FPP).count());
        }
        series.add(Series.theory("asked for", ends, x -> FPP));
        series.add(Series.theory("Lemma 11, daisy-fingerprint", ends, x -> FINGERPRINT_BOUND * FPP));
        series.add(Series.theory("Lemma 15, daisy", ends, x -> BLOOM_BOUND * FPP));
        Plot plot = new Plot(
                "", Plot.Axis.linear("sets, by their rate"), Plot.Axis.logarithmic("false-positive rate"), series);
        return new Findings(
                Map.of(
                        "sets", "" + sets,
                        "draws", "" + draws,
                        "universe", "" + universe,
                        "exponent", "" + EXPONENT,
                        "queries a set", "" + queries),
                List.of(plot),
                table.end());
    }

    private static double[] rates(long seed, int draws, long universe, int queries) {
        Distribution known = Distribution.zipf(EXPONENT, 0, universe, seed);
        DaisyStream stream = new DaisyStream(EXPONENT, universe, draws, seed);
        FilterSpec spec = FilterSpec.of(draws, FPP).withSeed(seed);
        double[] rates = new double[KINDS.size()];
        for (int i = 0; i < rates.length; i++) {
            String kind = KINDS.get(i);
            FilterSpec of = kind.contains("formula") ? spec.with("sizing", "formula") : spec;
            InsertableFilter filter = (InsertableFilter) Filters.makeHashFilter(
                    Filters.kind(kind.contains("fingerprint") ? "daisy-fingerprint" : "daisy"), of, known);
            stream.fill(filter);
            rates[i] = stream.rate(filter, queries);
        }
        return rates;
    }
}
