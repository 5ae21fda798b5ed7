package dev.besom.lab.race;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.Filters;
import dev.besom.MembershipFilter;
import dev.besom.distribution.Distribution;
import dev.besom.lab.game.Play;
import dev.besom.lab.game.Strategy;
import dev.besom.lab.workload.Adversary;
import dev.besom.lab.workload.Contest;
import dev.besom.lab.workload.HitMix;
import dev.besom.lab.workload.KeySpace;
import dev.besom.lab.workload.QueryStream;
import dev.besom.lab.workload.Workload;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A contender's part of a race, in this JVM. */
final class LocalHeat implements Heat {

    /** A fill that takes longer is not repeated. */
    private static final long LONGEST_REPEATED_FILL_NANOS = 500_000_000;

    private static final long FILL_WARM_UP_NANOS = 500_000_000;

    private final RaceSpec spec;
    private final String kind;
    private final Contender contender;
    private final RaceKeys raceKeys;

    private @Nullable MembershipFilter filled;
    private @Nullable Stopwatch stopwatch;
    private long lastFillNanos;

    LocalHeat(RaceSpec spec, String kind, long limitBits, RaceKeys raceKeys) {
        this.spec = spec;
        this.kind = kind;
        this.raceKeys = raceKeys;
        this.contender = spec.samples().queries().isPresent() && takesDistribution(kind)
                ? Contenders.knowing(kind, learn(spec, raceKeys.keys()))
                : Contenders.find(kind, limitBits);
    }

    private static boolean takesDistribution(String kind) {
        return Filters.kinds().stream()
                .anyMatch(known -> known.name().equals(kind) && Filters.takesDistribution(known));
    }

    /** Before the race, and not timed: samples are learned from once, filters made often. */
    private static Distribution learn(RaceSpec spec, long[] keys) {
        FilterSpec filterSpec = spec.filterSpec(keys.length, Map.of());
        return spec.samples().learn(spec.format(), spec.seed(), keys, (double) filterSpec.capacity(), spec.fpp());
    }

    @Override
    public Filled prepare() {
        MembershipFilter filter = fill();
        filled = filter;
        if (spec.repeat() > 0) {
            warmUp(filter);
        }
        return new Filled(raceKeys.keys().length, filter.sizeInBits());
    }

    private void warmUp(MembershipFilter filter) {
        long taken = lastFillNanos;
        while (taken < FILL_WARM_UP_NANOS && lastFillNanos < LONGEST_REPEATED_FILL_NANOS) {
            fill();
            taken += Math.max(lastFillNanos, 1000);
        }
        stopwatch = new Stopwatch(raceKeys.keys(), new KeySpace(spec.seed()));
        stopwatch.warmUp(filter);
    }

    @Override
    public Times time() {
        MembershipFilter filter = filter();
        Stopwatch watch = stopwatch;
        if (watch == null) {
            throw new IllegalStateException("prepare first");
        }
        if (lastFillNanos < LONGEST_REPEATED_FILL_NANOS) {
            fill();
        }
        return new Times(
                lastFillNanos / (double) raceKeys.keys().length,
                watch.hitNanos(filter),
                watch.missNanos(filter),
                watch.bulkNanos(filter),
                watch.allocatedBytes(filter));
    }

    @Override
    public Tally play() {
        MembershipFilter filter = filter();
        stopwatch = null;
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

    private MembershipFilter fill() {
        Map<String, String> options = Filters.kinds().stream()
                .filter(known -> known.name().equals(kind))
                .findFirst()
                .map(known -> known.options())
                .orElse(Map.of());
        FilterSpec filterSpec = spec.filterSpec(raceKeys.keys().length, options);
        long start = ProcessorClock.nanos();
        try {
            return contender.fill(filterSpec, raceKeys.stored(), raceKeys.keys());
        } catch (FilterFullException e) {
            throw new IllegalArgumentException(
                    "kind " + kind + " has no room for " + raceKeys.keys().length + " keys at load " + spec.load()
                            + ": " + e.getMessage(),
                    e);
        } finally {
            lastFillNanos = ProcessorClock.nanos() - start;
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
