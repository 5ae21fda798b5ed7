package dev.besom.lab.experiment;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.StoredHashes;
import dev.besom.lab.race.ProcessorClock;
import dev.besom.lab.workload.KeySpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How long TinySet takes to add keys and to find them as it fills, as a ratio to this project's Bloom filter in the same
 * run: Figure 11 and, at full load, Table 2 of the paper. Each filter is filled in sixteen parts; keys are found in bulk.
 *
 * <p>Departure: times are ratios of processor time and not seconds, because machines differ and are shared. The paper's
 * Bloom filter was another library's, which hashed its keys anew for each probe.
 */
final class TinySetFigure11 implements Experiment {

    private static final double FPP = 0.001;
    private static final int PARTS = 16;
    private static final int WARM_UP = 1;

    /** Seconds for 10^6 keys at this rate, from Table 2: the paper's Bloom filter, 32I and 64I. */
    private static final double[] PAPER_ADDS = {0.96, 0.28, 0.34};

    private static final double[] PAPER_ASKS = {0.98, 0.05, 0.08};

    @Override
    public Description description() {
        return new Description(
                "tinyset-figure-11",
                "Time to add and to find keys as a filter fills",
                TinySetPaper.CITATION,
                "Figure 11 and Table 2",
                "Ratios to the Bloom filter of the same run: above 1 takes longer than it. Triangles are the paper's Table 2,"
                        + " over all keys; its Bloom filter is another library's.");
    }

    @Override
    public Findings run(Conditions conditions) {
        int keyCount = conditions.choose(160_000, 1_000_000) / PARTS * PARTS;
        int repeats = conditions.choose(3, 11);
        KeySpace space = new KeySpace(conditions.seed());
        long[] keys = space.stored(keyCount);
        FilterSpec spec = FilterSpec.of(keyCount, FPP).withSeed(conditions.seed());
        List<Contestant> contestants = List.of(
                Contestant.of("bloom"),
                TinySetPaper.preset("32I"),
                TinySetPaper.preset("64I"),
                TinySetPaper.preset("64B"));
        double[][][] adds = new double[contestants.size()][PARTS][repeats];
        double[][][] asks = new double[contestants.size()][PARTS][repeats];
        for (int repeat = -WARM_UP; repeat < repeats; repeat++) {
            conditions.progress("tinyset-figure-11, measurement " + (repeat + 1) + " of " + repeats);
            for (int i = 0; i < contestants.size(); i++) {
                time(contestants.get(i), spec, keys, Math.max(0, repeat), adds[i], asks[i]);
            }
        }
        Plot add = plot("To add", contestants, adds, keyCount, PAPER_ADDS);
        Plot ask = plot("To find", contestants, asks, keyCount, PAPER_ASKS);
        ResultTable.Builder table =
                ResultTable.columns("filter", "share of keys", "add, ratio to bloom", "find, ratio to bloom");
        for (int i = 1; i < contestants.size(); i++) {
            for (int part = 0; part < PARTS; part++) {
                table.row(
                        contestants.get(i).label(),
                        (part + 1.0) / PARTS,
                        median(adds[i][part]) / median(adds[0][part]),
                        median(asks[i][part]) / median(asks[0][part]));
            }
        }
        return new Findings(
                Map.of(
                        "keys", String.format(Locale.ROOT, "%,d", keyCount),
                        "measurements", Integer.toString(repeats),
                        "planned rate", "0.1 %"),
                List.of(add, ask),
                table.end());
    }

    private static void time(
            Contestant contestant, FilterSpec spec, long[] keys, int repeat, double[][] adds, double[][] asks) {
        InsertableFilter filter = contestant.make(spec, StoredHashes.none());
        int size = keys.length / PARTS;
        long[] result = new long[size / Long.SIZE + 1];
        for (int part = 0; part < PARTS; part++) {
            long start = ProcessorClock.nanos();
            filter.insertHashes(keys, part * size, size);
            long added = ProcessorClock.nanos();
            for (int other = 0; other <= part; other++) {
                filter.mightContainHashes(keys, other * size, size, result);
            }
            long asked = ProcessorClock.nanos();
            adds[part][repeat] = (added - start) / (double) size;
            asks[part][repeat] = (asked - added) / (double) size / (part + 1);
        }
    }

    /** @param paper the paper's seconds for all keys: of its Bloom filter, and of the contestants after ours */
    private static Plot plot(
            String title, List<Contestant> contestants, double[][][] times, int keyCount, double[] paper) {
        List<Series> series = new ArrayList<>();
        for (int i = 0; i < contestants.size(); i++) {
            List<Series.Point> points = new ArrayList<>();
            for (int part = 0; part < PARTS; part++) {
                double keys = (part + 1.0) * keyCount / PARTS;
                points.add(new Series.Point(keys, median(times[i][part]) / median(times[0][part])));
            }
            series.add(Series.ours(contestants.get(i).label(), points));
        }
        for (int i = 1; i < paper.length; i++) {
            series.add(Series.paper(contestants.get(i).label(), keyCount, paper[i] / paper[0]));
        }
        return new Plot(title, Plot.Axis.linear("keys"), Plot.Axis.linear("time, as a ratio to bloom"), series);
    }

    private static double median(double[] times) {
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
