package dev.besom.lab.race;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.LongKeyFilter;
import dev.besom.MembershipFilter;
import dev.besom.StoredHashes;
import dev.besom.distribution.Distribution;
import dev.besom.filters.Filters;
import dev.besom.lab.game.Play;
import dev.besom.lab.game.Strategy;
import dev.besom.lab.workload.Adversary;
import dev.besom.lab.workload.Contest;
import dev.besom.lab.workload.HitMix;
import dev.besom.lab.workload.KeySpace;
import dev.besom.lab.workload.QueryStream;
import dev.besom.lab.workload.Workload;
import dev.besom.spi.Kind;
import dev.besom.stored.RehashableMemoryHashes;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A contender's part of a race, in this JVM. */
final class LocalHeat implements Heat {

    /**
     * Filling is warmed up by many small filters, so that methods which fill a whole filter are compiled as such and not
     * only within a run, and then by some larger ones. None is larger than this: what is compiled is compiled.
     */
    private static final int SMALL_FILL = 1 << 12;

    private static final int LARGE_FILL = 1 << 18;
    private static final int SMALL_FILLS = 600;
    private static final long FILL_WARM_UP_NANOS = 250_000_000;
    private static final long LONGEST_FILL_WARM_UP_NANOS = 4 * FILL_WARM_UP_NANOS;

    private final RaceSpec spec;
    private final String kind;
    private final Contender contender;
    private final RaceKeys raceKeys;
    private final Map<String, String> kindOptions;
    private final Filling filling;

    /** What was filled and not timed yet. */
    private Filling.@Nullable Done fresh;

    private @Nullable MembershipFilter filled;
    private @Nullable Stopwatch stopwatch;

    /** How the queries before the last times went. */
    private @Nullable Tally aging;

    LocalHeat(RaceSpec spec, String kind, long limitBits, RaceKeys raceKeys) {
        this.spec = spec;
        this.kind = kind;
        this.raceKeys = raceKeys;
        this.kindOptions = Contenders.kind(kind).map(Kind::options).orElse(Map.of());
        this.contender = spec.samples().queries().isPresent() && takesDistribution(kind)
                ? Contenders.knowing(kind, learn(spec, raceKeys.keys()))
                : Contenders.find(kind, limitBits);
        this.filling = new Filling(contender, this::storeOf);
    }

    private static boolean takesDistribution(String kind) {
        return Contenders.kind(kind).filter(Filters::takesDistribution).isPresent();
    }

    /** Before the race, and not timed: samples are learned from once, filters made often. */
    private static Distribution learn(RaceSpec spec, long[] keys) {
        FilterSpec filterSpec = spec.filterSpec(keys.length, Map.of());
        return spec.samples().learn(keys, (double) filterSpec.capacity(), spec.fpp());
    }

    @Override
    public Filled prepare() {
        if (spec.timing().isTaken()) {
            warmUpFill(SMALL_FILL, SMALL_FILLS);
            warmUpFill(LARGE_FILL, 1);
            fresh = fill(raceKeys, filling::oneByOne);
            stopwatch = new Stopwatch(raceKeys.keys(), new KeySpace(spec.seed()));
        } else {
            fresh = fill(raceKeys, filling::atOnce);
        }
        filled = fresh.filter();
        return new Filled(raceKeys.keys().length, filled.sizeInBits());
    }

    /** Fills filters with the first keys until it was done often enough and long enough, or for too long. */
    private void warmUpFill(int mostKeys, int leastFills) {
        RaceKeys first = raceKeys.first(mostKeys);
        long start = ProcessorClock.nanos();
        long taken = 0;
        for (int fills = 0;
                taken < FILL_WARM_UP_NANOS || (fills < leastFills && taken < LONGEST_FILL_WARM_UP_NANOS);
                fills++) {
            fill(first, filling::oneByOne);
            if (contender.isInsertable()) {
                fill(first, filling::atOnce);
            }
            taken = ProcessorClock.nanos() - start;
        }
    }

    @Override
    public Times time() {
        Stopwatch watch = stopwatch;
        if (watch == null) {
            throw new IllegalStateException("prepare first");
        }
        Filling.Done single = fresh;
        if (single == null) {
            filled = null;
            single = fill(raceKeys, filling::oneByOne);
        }
        fresh = null;
        double bulkNanos =
                contender.isInsertable() ? fill(raceKeys, filling::atOnce).nanosPerKey() : Double.NaN;
        MembershipFilter filter = single.filter();
        filled = filter;
        if (spec.timing().aged()) {
            aging = play(filter);
        }
        Times.Fill fill = new Times.Fill(single.nanosPerKey(), bulkNanos);
        if (!contender.takesHashes()) {
            return new Times(fill, watch.ofNumbers(filter), Times.Queries.NONE, watch.allocatedBytesOfNumbers(filter));
        }
        LongKeyFilter keys = Filters.of(filter, Preimages.HASHER);
        return new Times(fill, watch.ofKeys(keys), watch.ofNumbers(filter), watch.allocatedBytesOfKeys(keys));
    }

    @Override
    public Tally play() {
        Tally played = aging;
        stopwatch = null;
        return played != null ? played : play(filter());
    }

    private Tally play(MembershipFilter filter) {
        Referee referee = new Referee(filter, raceKeys.stored());
        KeySpace space = new KeySpace(spec.seed());
        Workload workload = spec.workloadOfRace();
        if (workload instanceof Adversary adversary) {
            return referee.tally(referee.play(adversary, space));
        }
        if (workload instanceof Contest contest) {
            Play play = new Play(referee::ask, space, raceKeys.keys().length, spec.queries());
            return referee.tally(Strategy.of(contest.strategy()).playAgainst(play));
        }
        try (QueryStream stream = open((Workload.Stream) workload, space)) {
            referee.play(stream, spec.queries());
        }
        return referee.tally();
    }

    @Override
    public void close() {
        filled = null;
        stopwatch = null;
    }

    private QueryStream open(Workload.Stream workload, KeySpace space) {
        QueryStream stream = workload.open(space, raceKeys.keys().length);
        return spec.hits() > 0 ? new HitMix(stream, raceKeys.keys(), spec.hits(), spec.seed()) : stream;
    }

    /** The dictionary of a new filter: one that can move hashes where the filter may want that, and then its own. */
    private StoredHashes storeOf(RaceKeys source) {
        boolean isAdaptive = Contenders.kind(kind).filter(Kind::isAdaptive).isPresent();
        return isAdaptive ? RehashableMemoryHashes.of(source.keys()) : source.stored();
    }

    private Filling.Done fill(RaceKeys source, BiFunction<FilterSpec, RaceKeys, Filling.Done> way) {
        int keyCount = source.keys().length;
        try {
            return way.apply(spec.filterSpec(keyCount, kindOptions), source);
        } catch (FilterFullException e) {
            throw new IllegalArgumentException(
                    "kind " + kind + " has no room for " + keyCount + " keys at load " + spec.load() + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private MembershipFilter filter() {
        MembershipFilter filter = filled;
        if (filter == null) {
            throw new IllegalStateException("prepare first");
        }
        return filter;
    }
}
