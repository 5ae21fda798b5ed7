package dev.besom.lab.experiment;

import dev.besom.InsertableFilter;
import dev.besom.StoredHashes;
import dev.besom.lab.race.KeySet;
import dev.besom.lab.race.Referee;
import dev.besom.lab.race.StoredKeys;
import dev.besom.lab.race.Tally;
import dev.besom.lab.workload.KeySpace;
import dev.besom.lab.workload.QueryStream;
import dev.besom.lab.workload.Recorded;
import dev.besom.lab.workload.Workload;
import dev.besom.lab.workload.Workloads;
import dev.besom.stored.RehashableMemoryHashes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * False positives on skewed queries: Figure 2 of the telescoping paper on its two generated streams, Figures 3 and 4
 * left on a trace of the user's own. The queries stay the same and the stored set changes: {@code A} different queries,
 * {@code S} stored keys, {@code A/S} on the horizontal axis.
 *
 * <p>The queries go to all filters as they are drawn, a few thousand at a time, so that no stream is kept in memory; what a
 * filter has denied it is asked again only after it has changed ({@link Denials}).
 * Every filter has the same memory: see {@link TelescopingPaper}. The paper's text gives no numbers for these figures
 * beyond the place where its filter begins to lose.
 */
final class TelescopingFigure2 implements Experiment {

    private static final double[] RATIOS = {1, 2, 5, 10, 20, 40, 100};
    private static final int BATCH = 1 << 12;
    private static final int QUICK_QUERIES = 1_000_000;

    /** As many seeds make a mean of which luck is a small part. */
    private static final int QUICK_REPEATS = 6;

    /** A trace of fewer different keys says little: at the highest ratio it would leave ten stored keys. */
    private static final int FEWEST_DISTINCT = 1000;

    private final Description description;
    private final Optional<String> workload;
    private final int fullQueries;
    /** About, on one processor: it depends on how many of the queries are different. */
    private final int fullMinutes;

    private TelescopingFigure2(Description description, Optional<String> workload, int fullQueries, int fullMinutes) {
        this.description = description;
        this.workload = workload;
        this.fullQueries = fullQueries;
        this.fullMinutes = fullMinutes;
    }

    /** The left plot: Firehose's active set. */
    static Experiment activeSet() {
        return new TelescopingFigure2(
                new Description(
                        "telescoping-figure-2-active",
                        "Skewed queries: an active set that moves on",
                        TelescopingPaper.CITATION,
                        "Figure 2, left",
                        "At the same memory. A filter that repairs its false positives pays for each of them once as long"
                                + " as it has room for its repairs, and another one at every repeat: the dashed lines"
                                + " are these two cases. Not counted is where adaptive cuckoo filters know their keys from, as"
                                + " in the paper: Besom's keep an index for that. Means over the repeats, each with"
                                + " other keys and seeds."),
                Optional.of("firehose-active"),
                10_000_000,
                12);
    }

    /** The right plot: Firehose's power law. */
    static Experiment powerLaw() {
        return new TelescopingFigure2(
                new Description(
                        "telescoping-figure-2-powerlaw",
                        "Skewed queries: a power law",
                        TelescopingPaper.CITATION,
                        "Figure 2, right",
                        "The same under a power law. Whether a hot key is among the false positives of a filter that does not"
                                + " adapt is luck. Means over the repeats, each with other keys and seeds."),
                Optional.of("firehose-powerlaw"),
                50_000_000,
                7);
    }

    /** A stream that stands for the traces, which cannot be shipped. */
    static Experiment standIn() {
        return new TelescopingFigure2(
                new Description(
                        "telescoping-figure-3-stand-in",
                        "A synthetic stand-in for network traces",
                        TelescopingPaper.CITATION,
                        "Figures 3 and 4, left, on a synthetic stream",
                        "This is no trace: the paper prints no number of packets or flows of its traces, and they cannot be"
                                + " shipped. The stream is a million flows under Zipf's law. The paper says of its traces"
                                + " that queries repeat so little that the rate of a fresh query decides."),
                Optional.of("zipf:1:1000000"),
                10_000_000,
                13);
    }

    /** The same on a file of the user's. */
    static Experiment trace() {
        return new TelescopingFigure2(
                new Description(
                        "telescoping-figure-3-trace",
                        "Your own queries",
                        TelescopingPaper.CITATION,
                        "Figures 3 and 4, left",
                        "The queries of your file, in its order, before sets of random keys. Means over the repeats."),
                Optional.empty(),
                Integer.MAX_VALUE,
                0);
    }

