package dev.besom.lab.experiment;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.MembershipFilter;
import dev.besom.StoredHashes;
import dev.besom.bloom.BlockedBloomMath;
import dev.besom.bloom.BloomMath;
import dev.besom.bloom.CompositeBloomFilter;
import dev.besom.bloom.LinedBloomMath;
import dev.besom.filters.Filters;
import dev.besom.lab.workload.KeySpace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/**
 * The rate of the Bloom filters as keys go in, far beyond what they were planned for, with the formulas drawn through;
 * and what the removals of a composite filter cost: keys that are there and not found.
 *
 * <p>B. H. Bloom: Space/time trade-offs in hash coding with allowable errors. CACM 13(7), 1970. F. Putze, P. Sanders, J.
 * Singler: Cache-, hash- and space-efficient Bloom filters. JEA 14, 2009. P. S. Almeida, C. Baquero, N. Preguiça, D.
 * Hutchison: Scalable Bloom filters. IPL 101(6), 2007.
 */
final class ClassicRateByKeys implements Experiment {

    private static final double FPP = 0.01;
    private static final double[] SHARES = {0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3, 4};

    /** As {@code composite-bloom} plans them unless told otherwise. */
    private static final double REMOVALS_A_KEY = 0.1;

    private static final double FALSE_NEGATIVE_RATE = 0.001;
    private static final double[] REMOVED_SHARES = {0.01, 0.02, 0.04, 0.06, 0.08, 0.1};

    private static final double BLOCK_BITS = 512;

    @Override
    public Description description() {
        return new Description(
                "classic-rate-by-keys",
                "Bloom filters beyond their plan",
                "B. H. Bloom, CACM 1970; F. Putze, P. Sanders, J. Singler, JEA 2009; P. S. Almeida and others, IPL 2007",
                "the formulas of the papers",
                "All are planned for a rate of 1 % at 1 on the horizontal axis; dashed lines are their formulas beyond it."
                        + " The scalable filter grows. A composite filter has room for the keys that will replace removed"
                        + " ones; its removals can hide stored keys.");
    }

    @Override
    public Findings run(Conditions conditions) {
        int planned = conditions.choose(50_000, 1_000_000);
        int queries = conditions.choose(400_000, 10_000_000);
        KeySpace space = new KeySpace(conditions.seed());
        long[] keys = space.stored((int) (planned * SHARES[SHARES.length - 1]));
        FilterSpec spec = FilterSpec.of(planned, FPP).withSeed(conditions.seed());
        List<Series> series = new ArrayList<>();
        for (Map.Entry<String, DoubleUnaryOperator> kind : formulas(planned).entrySet()) {
            conditions.progress("classic-rate-by-keys, " + kind.getKey());
            Contestant contestant =
                    kind.getKey().equals("bloom") ? Contestant.textbookBloom() : Contestant.of(kind.getKey());
            InsertableFilter filter = contestant.make(spec, StoredHashes.none());
            List<Series.Point> points = new ArrayList<>();
            int filled = 0;
            for (double share : SHARES) {
                int upTo = (int) (planned * share);
                for (; filled < upTo; filled++) {
                    filter.insertHash(keys[filled]);
                }
                points.add(new Series.Point(share, rate(filter, space, queries)));
            }
            series.add(Series.ours(kind.getKey(), points));
        }
        formulas(planned).forEach((name, formula) -> {
            if (!name.equals("counting-bloom")) {
                String label = name.equals("bloom") ? "bloom, counting" : name;
                series.add(Series.theory(label, SHARES, formula));
            }
        });
        Plot rates = new Plot(
                "False positives",
                Plot.Axis.linear("keys / planned keys"),
                Plot.Axis.logarithmic("false-positive rate"),
                series,
                List.of(new Plot.Mark(1, "planned")));
        Plot lost = removals(keys, spec);
        return new Findings(
                Map.of(
                        "planned keys", String.format(Locale.ROOT, "%,d", planned),
                        "queries", String.format(Locale.ROOT, "%,d", queries),
                        "planned rate", "1 %"),
                List.of(rates, lost),
                ResultTable.of(rates));
    }

