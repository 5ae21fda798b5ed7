package dev.besom.lab.experiment;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.StoredHashes;
import dev.besom.bloom.BloomMath;
import dev.besom.lab.workload.KeySpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The figures of the TinySet paper that draw the rate over the bits a key: 10, 12 and 13. Points are measured, lines are
 * the formulas of the paper's section 4.
 *
 * <p>Departures: the paper's blocked filter has blocks of 32 bytes, this project's of 64.
 */
final class TinySetSpaceFigure implements Experiment {

    private static final double[] BITS = {6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
    private static final int LINE_BITS = 512;
    private static final int HALF_LINE_BITS = 256;
    private static final int FIGURE_12_KEYS = 40;
    private static final long MANY = 10_000_000;

    /** On one processor. */
    private static final int FULL_MINUTES = 2;

    private final String number;
    private final String title;
    private final String toSee;
    private final List<Line> lines;
    private final List<Plot.Mark> marks;

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
                "The formula and the filters agree; larger blocks are better, by less and less.",
                lines,
                List.of());
    }

    /** Forty keys a block, beside others. */
    static TinySetSpaceFigure twelve() {
        return new TinySetSpaceFigure(
                "12",
                "Rate against memory for different filters",
                "From less than eight bits a key on TinySet is better than a Bloom filter, and at 19 bits nearly four times"
                        + " as accurate. Rank-indexed hashing lies between them from about 15 bits on.",
                List.of(
                        Line.ofBlocks(
                                "tinyset, 40 keys a block",
                                bits -> TinySetPaper.blocks(bits * FIGURE_12_KEYS, 64, FIGURE_12_KEYS)),
                        Line.ofKind("bloom", Map.of()),
                        Line.ofKind("rank-indexed", Map.of("copies", "1"))),
                List.of(new Plot.Mark(7.9, "paper: break even with Bloom")));
    }

    /** Blocks of a fixed size, beside others of one memory access. */
    static TinySetSpaceFigure thirteen() {
        return new TinySetSpaceFigure(
                "13",
                "Rate against memory for filters with one memory access",
                "At the same memory TinySet's blocks are wrong several times less often than blocks of Bloom filters.",
                List.of(
                        Line.ofBlocks(
                                "tinyset 64B", bits -> TinySetPaper.blocks(LINE_BITS, 64, LINE_BITS / (double) bits)),
                        Line.ofBlocks(
                                "tinyset 32B",
                                bits -> TinySetPaper.blocks(HALF_LINE_BITS, 32, HALF_LINE_BITS / (double) bits)),
                        Line.ofKind("blocked-bloom", Map.of()),
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
        int keyCount = conditions.choose(40_000, 1_000_000);
        int queries = conditions.choose(200_000, 20_000_000);
        int step = conditions.choose(3, 1);
        KeySpace space = new KeySpace(conditions.seed());
        long[] keys = space.stored(keyCount);
        List<Series> series = new ArrayList<>();
        for (Line line : lines) {
            conditions.progress("tinyset-figure-" + number + ", " + line.name);
            List<Double> measured = IntStream.range(0, BITS.length)
                    .filter(i -> i % step == 0)
                    .mapToObj(i -> BITS[i])
                    .toList();
            List<Series.Point> points = AllProcessors.play(measured, bits -> {
                InsertableFilter filter = make(line, bits.intValue(), keyCount, conditions.seed());
                filter.insertHashes(keys, 0, keyCount);
                return new Series.Point(bits, TinySetPaper.rate(filter, space, queries));
            });
            series.add(Series.ours(line.name, points));
            if (!line.isSizedByMemory()) {
                series.add(Series.theory(line.name, BITS, bits -> formula(line, (int) bits)));
            }
        }
        series.add(Series.theory("bloom", BITS, TinySetSpaceFigure::bloom));
        Plot plot = new Plot(
                "", Plot.Axis.linear("bits a key"), Plot.Axis.logarithmic("false-positive rate"), series, marks);
        return new Findings(
                Map.of(
                        "keys", String.format(Locale.ROOT, "%,d", keyCount),
                        "queries", String.format(Locale.ROOT, "%,d", queries)),
                List.of(plot),
                ResultTable.of(plot));
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
