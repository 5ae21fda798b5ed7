package dev.besom.daisy;

import dev.besom.distribution.KeyClass;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The partitioned learned filter in numbers: classes in the order of their score are cut into regions, and each region
 * gets a filter with a rate of its own.
 *
 * <p>The score of a class is the part of its inserts among its inserts and queries: the belief that a key which is
 * queried is stored. With G and H the shares of inserts and of queries that fall into a region, the space
 * {@code n sum G log2(1 / f)} at a total rate of {@code sum H f} is least for f proportional to G / H, no f above 1. The
 * cuts are the best ones for these rates. The paper's cuts, which make the divergence of G from H largest, are best only
 * where no f is 1, and can take more than twice the space.
 *
 * <p>K. Vaidya, E. Knorr, T. Kraska, M. Mitzenmacher: Partitioned learned Bloom filters. ICLR 2021.
 */
public final class PartitionedMath {

    /** Rates below this are not worth the space for the handful of keys that would get them. */
    private static final double LEAST_RATE = 1e-9;

    /**
     * More classes than this are joined with their neighbours, as many each, before cuts are sought, which takes their
     * square: cuts are the best between such segments.
     */
    private static final int MOST_SEGMENTS = 256;

    private PartitionedMath() {}

    /**
     * Which region each class is in, and each region's share of the inserts and rate.
     *
     * @param regionOfClass by class
     * @param insertShare by region
     * @param queryShare by region
     * @param rate by region; 1 means that the region needs no filter
     */
    public record Partition(
            List<Integer> regionOfClass, List<Double> insertShare, List<Double> queryShare, List<Double> rate) {}

    /** The best partition into at most so many regions. */
    public static Partition partition(List<KeyClass> classes, double fpp, int mostRegions) {
        int[] order = IntStream.range(0, classes.size())
                .boxed()
                .sorted(Comparator.comparingDouble(i -> score(classes.get(i))))
                .mapToInt(Integer::intValue)
                .toArray();
        int segments = Math.min(MOST_SEGMENTS, order.length);
        int[] segmentOfClass = new int[order.length];
        double[] inserts = new double[segments + 1];
        double[] queries = new double[segments + 1];
        for (int place = 0; place < order.length; place++) {
            int segment = (int) ((long) place * segments / order.length);
            segmentOfClass[order[place]] = segment;
            inserts[segment + 1] += classes.get(order[place]).insertShare();
            queries[segment + 1] += classes.get(order[place]).queryShare();
        }
        Arrays.parallelPrefix(inserts, Double::sum);
        Arrays.parallelPrefix(queries, Double::sum);
        int[] ends = new Cuts(inserts, queries, fpp).best(Math.min(mostRegions, segments));
        double[] insertShare = new double[ends.length];
        double[] queryShare = new double[ends.length];
        int[] regionOfSegment = new int[segments];
        for (int region = 0, start = 0; region < ends.length; start = ends[region], region++) {
            insertShare[region] = inserts[ends[region]] - inserts[start];
            queryShare[region] = queries[ends[region]] - queries[start];
            Arrays.fill(regionOfSegment, start, ends[region], region);
        }
        return new Partition(
                Arrays.stream(segmentOfClass)
                        .mapToObj(segment -> regionOfSegment[segment])
                        .toList(),
                Arrays.stream(insertShare).boxed().toList(),
                Arrays.stream(queryShare).boxed().toList(),
                Arrays.stream(rates(insertShare, queryShare, fpp)).boxed().toList());
    }

    private static double score(KeyClass keys) {
        double sum = keys.insertShare() + keys.queryShare();
        return sum == 0 ? 0.5 : keys.insertShare() / sum;
    }

    /**
     * Where to cut segments into regions.
     *
     * <pre>
     *   segments   | region 0 | region 1 | ... | region k - 2 |      region k - 1       |
     *   rates        below 1, proportional to G / H             1: no filter, if it pays
     * </pre>
     *
     * Rates are proportional to G / H, which grows with the score, so the regions without a filter are a suffix, and one
     * region will do for it. For each suffix, the best cuts of the rest are those with the largest sum of G log(G / H):
     * all of them are found at once by dynamic programming. The suffix is the one that takes least space.
     */
    private static final class Cuts {