    @Override
    public Description description() {
        return description;
    }

    @Override
    public Optional<String> missing(Conditions conditions) {
        return workload.isPresent() || conditions.queries().isPresent()
                ? Optional.empty()
                : Optional.of("a file of queries: --queries-file FILE, a pcap capture or text");
    }

    @Override
    public int minutes(Scale scale) {
        return scale == Scale.FULL && workload.isPresent() ? AllProcessors.minutes(fullMinutes) : 0;
    }

    @Override
    public Findings run(Conditions conditions) {
        int most = workload.isPresent() ? conditions.choose(QUICK_QUERIES, fullQueries) : fullQueries;
        int repeats = conditions.choose(QUICK_REPEATS, 10);
        Stream first = count(stream(conditions), new KeySpace(conditions.seed()), most);
        if (first.distinct < FEWEST_DISTINCT) {
            throw new IllegalArgumentException(stream(conditions).name() + ": " + first.distinct
                    + " different queries are too few; there must be " + FEWEST_DISTINCT);
        }
        List<Totals[][]> played =
                AllProcessors.play(IntStream.range(0, repeats).boxed().toList(), repeat -> {
                    String step = description.name() + ", " + (repeat + 1) + " of " + repeats;
                    conditions.progress(step);
                    return play(conditions, conditions.seed() + repeat, first, step);
                });
        Totals[][] totals = new Totals[RATIOS.length][TelescopingPaper.IN_EQUAL_SPACE.size()];
        for (int ratio = 0; ratio < totals.length; ratio++) {
            for (int i = 0; i < totals[ratio].length; i++) {
                totals[ratio][i] = new Totals();
                for (Totals[][] one : played) {
                    totals[ratio][i].add(one[ratio][i]);
                }
            }
        }
        return findings(conditions, first, repeats, totals);
    }

    private Workload.Stream stream(Conditions conditions) {
        return workload.<Workload.Stream>map(name -> (Workload.Stream) Workloads.parse(name))
                .orElseGet(() -> new Recorded(conditions.queries().orElseThrow()));
    }

    /** How long a stream is and how many different keys it has. */
    private record Stream(long queries, long distinct) {}

    private static Stream count(Workload.Stream workload, KeySpace space, long most) {
        KeySet keys = new KeySet();
        long queries = 0;
        try (QueryStream stream = workload.open(space, 0)) {
            while (queries < most && stream.hasNext()) {
                keys.add(stream.next());
                queries++;
            }
        }
        return new Stream(queries, keys.size());
    }

    /** What became of one filter's queries, in one repeat or in all. */
    private static final class Totals {
        private double falsePositives;
        private double queries;
        private double forgot;
        private double bitsPerKey;

        void add(Totals other) {
            falsePositives += other.falsePositives;
            queries += other.queries;
            forgot += other.forgot;
            bitsPerKey = other.bitsPerKey;
        }

        double rate() {
            return falsePositives / queries;
        }
    }

    private Totals[][] play(Conditions conditions, long seed, Stream shape, String step) {
        Totals[][] totals = new Totals[RATIOS.length][TelescopingPaper.IN_EQUAL_SPACE.size()];
        KeySpace space = new KeySpace(seed);
        List<Game> games = new ArrayList<>();
        for (int ratio = 0; ratio < RATIOS.length; ratio++) {
            int stored = (int) Math.max(1, Math.round(shape.distinct / RATIOS[ratio]));
            long[] keys = space.stored(stored);
            StoredKeys dictionary = new StoredKeys(keys);
            long bits = TelescopingPaper.bitsFor(stored);
            for (int i = 0; i < totals[ratio].length; i++) {
                totals[ratio][i] = new Totals();
                Totals ofGame = totals[ratio][i];
                filter(TelescopingPaper.IN_EQUAL_SPACE.get(i), keys, bits, seed)
                        .ifPresent(filter -> games.add(new Game(filter, dictionary, ofGame)));
            }
        }
        KeySet different = new KeySet();
        long[] batch = new long[BATCH];
        int[] numbers = new int[BATCH];
        try (QueryStream stream = stream(conditions).open(space, 0)) {
            for (long asked = 0; asked < shape.queries; ) {
                int size = 0;
                while (size < BATCH && asked < shape.queries && stream.hasNext()) {
                    batch[size] = stream.next();
                    numbers[size] = Denials.number(different, batch[size]);
                    size++;
                    asked++;
                }
                for (Game game : games) {
                    game.ask(batch, numbers, size);
                }
                conditions.progress(step + ", " + 100 * asked / shape.queries + " %");
                if (size == 0) {
                    break;
                }
            }
        }
        games.forEach(Game::end);
        return totals;
    }

