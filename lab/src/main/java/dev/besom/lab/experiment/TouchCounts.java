package dev.besom.lab.experiment;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.IntStream;

/** How many words and cache lines operations touched, as {@link Footprint} told after each. */
final class TouchCounts {

    private static final int MEDIAN = 500;
    private static final int HIGH = 990;
    private static final int HIGHEST = 999;
    private static final int ALL = 1000;

    private final Map<Operation, IntStream.Builder> words = new EnumMap<>(Operation.class);
    private final Map<Operation, IntStream.Builder> lines = new EnumMap<>(Operation.class);

    /** Ends an operation and takes what it touched. */
    void take(Operation operation) {
        Footprint.stop();
        words.computeIfAbsent(operation, any -> IntStream.builder()).add(Footprint.words());
        lines.computeIfAbsent(operation, any -> IntStream.builder()).add(Footprint.lines());
    }

    static ResultTable.Builder table() {
        return ResultTable.columns(
                "keys", "operation", "words, mean", "median", "99 %", "99.9 %", "most", "lines, mean", "lines, 99.9 %");
    }

    /**
     * Adds a row for each operation.
     *
     * @return the 99.9th percentiles of words and of lines by operation
     */
    Map<Operation, double[]> summarize(double keys, ResultTable.Builder table) {
        Map<Operation, double[]> highest = new EnumMap<>(Operation.class);
        Map<Operation, int[]> allLines = sorted(lines);
        sorted(words).forEach((operation, sorted) -> {
            int[] sortedLines = allLines.getOrDefault(operation, new int[0]);
            table.row(
                    keys,
                    operation.label,
                    Arrays.stream(sorted).average().orElse(Double.NaN),
                    percentile(sorted, MEDIAN),
                    percentile(sorted, HIGH),
                    percentile(sorted, HIGHEST),
                    percentile(sorted, ALL),
                    Arrays.stream(sortedLines).average().orElse(Double.NaN),
                    percentile(sortedLines, HIGHEST));
            highest.put(operation, new double[] {percentile(sorted, HIGHEST), percentile(sortedLines, HIGHEST)});
        });
        return highest;
    }

    private static Map<Operation, int[]> sorted(Map<Operation, IntStream.Builder> counts) {
        Map<Operation, int[]> sorted = new EnumMap<>(Operation.class);
        counts.forEach(
                (operation, each) -> sorted.put(operation, each.build().sorted().toArray()));
        return sorted;
    }

    private static double percentile(int[] sorted, int ofMille) {
        int rank = (int) Math.ceil(sorted.length * (ofMille / 1000.0));
        return sorted.length == 0 ? Double.NaN : sorted[Math.max(0, rank - 1)];
    }
}