        private final double[] inserts;
        private final double[] queries;
        private final double fpp;
        private final int segments;

        Cuts(double[] inserts, double[] queries, double fpp) {
            this.inserts = inserts;
            this.queries = queries;
            this.fpp = fpp;
            this.segments = inserts.length - 1;
        }

        /** The ends of at most so many regions. */
        int[] best(int mostRegions) {
            double[][] divergence = new double[mostRegions + 1][segments + 1];
            int[][] from = new int[mostRegions + 1][segments + 1];
            fill(divergence, from);
            int[] best = endsOf(from, mostRegions, segments);
            double least = space(best);
            for (int start = 0; start < segments; start++) {
                for (int regions = 0; regions < mostRegions; regions++) {
                    if (divergence[regions][start] == Double.NEGATIVE_INFINITY) {
                        continue;
                    }
                    int[] ends = Arrays.copyOf(endsOf(from, regions, start), regions + 1);
                    ends[regions] = segments;
                    double space = space(ends);
                    if (space < least) {
                        least = space;
                        best = ends;
                    }
                }
            }
            return best;
        }

        /** The largest divergence of the first segments in so many regions, and where the last of them starts. */
        private void fill(double[][] divergence, int[][] from) {
            for (double[] row : divergence) {
                Arrays.fill(row, Double.NEGATIVE_INFINITY);
            }
            divergence[0][0] = 0;
            for (int region = 1; region < divergence.length; region++) {
                for (int end = region; end <= segments; end++) {
                    for (int start = region - 1; start < end; start++) {
                        double value = divergence[region - 1][start] + divergence(start, end);
                        if (value > divergence[region][end]) {
                            divergence[region][end] = value;
                            from[region][end] = start;
                        }
                    }
                }
            }
        }

        private double divergence(int start, int end) {
            double g = inserts[end] - inserts[start];
            double h = queries[end] - queries[start];
            return g <= 0 ? 0 : g * Math.log(g / Math.max(h, LEAST_RATE));
        }

        private static int[] endsOf(int[][] from, int regions, int last) {
            int[] ends = new int[regions];
            for (int region = regions, end = last; region > 0; end = from[region][end], region--) {
                ends[region - 1] = end;
            }
            return ends;
        }

        /** The nats a key that regions with these ends take. */
        private double space(int[] ends) {
            double[] g = new double[ends.length];
            double[] h = new double[ends.length];
            for (int region = 0, start = 0; region < ends.length; start = ends[region], region++) {
                g[region] = inserts[ends[region]] - inserts[start];
                h[region] = queries[ends[region]] - queries[start];
            }
            double[] rates = rates(g, h, fpp);
            double space = 0;
            for (int region = 0; region < g.length; region++) {
                space -= g[region] * Math.log(rates[region]);
            }
            return space;
        }
    }

    private static double[] rates(double[] inserts, double[] queries, double fpp) {
        double[] rates = new double[inserts.length];
        boolean[] isOne = new boolean[inserts.length];
        double insertsOfOnes = 0;
        double queriesOfOnes = 0;
        boolean changed = true;
        while (changed) {
            changed = false;
            double insertsLeft = Math.max(LEAST_RATE, 1 - insertsOfOnes);
            double rateLeft = Math.max(LEAST_RATE, fpp - queriesOfOnes);
            for (int region = 0; region < rates.length; region++) {
                if (isOne[region]) {
                    continue;
                }
                double rate = inserts[region] * rateLeft / (queries[region] * insertsLeft);
                // No queries at all: 0 / 0 or infinity.
                if (!(rate < 1)) {
                    rates[region] = 1;
                    isOne[region] = true;
                    insertsOfOnes += inserts[region];
                    queriesOfOnes += queries[region];
                    changed = true;
                } else {
                    rates[region] = Math.max(LEAST_RATE, rate);
                }
            }
        }
        return rates;
    }
}
