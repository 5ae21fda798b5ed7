package dev.besom.lab.experiment;

import dev.besom.lab.race.Race;
import dev.besom.lab.race.RaceResult;
import dev.besom.lab.race.RaceSpec;
import dev.besom.lab.race.Timing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * To adapt or to cache: adaptive kinds, kinds that do not adapt and their rivals in equal memory, on streams of growing skew, and
 * under the telescoping paper's adversary. Wasted reads for a thousand queries, without what repairs read.
 *
 * <p>The memory is that of {@code telescoping} at a rate of 1/256. A filter that does not adapt depends on luck, whether a hot key is a
 * false positive of it, so each point is an average over seeds.
 */
final class RivalsBySkew implements Experiment {

    /** Bits anywhere: the form of {@code bloom} that wastes fewest reads in the same memory. */
    private static final String BLOOM = "bloom:scheme=enhanced-double";

    private static final List<String> CONTENDERS = List.of(
            "telescoping",
            "cuckoo-cyclic",
            BLOOM,
            "quotient",
            "rival:cached-quotient",
            "rival:cached-bloom",
            "rival:stacked",
            "rival:break-even");

    private static final double[] EXPONENTS = {0, 0.4, 0.8, 1, 1.2, 1.4};
    private static final double[] ADVERSARIES = {1, 5, 10, 20, 40};
    private static final double FPP = 1.0 / 256;
    private static final double PER = 1000;

    @Override
    public Description description() {
        return new Description(
                "rivals-by-skew",
                "To adapt or to cache",
                "The comparison is this project's; the rivals' papers are named in the documents",
                "Equal memory, growing skew",
                "All have the same memory, caches included, but for the index of cuckoo-cyclic, which is not counted. A stacked"
                        + " filter is told beforehand what will be asked. The adversary asks different keys and then repeats"
                        + " what was wrong.");
    }

    @Override
    public int minutes(Scale scale) {
        return scale == Scale.FULL ? AllProcessors.minutes(3) : 0;
    }

    @Override
    public Findings run(Conditions conditions) {
        return run(
                conditions,
                conditions.choose(5_000, 100_000),
                conditions.choose(100_000, 2_000_000),
                conditions.choose(3, 10));
    }

    Findings run(Conditions conditions, int keys, int queries, int seeds) {
        ResultTable.Builder table = ResultTable.columns(
                "workload", "contender", "wasted reads of 1000", "rate of the last round", "bits a key");
        List<String> streams = new ArrayList<>();
        for (double exponent : EXPONENTS) {
            streams.add("zipf:" + exponent);
        }
        List<String> attacks = new ArrayList<>();
        for (double queriesAKey : ADVERSARIES) {
            attacks.add("adversary:" + queriesAKey);
        }
        Map<String, List<Series.Point>> wasted = new LinkedHashMap<>();
        Map<String, List<Series.Point>> lastRounds = new LinkedHashMap<>();
        List<String> all = new ArrayList<>(streams);
        all.addAll(attacks);
        List<List<Mean>> means = AllProcessors.play(all, workload -> {
            conditions.progress("rivals-by-skew, " + workload);
            RaceSpec.Builder spec = RaceSpec.of(CONTENDERS)
                    .n(keys)
                    .fpp(FPP)
                    .queries(queries)
                    .workload(workload)
                    .equalMemory(true)
                    .timing(Timing.fresh(0, false));
            return play(spec, conditions.seed(), workload.startsWith("zipf") ? seeds : 1);
        });
        for (int i = 0; i < all.size(); i++) {
            boolean isStream = i < streams.size();
            double x = isStream ? EXPONENTS[i] : ADVERSARIES[i - streams.size()];
            for (Mean mean : means.get(i)) {
                (isStream ? wasted : lastRounds)
                        .computeIfAbsent(mean.contender, name -> new ArrayList<>())
                        .add(new Series.Point(x, isStream ? mean.wasted * PER : mean.lastRound));
                table.row(all.get(i), mean.contender, mean.wasted * PER, isStream ? "" : mean.lastRound, mean.bits);
            }
        }
        return new Findings(
                Map.of(
                        "stored keys", String.format(Locale.ROOT, "%,d", keys),
                        "queries", String.format(Locale.ROOT, "%,d", queries),
                        "seeds", Integer.toString(seeds)),
                List.of(
                        new Plot(
                                "Skewed queries",
                                Plot.Axis.linear("Zipf's exponent, over ten keys a stored one"),
                                Plot.Axis.logarithmic("wasted reads of 1000 queries"),
                                series(wasted)),
                        new Plot(
                                "An adversary",
                                Plot.Axis.linear("different queries for each stored key"),
                                Plot.Axis.linear("false-positive rate of the last round"),
                                series(lastRounds))),
                table.end());
    }

    /** What became of one contender on average. */
    private record Mean(String contender, double wasted, double lastRound, double bits) {}

    private static List<Mean> play(RaceSpec.Builder spec, long seed, int seeds) {
        double[] wasted = new double[CONTENDERS.size()];
        List<RaceResult> last = List.of();
        for (int i = 0; i < seeds; i++) {
            last = Race.run(spec.seed(seed + i).toSpec(), step -> {});
            for (int c = 0; c < wasted.length; c++) {
                if (last.get(c).tally().answers().falseNegatives() > 0) {
                    throw new IllegalStateException(CONTENDERS.get(c) + " lost keys");
                }
                wasted[c] += last.get(c).tally().answers().falsePositiveRate() / seeds;
            }
        }
        List<Mean> means = new ArrayList<>();
        for (int c = 0; c < wasted.length; c++) {
            RaceResult result = last.get(c);
            means.add(new Mean(
                    label(CONTENDERS.get(c)), wasted[c], result.tally().rounds().lastRate(), result.bitsPerKey()));
        }
        return means;
    }

    private static String label(String contender) {
        return contender.equals(BLOOM) ? "bloom" : contender;
    }

    private static List<Series> series(Map<String, List<Series.Point>> points) {
        List<Series> series = new ArrayList<>();
        points.forEach((name, of) -> series.add(Series.ours(name, of)));
        return series;
    }
}
