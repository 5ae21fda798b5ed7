package dev.besom.lab.race;

import dev.besom.filters.Filters;
import dev.besom.lab.workload.KeySource;
import dev.besom.lab.workload.QueryStream;
import dev.besom.spi.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Several contenders on the same keys and the same queries.
 *
 * <pre>
 *   A: warm up, fill, times   B: warm up, fill, times   …       the first round
 *   A: warm up, fill, times   B: warm up, fill, times   …       as many as asked for
 *   …
 *   A: …, queries, all keys again   B: …, queries, …            the last one
 * </pre>
 *
 * <p>Rounds go from contender to contender so that a disturbance of the machine hurts all alike. Several contenders get
 * a JVM each in each round, unless told otherwise: what the compiler learned from one does not slow the next one down,
 * and where a JVM happened to put its memory and what it happened to compile counts for one measurement and not for all.
 * Times come before the queries, so that they are those of a freshly filled filter; where those of an aged one are
 * wanted, the queries come first each time. Only one contender is at work at any time.
 */
public final class Race {

    private Race() {}

    /**
     * Runs a race.
     *
     * @param progress told what is going on, in a few words, {@link #steps(RaceSpec)} times
     * @throws IllegalArgumentException if the spec asks for what a contender cannot do, or an input file is wrong
     * @throws java.io.UncheckedIOException if a file cannot be read or a JVM not be started
     */
    public static List<RaceResult> run(RaceSpec spec, Consumer<String> progress) {
        check(spec);
        if (!spec.timing().isolate() || spec.kinds().size() == 1) {
            RaceKeys keys = RaceKeys.of(spec);
            return run(spec, false, progress, (kind, limitBits) -> new LocalHeat(spec, kind, limitBits, keys));
        }
        try (Spools spools = new Spools()) {
            RaceSpec spooled = spools.spool(spec);
            return run(spec, true, progress, (kind, limitBits) -> new RemoteHeat(spooled, kind, limitBits));
        }
    }

    /** Opens the heat of a contender. */
    @FunctionalInterface
    private interface HeatOpener {
        Heat open(String kind, long limitBits);
    }

    private static List<RaceResult> run(
            RaceSpec spec, boolean isIsolated, Consumer<String> progress, HeatOpener opener) {
        List<Lane> lanes = spec.kinds().stream().map(Lane::new).toList();
        try {
            for (int round = 1; round <= rounds(spec); round++) {
                for (Lane lane : lanes) {
                    progress.accept(lane.kind + ": round " + round + " of " + rounds(spec));
                    long limitBits = lanes.get(0).sizeInBits();
                    lane.prepare(() -> opener.open(lane.kind, limitBits));
                    if (spec.timing().isTaken()) {
                        lane.time();
                    }
                    if (round == rounds(spec)) {
                        progress.accept(lane.kind + ": queries");
                        lane.play();
                    }
                    if (isIsolated || round == rounds(spec)) {
                        lane.close();
                    }
                }
            }
            return lanes.stream().map(Lane::result).toList();
        } finally {
            lanes.forEach(Lane::close);
        }
    }

    /** How often a race tells what is going on. */
    public static long steps(RaceSpec spec) {
        return (rounds(spec) + 1L) * spec.kinds().size();
    }

    private static int rounds(RaceSpec spec) {
        return Math.max(1, spec.timing().repeat());
    }

    /** Refuses what no contender can do, and files that are empty. */
    static void check(RaceSpec spec) {
        if (Contenders.takesMemoryOfFirst(spec.kinds().get(0))) {
            throw new IllegalArgumentException(
                    spec.kinds().get(0) + " takes its size from the first kind, so it cannot be that itself");
        }
        List<Kind> raced = spec.kinds().stream()
                .map(Contenders::kind)
                .flatMap(Optional::stream)
                .toList();
        for (String option : spec.options().keySet()) {
            if (raced.stream().noneMatch(kind -> kind.options().containsKey(option))) {
                throw new IllegalArgumentException("none of the raced kinds has an option '" + option + "'");
            }
        }
        if (spec.samples().queries().isPresent() && raced.stream().noneMatch(Filters::takesDistribution)) {
            throw new IllegalArgumentException("none of the raced kinds can use what samples tell");
        }
        // Found out before minutes of timing, not after them.
        spec.keySource().ifPresent(source -> checkNotEmpty(source, "keys"));
        spec.querySource().ifPresent(source -> checkNotEmpty(source, "queries"));
        spec.samples().queries().ifPresent(source -> checkNotEmpty(source, "keys"));
        spec.samples().keys().ifPresent(source -> checkNotEmpty(source, "keys"));
    }

    private static void checkNotEmpty(KeySource source, String what) {
        try (QueryStream stream = source.open()) {
            if (!stream.hasNext()) {
                throw new IllegalArgumentException(source.name() + ": no " + what);
            }
        }
    }

    /** Files of hashes that stand for the sources of a race in other JVMs. */
    private static final class Spools implements AutoCloseable {
        private final List<SpooledKeys> files = new ArrayList<>();

        RaceSpec spool(RaceSpec spec) {
            RaceSpec.Builder builder = spec.toBuilder();
            spec.keySource().ifPresent(source -> builder.keys(spool(source, Long.MAX_VALUE)));
            spec.querySource().ifPresent(source -> builder.queries(spool(source, spec.queries())));
            Samples samples = spec.samples();
            return builder.samples(new Samples(
                            samples.keys().map(source -> spool(source, Long.MAX_VALUE)),
                            samples.queries().map(source -> spool(source, Long.MAX_VALUE))))
                    .toSpec();
        }

        private SpooledKeys spool(KeySource source, long most) {
            SpooledKeys spooled = SpooledKeys.of(source, most);
            files.add(spooled);
            return spooled;
        }

        @Override
        public void close() {
            files.forEach(SpooledKeys::close);
        }
    }

    /** One contender through all rounds. */
    private static final class Lane {
        private final String kind;
        private final List<Times> times = new ArrayList<>();
        private @Nullable Heat heat;
        private Heat.@Nullable Filled filled;
        private @Nullable Tally tally;

        Lane(String kind) {
            this.kind = kind;
        }

        /** The memory of its filter; 0 before there is one. */
        long sizeInBits() {
            return filled == null ? 0 : filled.sizeInBits();
        }

        /** Goes on with the heat of the round before, where it was not closed. */
        void prepare(Supplier<Heat> opening) {
            if (heat == null) {
                heat = opening.get();
                filled = heat.prepare();
            }
        }

        void time() {
            times.add(open().time());
        }

        void play() {
            tally = open().play();
        }

        void close() {
            if (heat != null) {
                heat.close();
                heat = null;
            }
        }

        private Heat open() {
            return Objects.requireNonNull(heat, "prepare first");
        }

        RaceResult result() {
            Heat.Filled last = Objects.requireNonNull(filled);
            return new RaceResult(
                    kind,
                    last.keyCount(),
                    last.sizeInBits() / (double) last.keyCount(),
                    TimeSpreads.of(times),
                    Objects.requireNonNull(tally));
        }
    }
}
