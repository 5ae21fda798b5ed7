package dev.besom.lab.experiment;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.StoredHashes;
import dev.besom.lab.race.ProcessorClock;
import dev.besom.lab.race.Spread;
import dev.besom.lab.workload.KeySpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How long TinySet takes to add all keys and to find each of them, as a ratio to this project's Bloom filter of the same rate in the same
 * run: Table 2 of the paper, all three rates.
 *
 * <p>Departure: the paper has seconds for a million keys on an Intel i7 of 3.2 GHz, of a Bloom filter of another library; what can be
 * compared are ratios to the Bloom filter. Keys are added and found in bulk.
 */
final class TinySetTable2 implements Experiment {

    private static final List<String> PRESETS = List.of("32I", "64I");
    private static final int WARM_UP = 2;

    /** Seconds to add and to find, by rate: the paper's Bloom filter, 32I and 64I. */
    private static final double[][] PAPER_ADDS = {{0.65, 0.28, 0.34}, {0.96, 0.28, 0.34}, {1.33, 0.28, 0.35}};

    private static final double[][] PAPER_FINDS = {{0.69, 0.05, 0.08}, {0.98, 0.05, 0.08}, {1.29, 0.05, 0.08}};

    @Override
    public Description description() {
        return new Description(
                "tinyset-table-2",
                "Time to add and to find all keys",
                TinySetPaper.CITATION,
                "Table 2",
                "Ratios to the Bloom filter of the same run and rate: below 1 takes less time. The paper's Bloom filter is another"
                        + " library's, which hashes keys anew for each probe; this one does not.");
    }

    @Override
    public Findings run(Conditions conditions) {
        return run(conditions, conditions.choose(100_000, 1_000_000), conditions.choose(3, 10));
    }

    Findings run(Conditions conditions, int keyCount, int repeats) {
        long[] keys = new KeySpace(conditions.seed()).stored(keyCount);
        ResultTable.Builder table = ResultTable.columns(
                "filter", "rate", "add, ratio to bloom", "in the paper", "find, ratio to bloom", "in the paper ");
        List<List<Series.Point>> adds = List.of(new ArrayList<>(), new ArrayList<>());
        List<List<Series.Point>> finds = List.of(new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < TinySetPaper.RATES.length; i++) {
            double rate = TinySetPaper.RATES[i];
            FilterSpec spec = FilterSpec.of(keyCount, rate).withSeed(conditions.seed());
            List<Contestant> contestants = List.of(
                    Contestant.of("bloom"), TinySetPaper.preset(PRESETS.get(0)), TinySetPaper.preset(PRESETS.get(1)));
            List<double[][]> taken = new ArrayList<>();
            for (int repeat = -WARM_UP; repeat < repeats; repeat++) {
                conditions.progress("tinyset-table-2, rate " + rate);
                double[][] times = new double[contestants.size()][];
                for (int c = 0; c < contestants.size(); c++) {
                    times[c] = time(contestants.get(c), spec, keys);
                }
                if (repeat >= 0) {
                    taken.add(times);
                }
            }
            for (int c = 1; c < contestants.size(); c++) {
                int contestant = c;
                double add = Spread.of(taken, times -> times[contestant][0] / times[0][0])
                        .median();
                double find = Spread.of(taken, times -> times[contestant][1] / times[0][1])
                        .median();
                adds.get(c - 1).add(new Series.Point(rate, add));
                finds.get(c - 1).add(new Series.Point(rate, find));
                table.row(
                        contestants.get(c).label(),
                        rate,
                        add,
                        PAPER_ADDS[i][c] / PAPER_ADDS[i][0],
                        find,
                        PAPER_FINDS[i][c] / PAPER_FINDS[i][0]);
            }
        }
        return new Findings(
                Map.of(
                        "keys", String.format(Locale.ROOT, "%,d", keyCount),
                        "measurements", Integer.toString(repeats)),
                List.of(plot("To add", adds, PAPER_ADDS), plot("To find", finds, PAPER_FINDS)),
                table.end());
    }

    /** Nanoseconds of processor time to add all keys, and to find them. */
    private static double[] time(Contestant contestant, FilterSpec spec, long[] keys) {
        InsertableFilter filter = contestant.make(spec, StoredHashes.none());
        long[] result = new long[keys.length / Long.SIZE + 1];
        long start = ProcessorClock.nanos();
        filter.insertHashes(keys, 0, keys.length);
        long added = ProcessorClock.nanos();
        filter.mightContainHashes(keys, 0, keys.length, result);
        return new double[] {added - start, ProcessorClock.nanos() - added};
    }

    private static Plot plot(String title, List<List<Series.Point>> measured, double[][] paper) {
        List<Series> series = new ArrayList<>();
        for (int i = 0; i < PRESETS.size(); i++) {
            series.add(Series.ours("tinyset " + PRESETS.get(i), measured.get(i)));
            double[] printed = new double[2 * TinySetPaper.RATES.length];
            for (int rate = 0; rate < TinySetPaper.RATES.length; rate++) {
                printed[2 * rate] = TinySetPaper.RATES[rate];
                printed[2 * rate + 1] = paper[rate][i + 1] / paper[rate][0];
            }
            series.add(Series.paper("tinyset " + PRESETS.get(i), printed));
        }
        return new Plot(
                title,
                Plot.Axis.logarithmic("false-positive rate"),
                Plot.Axis.linear("time, as a ratio to bloom"),
                series);
    }
}
