package dev.besom.lab.race;

import dev.besom.Filters;
import dev.besom.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Several contenders on the same keys and the same queries.
 *
 * <pre>
 *   A: fill, warm up     B: fill, warm up     …         one after the other
 *   A: times  B: times  …  A: times  B: times  …        as often as asked for, in turn
 *   A: queries, all keys again   B: queries, …
 * </pre>
 *
 * <p>Times are taken in turn so that a disturbance of the machine hurts all alike, and before the queries, so that
 * they are those of a freshly filled filter. Only one contender is at work at any time. Several contenders get a JVM
 * each, unless told otherwise: what the compiler learned from one does not slow the next one down.
 */
public final class Race {

    private Race() {}

    /**
     * Runs a race.
     *
     * @param progress told what is going on, in a few words
     * @throws IllegalArgumentException if the spec asks for what a contender cannot do, or an input file is wrong
     * @throws java.io.UncheckedIOException if a file cannot be read or a JVM not be started
     */
    public static List<RaceResult> run(RaceSpec spec, Consumer<String> progress) {
        check(spec);
        boolean isIsolated = spec.isolate() && spec.kinds().size() > 1;
        List<Heat> heats = new ArrayList<>();
        try {
            List<Heat.Filled> filled = new ArrayList<>();
            List<List<Times>> times = new ArrayList<>();
            RaceKeys keys = isIsolated ? null : RaceKeys.of(spec);
            for (String kind : spec.kinds()) {
                progress.accept(kind + ": filling");
                long limitBits = filled.isEmpty() ? 0 : filled.get(0).sizeInBits();
                Heat heat = keys == null
                        ? new RemoteHeat(spec, kind, limitBits)
                        : new LocalHeat(spec, kind, limitBits, keys);
                heats.add(heat);
                filled.add(heat.prepare());
                times.add(new ArrayList<>());
            }
            for (int round = 0; round < spec.repeat(); round++) {
                for (int i = 0; i < heats.size(); i++) {
                    progress.accept(spec.kinds().get(i) + ": timing, " + (round + 1) + " of " + spec.repeat());
                    times.get(i).add(heats.get(i).time());
                }
            }
            List<RaceResult> results = new ArrayList<>();
            for (int i = 0; i < heats.size(); i++) {
                progress.accept(spec.kinds().get(i) + ": queries");
                Tally tally = heats.get(i).play();
                results.add(result(spec.kinds().get(i), filled.get(i), times.get(i), tally));
                heats.get(i).close();
            }
            return results;
        } finally {
            heats.forEach(Heat::close);
        }
    }

    private static void check(RaceSpec spec) {
        if (spec.kinds().get(0).equals(Contenders.MEMORY_LIMIT)) {
            throw new IllegalArgumentException(
                    Contenders.MEMORY_LIMIT + " takes its size from the first kind, so it cannot be that itself");
        }
        List<Kind> raced = Filters.kinds().stream()
                .filter(kind -> spec.kinds().contains(kind.name()))
                .toList();
        for (String option : spec.options().keySet()) {
            if (raced.stream().noneMatch(kind -> kind.options().containsKey(option))) {
                throw new IllegalArgumentException("none of the raced kinds has an option '" + option + "'");
            }
        }
    }

    private static RaceResult result(String kind, Heat.Filled filled, List<Times> times, Tally tally) {
        return new RaceResult(
                kind,
                filled.keyCount(),
                filled.sizeInBits() / (double) filled.keyCount(),
                Spread.of(times, Times::insertNs),
                Spread.of(times, Times::hitNs),
                Spread.of(times, Times::missNs),
                Spread.of(times, Times::bulkNs),
                Spread.of(times, Times::allocatedBytes).median(),
                tally);
    }
}
