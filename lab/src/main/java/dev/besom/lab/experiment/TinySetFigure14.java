package dev.besom.lab.experiment;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.StoredHashes;
import dev.besom.bloom.BloomMath;
import dev.besom.filters.Filters;
import dev.besom.lab.workload.KeySpace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The flexibility of TinySet: a Bloom filter, a rank-indexed table and a TinySet of the same memory, planned for 38,000
 * keys, get keys beyond the plan until TinySet is wrong in more than 3.3 %, where the paper ends.
 *
 * <p>Departure: the paper does not say how large the blocks are; 1024 blocks of 64 bytes are 13.8 bits a key at the
 * planned load.
 */
final class TinySetFigure14 implements Experiment {

    private static final int BLOCKS = 1024;
    private static final int BLOCK_BITS = 512;
    private static final int CHAINS = 64;
    private static final int PLANNED = 38_000;
    private static final int STEP = 4_000;
    private static final double LAST_RATE = 0.033;

    @Override
    public Description description() {
        return new Description(
                "tinyset-figure-14",
                "Rates under a growing load",
                TinySetPaper.CITATION,
                "Figure 14",
                "All have the same memory. One Bloom filter is planned for as many keys as the vertical line says, the other"
                        + " one for the last load. A line that ends is of a filter that refuses more keys. The paper's"
                        + " figure ends at a rate of 3.3 %.");
    }

    @Override
    public Findings run(Conditions conditions) {
        int queries = conditions.choose(400_000, 20_000_000);
        KeySpace space = new KeySpace(conditions.seed());
        long bits = (long) BLOCKS * BLOCK_BITS;
        FilterSpec planned = FilterSpec.of(PLANNED, 0.5).withSeed(conditions.seed());
        FilterSpec bloom = new FilterSpec(PLANNED, 0.5, conditions.seed(), Contestant.BITS_ANYWHERE)
                .with("bits", Long.toString(bits));
        Map<String, InsertableFilter> filters = new LinkedHashMap<>();
        filters.put(
                "tinyset",
                TinySetPaper.blocks(BLOCK_BITS, CHAINS, (double) PLANNED / BLOCKS)
                        .make(planned, StoredHashes.none()));
        filters.put("bloom", (InsertableFilter) Filters.makeHashFilter("bloom", bloom));
        int most = firstLoadAtLastRate();
        int finalProbes = BloomMath.bestProbes(bits, most);
        filters.put("bloom, tuned for the last load", (InsertableFilter)
                Filters.makeHashFilter("bloom", bloom.with("probes", Integer.toString(finalProbes))));
        filters.put(
                "rank-indexed",
                new Contestant("rank-indexed", "rank-indexed", Map.of("copies", "1"))
                        .make(PLANNED, bits, conditions.seed(), StoredHashes.none()));
        List<Series> series = new ArrayList<>();
        filters.forEach((name, filter) -> {
            conditions.progress("tinyset-figure-14, " + name);
            series.add(Series.ours(name, rates(filter, space, queries, most)));
        });
        double[] loads = new double[most / STEP];
        for (int i = 0; i < loads.length; i++) {
            loads[i] = (i + 1) * (double) STEP;
        }
        series.add(Series.theory("tinyset", loads, TinySetFigure14::formula));
        int probes = BloomMath.bestProbes(bits, PLANNED);
        series.add(Series.theory("bloom", loads, load -> BloomMath.fpp(bits, (long) load, probes)));
        series.add(Series.theory(
                "bloom, tuned for the last load", loads, load -> BloomMath.fpp(bits, (long) load, finalProbes)));
        Plot plot = new Plot(
                "",
                Plot.Axis.linear("keys"),
                Plot.Axis.logarithmic("false-positive rate"),
                series,
                List.of(new Plot.Mark(PLANNED, "planned")));
        return new Findings(
                Map.of(
                        "memory in bits", String.format(Locale.ROOT, "%,d", bits),
                        "queries", String.format(Locale.ROOT, "%,d", queries)),
                List.of(plot),
                ResultTable.of(plot));
    }

    private static double formula(double keys) {
        return TinySetPaper.fpp(BLOCK_BITS, CHAINS, keys / BLOCKS);
    }

    /** The first load, in steps, at which TinySet is at the paper's last rate. */
    private static int firstLoadAtLastRate() {
        int keys = STEP;
        while (formula(keys) < LAST_RATE) {
            keys += STEP;
        }
        return keys;
    }

    private static List<Series.Point> rates(InsertableFilter filter, KeySpace space, int queries, int most) {
        List<Series.Point> points = new ArrayList<>();
        try {
            for (int keys = 0; keys < most; keys++) {
                filter.insertHash(space.stored((long) keys));
                if ((keys + 1) % STEP == 0) {
                    points.add(new Series.Point(keys + 1.0, TinySetPaper.rate(filter, space, queries)));
                }
            }
        } catch (FilterFullException e) {
            points.add(new Series.Point(filter.count(), Double.NaN));
        }
        return points;
    }
}
