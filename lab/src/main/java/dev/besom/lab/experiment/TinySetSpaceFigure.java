package dev.besom.lab.experiment;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.StoredHashes;
import dev.besom.bloom.BloomMath;
import dev.besom.lab.workload.KeySpace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The figures of the TinySet paper that draw the rate over the bits a key: 10, 12 and 13. Points are measured, lines are
 * the formulas of the paper's section 4. All memory of a filter counts, as in Table 6.
 *
 * <p>Figure 12 is the average of 100 runs, as in the paper, of 40,000 keys each.
 */
final class TinySetSpaceFigure implements Experiment {

    private static final double[] BITS = {6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
    private static final int LINE_BITS = 512;
    private static final int HALF_LINE_BITS = 256;
    private static final int FIGURE_12_KEYS = 40;
    private static final String AVERAGED = "12";
    private static final int QUICK_RUNS = 3;
    private static final int QUICK_KEYS = 40_000;
    private static final long MANY = 10_000_000;

    /** On one processor. */
    private static final int FULL_MINUTES = 2;

    private final String number;
    private final String title;
    private final String toSee;
    private final List<Line> lines;
    private final List<Plot.Mark> marks;
    private final int fullRuns;

    /** A filter of a figure: by bits a key, one with blocks of a size, or any that takes no more memory than that. */
    private record Line(String name, IntFunction<Contestant> blocks, String kind, Map<String, String> options) {

        static Line ofBlocks(String name, IntFunction<Contestant> blocks) {
            return new Line(name, blocks, "", Map.of());
        }

        static Line ofKind(String kind, Map<String, String> options) {
            return new Line(kind, bits -> Contestant.of(kind), kind, options);
        }

        boolean isSizedByMemory() {
            return !kind.isEmpty();
        }
    }

    private TinySetSpaceFigure(String number, String title, String toSee, List<Line> lines, List<Plot.Mark> marks) {
        this.fullRuns = number.equals(AVERAGED) ? 100 : 1;
        this.number = number;
        this.title = title;
        this.toSee = toSee;
        this.lines = lines;
        this.marks = marks;
    }

    /** As many keys as chains. */
    static TinySetSpaceFigure ten() {
        List<Line> lines = new ArrayList<>();
        for (int keys : new int[] {16, 32, 64, 128}) {
            lines.add(Line.ofBlocks("tinyset " + keys + "I", bits -> TinySetPaper.blocks(bits * keys, keys, keys)));
        }
        return new TinySetSpaceFigure(
                "10",
                "Rate against memory for different numbers of keys a block",
                "Blocks for 16 to 128 keys, with as many chains as keys; dashed lines are the paper's formula.",
                lines,
                List.of());
    }

    /** Forty keys a block, beside others. */
    static TinySetSpaceFigure twelve() {
        return new TinySetSpaceFigure(
                "12",
                "Rate against memory for different filters",
                "The paper says that TinySet is better than a Bloom filter from about 7.9 bits a key on, and over 4 times as"
                        + " accurate as the best alternative at 19 bits. Means over the runs.",
                List.of(
                        Line.ofBlocks(
                                "tinyset, 40 keys a block",
                                bits -> TinySetPaper.blocks(bits * FIGURE_12_KEYS, 64, FIGURE_12_KEYS)),
                        Line.ofKind("bloom", Contestant.BITS_ANYWHERE),
                        Line.ofKind("rank-indexed", Map.of("copies", "1"))),
                List.of(new Plot.Mark(7.9, "paper: break even with Bloom")));
    }

    /** Blocks of a fixed size, beside others of one memory access. */
    static TinySetSpaceFigure thirteen() {
        return new TinySetSpaceFigure(
                "13",
                "Rate against memory for filters with one memory access",
                "The paper says that at the end of its range the 32-byte blocks are about 9 times and the 64-byte ones over 30"
                        + " times as accurate as the best alternative. All memory counts, as in Table 6.",
                List.of(
                        Line.ofBlocks(
                                "tinyset 64B", bits -> TinySetPaper.blocks(LINE_BITS, 64, LINE_BITS / (double) bits)),
                        Line.ofBlocks(
                                "tinyset 32B",
                                bits -> TinySetPaper.blocks(HALF_LINE_BITS, 32, HALF_LINE_BITS / (double) bits)),
                        new Line(
                                "blocked-bloom 32B",
                                bits -> Contestant.of("blocked-bloom"),
                                "blocked-bloom",
                                Map.of("blockBits", "256")),
                        new Line(
                                "blocked-bloom 64B", bits -> Contestant.of("blocked-bloom"), "blocked-bloom", Map.of()),
                        Line.ofKind("balanced-bloom", Map.of())),
                List.of());
    }

    @Override
    public Description description() {
        return new Description("tinyset-figure-" + number, title, TinySetPaper.CITATION, "Figure " + number, toSee);
    }

    @Override
    public int minutes(Scale scale) {
        return scale == Scale.FULL ? AllProcessors.minutes(FULL_MINUTES) : 0;
    }

    @Override
    public Findings run(Conditions conditions) {
        int runs = fullRuns == 1 ? 1 : conditions.choose(QUICK_RUNS, fullRuns);
        int keyCount = fullRuns == 1 ? conditions.choose(QUICK_KEYS, 1_000_000) : QUICK_KEYS;
        int queries = fullRuns == 1 ? conditions.choose(200_000, 20_000_000) : 200_000;
        int step = conditions.choose(3, 1);
        List<Series> series = new ArrayList<>();
        for (Line line : lines) {
            conditions.progress("tinyset-figure-" + number + ", " + line.name);
            List<Double> measured = IntStream.range(0, BITS.length)
                    .filter(i -> i % step == 0)
                    .mapToObj(i -> BITS[i])
                    .toList();
            List<Series.Point> points = AllProcessors.play(measured, bits -> {
                double sum = 0;
                for (int run = 0; run < runs; run++) {
                    KeySpace space = new KeySpace(conditions.seed() + run);
                    InsertableFilter filter = make(line, bits.intValue(), keyCount, space.seed());
                    filter.insertHashes(space.stored(keyCount), 0, keyCount);
                    sum += TinySetPaper.rate(filter, space, queries);
                }
                return new Series.Point(bits, sum / runs);
            });
            series.add(Series.ours(line.name, points));
            if (!line.isSizedByMemory()) {
                series.add(Series.theory(line.name, BITS, bits -> formula(line, (int) bits)));
            }
        }
        series.add(Series.theory("bloom", BITS, TinySetSpaceFigure::bloom));
        Plot plot = new Plot(
                "", Plot.Axis.linear("bits a key"), Plot.Axis.logarithmic("false-positive rate"), series, marks);
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("keys", String.format(Locale.ROOT, "%,d", keyCount));
        parameters.put("queries", String.format(Locale.ROOT, "%,d", queries));
        parameters.put("runs", Integer.toString(runs));
        answers(series).forEach(parameters::put);
        return new Findings(parameters, List.of(plot), ResultTable.of(plot));
    }

    /** How many times as accurate as the best Bloom filter of blocks the TinySet blocks are, at the largest size measured. */
    private Map<String, String> answers(List<Series> series) {
        Map<String, String> answers = new LinkedHashMap<>();
        double best = last(series, "blocked-bloom 32B", "blocked-bloom 64B", "balanced-bloom");
        if (number.equals("13")) {
            for (String preset : List.of("32B", "64B")) {
                double ours = last(series, "tinyset " + preset);
                answers.put(
                        "tinyset " + preset + ", times as accurate as the best alternative (paper: "
                                + (preset.equals("32B") ? "about 9" : "over 30") + ")",
                        ours == 0 ? "too few queries to tell" : String.format(Locale.ROOT, "%.1f", best / ours));
            }
        }
        return answers;
    }

    private static double last(List<Series> series, String... names) {
        return series.stream()
                .filter(one ->
                        one.origin() == Series.Origin.OURS && List.of(names).contains(one.name()))
                .mapToDouble(one -> one.points().get(one.points().size() - 1).y())
                .min()
                .orElse(Double.NaN);
    }

    private static InsertableFilter make(Line line, int bits, int keyCount, long seed) {
        if (line.isSizedByMemory()) {
            return new Contestant(line.name, line.kind, line.options)
                    .make(keyCount, (long) bits * keyCount, seed, StoredHashes.none());
        }
        return line.blocks.apply(bits).make(FilterSpec.of(keyCount, 0.5).withSeed(seed), StoredHashes.none());
    }

    private static double formula(Line line, int bits) {
        Map<String, String> options = line.blocks.apply(bits).options();
        return TinySetPaper.fpp(
                number(options, "blockBits"),
                number(options, "chains"),
                Double.parseDouble(options.getOrDefault("keysPerBlock", "0")));
    }

    private static int number(Map<String, String> options, String name) {
        return Integer.parseInt(options.getOrDefault(name, "0"));
    }

    private static double bloom(double bitsPerKey) {
        long bits = (long) (bitsPerKey * MANY);
        return BloomMath.fpp(bits, MANY, BloomMath.bestProbes(bits, MANY));
    }
}
