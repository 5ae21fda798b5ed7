package dev.besom.lab.experiment;

import dev.besom.AdaptiveFilter;
import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.lab.peer.Rival;
import dev.besom.lab.race.Loop;
import dev.besom.lab.race.ProcessorClock;
import dev.besom.lab.race.Referee;
import dev.besom.lab.race.Spread;
import dev.besom.lab.race.StoredKeys;
import dev.besom.lab.race.TimingLoop;
import dev.besom.lab.workload.FirehoseActiveSet;
import dev.besom.lab.workload.KeySpace;
import dev.besom.lab.workload.QueryStream;
import dev.besom.stored.RehashableMemoryHashes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Throughput of inserts, queries and repairs over the load, Figure 5 of the telescoping paper: tables of 2^24 slots, 8-bit
 * remainders, queries from Firehose's active set.
 *
 * <pre>
 *   A: fill up to 0.1, age, query   B: fill up to 0.1, age, query   …   A: fill up to 0.2, age, query   …     in turn, repeated
 * </pre>
 *
 * <p>Inserts at a load are all those from the empty table to it. Between them the filters age: {@value #AGING_QUERIES} different
 * queries for each new key are made, and the false positives among them repaired, which is timed. So inserts move selectors,
 * and queries meet them. Queries of the stream are asked once with repairs before they are timed. Each contestant has
 * loops of its own, so that the compiler sees one class of filter in each of them; times are processor time.
 *
 * <p>The store of {@code broom}, which moves hashes in it, holds no keys that the filter has not: while there are some, nothing
 * moves.
 *
 * <p>Departures: 64 bits of a block are for selectors or extensions, but for the paper's own filter, and the paper's vacuum filter is
 * not there. In the paper the filter without a code answers faster than the one with it, because there each query decodes.
 * Here {@code telescoping-plain} is the slowest of Besom's: the other kinds have a word that says which slots of a short run have a
 * selector, and mostly compare whole words, while its selectors are a byte a slot that has to be looked at for each slot of the run.
 * The order of the paper is that of {@code the paper's TAF} to {@code extension} and {@code quotient}.
 */
final class TelescopingFigure5 implements Experiment {

    private static final double[] LOADS = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95};
    private static final int AGING_QUERIES = 8;
    private static final int QUICK_SLOTS = 1 << 16;
    private static final int FULL_SLOTS = 1 << 24;
    private static final int FULL_MINUTES = 4;
    private static final int WARM_UP_SLOTS = 1 << 16;
    private static final int QUERIES = 1 << 18;
    private static final int QUERY_ROUNDS = 9;

    /** Loops are called for so many keys at a time: often enough to be compiled as methods. */
    private static final int CHUNK = 1 << 12;

    private static final double MILLIONS_A_SECOND = 1e3; // from one over nanoseconds

    /** Foreign keys that age filters start here, so that the stream does not have them. */
    private static final long FIRST_AGING_KEY = 1L << 40;

    private static final List<Contestant> CONTESTANTS = List.of(
            TelescopingPaper.QUOTIENT,
            TelescopingPaper.PAPER,
            TelescopingPaper.COMPACT,
            TelescopingPaper.TELESCOPING,
            Contestant.of("telescoping-plain"),
            TelescopingPaper.EXTENSION,
            TelescopingPaper.BROOM);

    @Override
    public Description description() {
        return new Description(
                "telescoping-figure-5-throughput",
                "Throughput against load",
                TelescopingPaper.CITATION,
                "Figure 5",
                "What adaptivity costs a query is the distance to the quotient filter (the paper's RSQF). The paper's TAF"
                        + " decodes a block at each query;"
                        + " telescoping-compact is Besom's form of it, telescoping-plain the form without a code (the"
                        + " paper's uTAF) and extension its exAF. The filters have been repaired "
                        + AGING_QUERIES + " queries a key long.");
    }

    @Override
    public int minutes(Scale scale) {
        return scale == Scale.FULL ? FULL_MINUTES : 0;
    }

    @Override
    public Findings run(Conditions conditions) {
        int slots = conditions.choose(QUICK_SLOTS, FULL_SLOTS);
        // In full there are millions of inserts and tens of thousands of repairs between two loads.
        int repeats = conditions.choose(3, 1);
        List<Loop> loops = new ArrayList<>();
        CONTESTANTS.forEach(contestant -> loops.add(TimingLoop.fresh()));
        KeySpace space = new KeySpace(conditions.seed());
        long[] queries = queries(space);
        conditions.progress("telescoping-figure-5-throughput, warming up");
        for (int i = 0; i < 2; i++) {
            takeTimes(WARM_UP_SLOTS, space, queries, loops);
        }
        List<double[][][]> measurements = new ArrayList<>();
        for (int repeat = 0; repeat < repeats; repeat++) {
            conditions.progress("telescoping-figure-5-throughput, " + (repeat + 1) + " of " + repeats);
            measurements.add(takeTimes(slots, space, queries, loops));
        }
        return findings(slots, repeats, measurements);
    }

    private static long[] queries(KeySpace space) {
        long[] keys = new long[QUERIES];
        try (QueryStream stream = new FirehoseActiveSet(space, FirehoseActiveSet.DEFAULT_ACTIVE_KEYS)) {
            for (int i = 0; i < keys.length; i++) {
                keys[i] = stream.next();
            }
        }
        return keys;
    }

    /** By contestant and load: nanoseconds an insert, a query and a repair. */
    private static double[][][] takeTimes(int slots, KeySpace space, long[] queries, List<Loop> loops) {
        int capacity = (int) (slots * TelescopingPaper.LOAD);
        long[] keys = space.stored(capacity);
        StoredKeys dictionary = new StoredKeys(keys);
        RehashableMemoryHashes moving = new RehashableMemoryHashes();
        List<InsertableFilter> filters = new ArrayList<>();
        for (Contestant contestant : CONTESTANTS) {
            filters.add(contestant.make(
                    FilterSpec.of(capacity, TelescopingPaper.freshRate()),
                    contestant.movesHashes() ? moving : dictionary));
        }
        double[][][] times = new double[filters.size()][LOADS.length][];
        long[] fillNanos = new long[filters.size()];
        int filled = 0;
        for (int step = 0; step < LOADS.length; step++) {
            int upTo = Math.min(capacity, (int) (slots * LOADS[step]));
            for (int i = filled; i < upTo; i++) {
                moving.add(keys[i]);
            }
            for (int i = 0; i < filters.size(); i++) {
                fillNanos[i] += insert(loops.get(i), filters.get(i), keys, filled, upTo);
                double repairing = age(filters.get(i), space, filled, upTo);
                new Referee(filters.get(i), dictionary).play(new ArrayStream(queries), queries.length);
                long asking = ask(loops.get(i), filters.get(i), queries);
                times[i][step] =
                        new double[] {fillNanos[i] / (double) upTo, asking / (double) queries.length, repairing};
            }
            filled = upTo;
        }
        return times;
    }

    private static long insert(Loop loop, InsertableFilter filter, long[] keys, int from, int to) {
        long start = ProcessorClock.nanos();
        for (int at = from; at < to; at += CHUNK) {
            loop.insert(filter, keys, at, Math.min(CHUNK, to - at));
        }
        return ProcessorClock.nanos() - start;
    }

    /** Makes different queries for the new keys, and repairs those that are false positives: nanoseconds a repair. */
    private static double age(InsertableFilter filter, KeySpace space, int filled, int upTo) {
        long[] wrong = new long[AGING_QUERIES * (upTo - filled)];
        int count = 0;
        for (long i = (long) AGING_QUERIES * filled; i < (long) AGING_QUERIES * upTo; i++) {
            long key = space.foreign(FIRST_AGING_KEY + i);
            if (filter.mightContainHash(key)) {
                wrong[count++] = key;
            }
        }
        long start = ProcessorClock.nanos();
        for (int i = 0; i < count; i++) {
            repair(filter, wrong[i]);
        }
        boolean isAdaptive = filter instanceof AdaptiveFilter || filter instanceof Rival;
        return isAdaptive && count > 0 ? (ProcessorClock.nanos() - start) / (double) count : Double.NaN;
    }

    private static void repair(InsertableFilter filter, long key) {
        if (filter instanceof AdaptiveFilter adaptive) {
            adaptive.repairHash(key);
        } else if (filter instanceof Rival rival) {
            rival.learnMissing(key);
        }
    }

    /** The median of some rounds: one takes milliseconds only. */
    private static long ask(Loop loop, InsertableFilter filter, long[] keys) {
        long[] nanos = new long[QUERY_ROUNDS];
        for (int round = 0; round < QUERY_ROUNDS; round++) {
            long positives = 0;
            long start = ProcessorClock.nanos();
            for (int at = 0; at < keys.length; at += CHUNK) {
                positives += loop.single(filter, keys, at, CHUNK);
            }
            nanos[round] = ProcessorClock.nanos() - start;
            if (positives > keys.length) {
                throw new IllegalStateException("more positives than queries");
            }
        }
        Arrays.sort(nanos);
        return nanos[QUERY_ROUNDS / 2];
    }

    /** The queries once more. */
    private static final class ArrayStream implements QueryStream {

        private final long[] keys;
        private int next;

        ArrayStream(long[] keys) {
            this.keys = keys;
        }

        @Override
        public boolean hasNext() {
            return next < keys.length;
        }

        @Override
        public long next() {
            return keys[next++];
        }
    }

    private static Findings findings(int slots, int repeats, List<double[][][]> measurements) {
        ResultTable.Builder table = ResultTable.columns(
                "load",
                "kind",
                "million inserts a second",
                "ns an insert (least)",
                "ns an insert (most)",
                "million queries a second",
                "ns a query (least)",
                "ns a query (most)",
                "ns a repair");
        List<Series> inserts = new ArrayList<>();
        List<Series> queries = new ArrayList<>();
        List<Series> repairs = new ArrayList<>();
        for (int i = 0; i < CONTESTANTS.size(); i++) {
            List<Series.Point> insertPoints = new ArrayList<>();
            List<Series.Point> queryPoints = new ArrayList<>();
            List<Series.Point> repairPoints = new ArrayList<>();
            for (int step = 0; step < LOADS.length; step++) {
                int contestant = i;
                int load = step;
                Spread insert = Spread.of(measurements, times -> times[contestant][load][0]);
                Spread query = Spread.of(measurements, times -> times[contestant][load][1]);
                Spread repair = Spread.of(measurements, times -> times[contestant][load][2]);
                if (!Double.isNaN(repair.median())) {
                    repairPoints.add(new Series.Point(LOADS[step], MILLIONS_A_SECOND / repair.median()));
                }
                insertPoints.add(new Series.Point(LOADS[step], MILLIONS_A_SECOND / insert.median()));
                queryPoints.add(new Series.Point(LOADS[step], MILLIONS_A_SECOND / query.median()));
                table.row(
                        LOADS[step],
                        CONTESTANTS.get(i).label(),
                        MILLIONS_A_SECOND / insert.median(),
                        insert.least(),
                        insert.most(),
                        MILLIONS_A_SECOND / query.median(),
                        query.least(),
                        query.most(),
                        repair.median());
            }
            inserts.add(Series.ours(CONTESTANTS.get(i).label(), insertPoints));
            queries.add(Series.ours(CONTESTANTS.get(i).label(), queryPoints));
            if (!repairPoints.isEmpty()) {
                repairs.add(Series.ours(CONTESTANTS.get(i).label(), repairPoints));
            }
        }
        return new Findings(
                Map.of(
                        "slots", String.format(Locale.ROOT, "%,d", slots),
                        "repeats", Integer.toString(repeats),
                        "queries", String.format(Locale.ROOT, "%,d", QUERIES)),
                List.of(
                        new Plot(
                                "Inserts",
                                Plot.Axis.linear("load"),
                                Plot.Axis.linear("million inserts a second"),
                                inserts),
                        new Plot(
                                "Queries",
                                Plot.Axis.linear("load"),
                                Plot.Axis.linear("million queries a second"),
                                queries),
                        new Plot(
                                "Repairs",
                                Plot.Axis.linear("load"),
                                Plot.Axis.linear("million repairs a second"),
                                repairs)),
                table.end());
    }
}
