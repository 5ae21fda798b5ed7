package dev.besom.lab.race;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
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

    private @Nullable MembershipFilter filled;
    private @Nullable Stopwatch stopwatch;
    private double fillNanos;
    private boolean isFillTaken;

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
        }
        MembershipFilter filter = fill();
        if (spec.timing().isTaken()) {
            stopwatch = new Stopwatch(raceKeys.keys(), new KeySpace(spec.seed()));
            stopwatch.warmUp(filter);
        }
        return new Filled(raceKeys.keys().length, filter.sizeInBits());
    }

    /** Fills filters with the first keys until it was done often enough and long enough, or for too long. */
    private void warmUpFill(int mostKeys, int leastFills) {
        RaceKeys first = raceKeys.first(mostKeys);
        long start = ProcessorClock.nanos();
        long taken = 0;
        for (int fills = 0;
                taken < FILL_WARM_UP_NANOS || (fills < leastFills && taken < LONGEST_FILL_WARM_UP_NANOS);
                fills++) {
            fill(first, storeOf(first));
            taken = ProcessorClock.nanos() - start;
        }
    }

    @Override
    public Times time() {
        Stopwatch watch = stopwatch;
        if (watch == null) {
            throw new IllegalStateException("prepare first");
        }
        MembershipFilter filter = isFillTaken ? fill() : filter();
        isFillTaken = true;
        if (spec.timing().aged()) {
            aging = play(filter);
            watch.warmUp(filter);
        }
        return new Times(
                fillNanos / raceKeys.keys().length,
                watch.hitNanos(filter),
                watch.missNanos(filter),
                watch.bulkNanos(filter),
                watch.allocatedBytes(filter));
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

    /** Fills the filter of the race, and notes how long that took. */
    private MembershipFilter fill() {
        filled = null;
        StoredHashes store = storeOf(raceKeys);
        long start = ProcessorClock.nanos();
        MembershipFilter filter = fill(raceKeys, store);
        fillNanos = ProcessorClock.nanos() - start;
        filled = filter;
        return filter;
    }

    /** The dictionary of a new filter: one that can move hashes where the filter may want that, and then its own. */
    private StoredHashes storeOf(RaceKeys source) {
        boolean isAdaptive = Contenders.kind(kind).filter(Kind::isAdaptive).isPresent();
        return isAdaptive ? RehashableMemoryHashes.of(source.keys()) : source.stored();
    }

    private MembershipFilter fill(RaceKeys source, StoredHashes store) {
        int keyCount = source.keys().length;
        try {
            return contender.fill(spec.filterSpec(keyCount, kindOptions), store, source.keys());
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
