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
 * {@code n sum G log2(1 / f)} at a total rate of {@code sum H f} is least for f = fpp G / H, no f above 1; and the cuts
 * are best that make the divergence of G from H largest.
 *
 * <p>K. Vaidya, E. Knorr, T. Kraska, M. Mitzenmacher: Partitioned learned Bloom filters. ICLR 2021.
 */
public final class PartitionedMath {

    /** Rates below this are not worth the space for the handful of keys that would get them. */
    private static final double LEAST_RATE = 1e-9;

    /** Classes beyond so many are joined with their neighbours before the cuts are sought, which takes their square. */
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
        int[] ends = bestEnds(inserts, queries, Math.min(mostRegions, segments));
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

    /** The ends of at most so many pieces with the largest divergence, by dynamic programming over prefix sums. */
    private static int[] bestEnds(double[] inserts, double[] queries, int pieces) {
        int segments = inserts.length - 1;
        double[][] best = new double[pieces + 1][segments + 1];
        int[][] from = new int[pieces + 1][segments + 1];
        for (double[] row : best) {
            Arrays.fill(row, Double.NEGATIVE_INFINITY);
        }
        best[0][0] = 0;
        for (int piece = 1; piece <= pieces; piece++) {
            for (int end = piece; end <= segments; end++) {
                for (int start = piece - 1; start < end; start++) {
                    double value = best[piece - 1][start]
                            + divergence(inserts[end] - inserts[start], queries[end] - queries[start]);
                    if (value > best[piece][end]) {
                        best[piece][end] = value;
                        from[piece][end] = start;
                    }
                }
            }
        }
        int[] ends = new int[pieces];
        for (int piece = pieces, end = segments; piece > 0; end = from[piece][end], piece--) {
            ends[piece - 1] = end;
        }
        return ends;
    }

    private static double divergence(double inserts, double queries) {
        return inserts <= 0 ? 0 : inserts * Math.log(inserts / Math.max(queries, LEAST_RATE));
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