    static double rate(MembershipFilter filter, KeySpace space, int queries) {
        int positives = 0;
        for (int i = 0; i < queries; i++) {
            if (filter.mightContainHash(space.foreign(i))) {
                positives++;
            }
        }
        return positives / (double) queries;
    }

    /** By kind: the rate at a share of the planned keys. */
    private static Map<String, DoubleUnaryOperator> formulas(int planned) {
        int probes = BloomMath.fewProbes(FPP);
        long bits = BloomMath.bits(planned, FPP, probes);
        DoubleUnaryOperator bloom = share -> BloomMath.fpp(bits, (long) (planned * share), probes);
        double compositeBits = (double) LinedBloomMath.bits((long) (planned * (1 + REMOVALS_A_KEY)), FPP, probes);
        Map<String, DoubleUnaryOperator> formulas = new LinkedHashMap<>();
        formulas.put("bloom", bloom);
        formulas.put("counting-bloom", bloom);
        formulas.put("composite-bloom", share -> LinedBloomMath.fpp(compositeBits / (planned * share), probes));
        formulas.put("blocked-bloom", blocked());
        formulas.put("scalable-bloom", share -> scalable(planned, planned * share));
        return formulas;
    }

    private static DoubleUnaryOperator blocked() {
        BlockedBloomMath.Shape shape = BlockedBloomMath.shape(FPP, 0, 0);
        double keysPerBlock = BLOCK_BITS / shape.bitsPerKey();
        return share -> BlockedBloomMath.fpp(keysPerBlock * share, shape.groups(), shape.bitsPerGroup());
    }

    /** Layers of twice the keys and half the rate each; a query is wrong if it is in one of them. */
    private static double scalable(double planned, double keys) {
        double right = 1;
        double rest = keys;
        for (int layer = 0; rest > 0; layer++) {
            double capacity = Math.scalb(planned, layer);
            double fpp = Math.scalb(FPP, -layer - 1);
            int probes = BloomMath.fewProbes(fpp);
            double bits = (double) LinedBloomMath.bits((long) Math.ceil(capacity / (1 - fpp)), fpp, probes);
            right *= 1 - LinedBloomMath.fpp(bits / Math.min(rest, capacity), probes);
            rest -= capacity;
        }
        return 1 - right;
    }

    /** Stored keys that a composite filter no longer finds after removals of others. */
    private static Plot removals(long[] keys, FilterSpec spec) {
        int planned = (int) spec.capacity();
        CompositeBloomFilter filter =
                Filters.makeHashFilter("composite-bloom", spec, StoredHashes.none(), CompositeBloomFilter.class);
        for (int i = 0; i < planned; i++) {
            filter.insertHash(keys[i]);
        }
        int kept = (int) (planned * (1 - REMOVALS_A_KEY));
        int removed = kept;
        List<Series.Point> points = new ArrayList<>();
        for (double share : REMOVED_SHARES) {
            int upTo = kept + (int) (planned * share);
            for (; removed < upTo; removed++) {
                filter.removeHash(keys[removed]);
            }
            int lost = 0;
            for (int i = 0; i < kept; i++) {
                if (!filter.mightContainHash(keys[i])) {
                    lost++;
                }
            }
            points.add(new Series.Point(share, lost / (double) kept));
        }
        int probes = BloomMath.fewProbes(FALSE_NEGATIVE_RATE);
        long capacity = (long) Math.ceil(Math.max(1, planned / 10) / (1 - FALSE_NEGATIVE_RATE));
        double bits = (double) LinedBloomMath.bits(capacity, FALSE_NEGATIVE_RATE, probes);
        return new Plot(
                "False negatives after removals",
                Plot.Axis.linear("removed keys / planned keys"),
                Plot.Axis.linear("share of stored keys that are not found"),
                List.of(
                        Series.ours("composite-bloom", points),
                        Series.theory(
                                "composite-bloom",
                                REMOVED_SHARES,
                                share -> LinedBloomMath.fpp(bits / (planned * share), probes))));
    }
}