    /** A filled filter; none where so few keys leave a kind no room. */
    private static Optional<InsertableFilter> filter(Contestant contestant, long[] keys, long bits, long seed) {
        StoredHashes stored = contestant.movesHashes() ? RehashableMemoryHashes.of(keys) : new StoredKeys(keys);
        InsertableFilter filter;
        try {
            filter = contestant.make(keys.length, bits, seed, stored);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        filter.insertHashes(keys, 0, keys.length);
        return Optional.of(filter);
    }

    /** One filter's part. What it has denied it is not asked again until it has changed. */
    private static final class Game {
        private final Referee referee;
        private final InsertableFilter filter;
        private final long stored;
        private final Totals totals;
        private final Denials denials = new Denials();
        private long deniedAgain;

        Game(InsertableFilter filter, StoredKeys dictionary, Totals totals) {
            this.referee = new Referee(filter, dictionary);
            this.filter = filter;
            this.stored = dictionary.count();
            this.totals = totals;
        }

        void ask(long[] keys, int[] numbers, int count) {
            for (int i = 0; i < count; i++) {
                if (denials.has(numbers[i])) {
                    deniedAgain++;
                } else if (referee.ask(keys[i])) {
                    denials.forget();
                } else {
                    denials.add(numbers[i]);
                }
            }
        }

        void end() {
            Tally tally = referee.tally();
            if (tally.answers().falseNegatives() > 0) {
                throw new IllegalStateException(tally.answers().falseNegatives() + " stored keys were lost");
            }
            totals.falsePositives = tally.answers().falsePositives();
            totals.queries = tally.answers().queries() + (double) deniedAgain;
            totals.forgot = tally.repairs().forgot();
            totals.bitsPerKey = filter.sizeInBits() / (double) stored;
        }
    }

    private static Findings findings(Conditions conditions, Stream shape, int repeats, Totals[][] totals) {
        List<Series> series = new ArrayList<>();
        ResultTable.Builder table = ResultTable.columns(
                "A/S",
                "stored keys",
                "kind",
                "false-positive rate",
                "false positives",
                "forgotten repairs",
                "bits a key");
        for (int i = 0; i < TelescopingPaper.IN_EQUAL_SPACE.size(); i++) {
            List<Series.Point> points = new ArrayList<>();
            for (int ratio = 0; ratio < RATIOS.length; ratio++) {
                points.add(new Series.Point(RATIOS[ratio], totals[ratio][i].rate()));
            }
            series.add(Series.ours(TelescopingPaper.IN_EQUAL_SPACE.get(i).label(), points));
        }
        for (int ratio = 0; ratio < RATIOS.length; ratio++) {
            for (int i = 0; i < TelescopingPaper.IN_EQUAL_SPACE.size(); i++) {
                Totals total = totals[ratio][i];
                if (total.queries == 0) {
                    continue;
                }
                table.row(
                        RATIOS[ratio],
                        Math.round(shape.distinct / RATIOS[ratio]),
                        TelescopingPaper.IN_EQUAL_SPACE.get(i).label(),
                        total.rate(),
                        total.falsePositives / repeats,
                        total.forgot / repeats,
                        total.bitsPerKey);
            }
        }
        double once = TelescopingPaper.freshRate() * shape.distinct / shape.queries;
        series.add(Series.theory("each false positive once, 8-bit remainders", RATIOS, x -> once));
        series.add(Series.theory("no repairs, 8-bit remainders", RATIOS, x -> TelescopingPaper.freshRate()));
        Plot plot = new Plot(
                "",
                Plot.Axis.logarithmic("A/S: different queries for each stored key"),
                Plot.Axis.logarithmic("false-positive rate"),
                series,
                List.of(TelescopingPaper.LIMIT_MARK));
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("queries", String.format(Locale.ROOT, "%,d", shape.queries));
        parameters.put("different queries", String.format(Locale.ROOT, "%,d", shape.distinct));
        parameters.put("repeats", Integer.toString(repeats));
        conditions
                .queries()
                .ifPresent(source -> parameters.put(
                        "file of queries", String.valueOf(Path.of(source.name()).getFileName())));
        return new Findings(parameters, List.of(plot), table.end());
    }
}
