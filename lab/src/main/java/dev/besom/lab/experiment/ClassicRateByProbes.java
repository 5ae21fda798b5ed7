package dev.besom.lab.experiment;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.StoredHashes;
import dev.besom.bloom.BlockedBloomMath;
import dev.besom.bloom.BloomMath;
import dev.besom.lab.workload.KeySpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * The rate over the number of probes at a fixed size, with the formulas drawn through: too few probes ask too little, too
 * many fill the filter. Composite and scalable filters are made of plain ones and have no such choice.
 *
 * <p>A counting filter has as many counters as the plain one has bits. Of blocked filters a probe is a bit that is set:
 * groups times bits in each.
 *
 * <p>B. H. Bloom: Space/time trade-offs in hash coding with allowable errors. CACM 13(7), 1970.
 */
final class ClassicRateByProbes implements Experiment {

    private static final double[] BITS_A_KEY = {8, 12};
    private static final int MOST_PROBES = 16;
    private static final double BLOCK_BITS = 512;

    @Override
    public Description description() {
        return new Description(
                "classic-rate-by-probes",
                "How many probes a Bloom filter wants",
                "B. H. Bloom, CACM 1970; F. Putze, P. Sanders, J. Singler, JEA 2009",
                "the formulas of the papers",
                "By theory the best number of probes is ln 2 times the bits a key. A blocked filter makes all of them in one"
                        + " cache line.");
    }

    @Override
    public Findings run(Conditions conditions) {
        int n = conditions.choose(50_000, 1_000_000);
        int queries = conditions.choose(400_000, 10_000_000);
        KeySpace space = new KeySpace(conditions.seed());
        long[] keys = space.stored(n);
        double[] probes =
                DoubleStream.iterate(1, k -> k <= MOST_PROBES, k -> k + 1).toArray();
        List<Plot> plots = new ArrayList<>();
        ResultTable.Builder table =
                ResultTable.columns("bits a key", "kind", "probes", "measured rate", "rate by the formula");
        for (double bitsAKey : BITS_A_KEY) {
            List<Shape> shapes = new ArrayList<>();
            for (double k : probes) {
                double rate = BloomMath.fpp((long) (n * bitsAKey), n, (int) k);
                Map<String, String> option = Map.of("probes", Integer.toString((int) k));
                Map<String, String> anywhere = new HashMap<>(option);
                anywhere.putAll(Contestant.BITS_ANYWHERE);
                shapes.add(new Shape("bloom", (int) k, rate, anywhere));
                shapes.add(new Shape("counting-bloom", (int) k, rate, option));
            }
            for (int groups = 2; groups <= 4; groups += 2) {
                for (int bits = 1;
                        bits <= BlockedBloomMath.MAX_BITS_PER_GROUP && groups * bits <= MOST_PROBES;
                        bits++) {
                    shapes.add(new Shape(
                            "blocked-bloom, " + groups + " groups",
                            groups * bits,
                            BlockedBloomMath.fpp(BLOCK_BITS / bitsAKey, groups, bits),
                            Map.of("groups", Integer.toString(groups), "bitsPerGroup", Integer.toString(bits))));
                }
            }
            List<Series> series = new ArrayList<>();
            for (String label : shapes.stream().map(Shape::label).distinct().toList()) {
                List<Shape> alike = shapes.stream()
                        .filter(shape -> shape.label.equals(label))
                        .toList();
                List<Double> rates = AllProcessors.play(alike, shape -> {
                    conditions.progress(
                            "classic-rate-by-probes, " + bitsAKey + " bits a key, " + label + ", " + shape.probes);
                    return shape.measure(keys, space, queries, conditions.seed());
                });
                List<Series.Point> points = new ArrayList<>();
                for (int i = 0; i < alike.size(); i++) {
                    points.add(new Series.Point(alike.get(i).probes, rates.get(i)));
                    table.row(bitsAKey, label, alike.get(i).probes, rates.get(i), alike.get(i).rate);
                }
                series.add(Series.ours(label, points));
            }
            series.add(Series.theory("bloom, counting", probes, k -> BloomMath.fpp((long) (n * bitsAKey), n, (int) k)));
            for (String label : List.of("blocked-bloom, 2 groups", "blocked-bloom, 4 groups")) {
                List<Series.Point> points = shapes.stream()
                        .filter(shape -> shape.label.equals(label))
                        .map(shape -> new Series.Point(shape.probes, shape.rate))
                        .toList();
                series.add(new Series(label, Series.Origin.THEORY, points));
            }
            plots.add(new Plot(
                    String.format(Locale.ROOT, "%.0f bits or counters a key", bitsAKey),
                    Plot.Axis.linear("probes"),
                    Plot.Axis.logarithmic("false-positive rate"),
                    series,
                    List.of(new Plot.Mark(bitsAKey * Math.log(2), "theory: ln 2 · bits a key"))));
        }
        return new Findings(
                Map.of(
                        "keys", String.format(Locale.ROOT, "%,d", n),
                        "queries", String.format(Locale.ROOT, "%,d", queries)),
                plots,
                table.end());
    }

    /**
     * A filter of a given number of probes. Asked for the rate that the formula gives at the fixed size, it takes that
     * size.
     */
    private record Shape(String label, int probes, double rate, Map<String, String> options) {

        double measure(long[] keys, KeySpace space, int queries, long seed) {
            Contestant contestant =
                    new Contestant(label, Arrays.asList(label.split(",")).get(0), options);
            InsertableFilter filter =
                    contestant.make(FilterSpec.of(keys.length, rate).withSeed(seed), StoredHashes.none());
            filter.insertHashes(keys, 0, keys.length);
            return ClassicRateByKeys.rate(filter, space, queries);
        }
    }
}
