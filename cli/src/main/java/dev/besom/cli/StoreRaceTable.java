package dev.besom.cli;

import dev.besom.lab.race.Contenders;
import dev.besom.lab.race.StoreResult;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Prints what lookups of missing keys cost before a real store, and what follows from it. */
final class StoreRaceTable {

    private static final int PER = 1000;

    /** Nearer than this is the same. */
    private static final double ALIKE = 1.1;

    private final List<StoreResult> results;
    private final Predicate<String> isAdaptive;

    /** @param isAdaptive whether a contender repairs its false positives */
    StoreRaceTable(List<StoreResult> results, Predicate<String> isAdaptive) {
        this.results = results;
        this.isAdaptive = isAdaptive;
    }

    void print(Console console, Width width) throws IOException {
        console.print("For 1,000 queries of keys that are not stored:");
        Table counts = new Table(
                "kind",
                ">bits/key",
                ">wasted reads",
                ">repair reads",
                ">repair writes",
                ">accesses",
                ">by the model",
                ">KiB touched");
        for (StoreResult result : results) {
            counts.row(
                    result.race().kind(),
                    Numbers.fixed(result.race().bitsPerKey(), 2),
                    per(result.wastedReads()),
                    per(result.repairReads()),
                    per(result.repairWrites()),
                    per(result.accesses()),
                    per(result.modelAccesses()),
                    Numbers.fixed(result.bytes() * PER / 1024, 1));
        }
        width.print(counts, console);
        console.print("");
        console.print("Microseconds for one of them, filter, store and repair together:");
        Table times = new Table("kind", ">mean", ">median", ">99 %", ">99.9 %");
        for (StoreResult result : results) {
            times.row(
                    result.race().kind(),
                    micros(result.latency().mean()),
                    micros(result.latency().median()),
                    micros(result.latency().p99()),
                    micros(result.latency().p999()));
        }
        width.print(times, console);
        Optional<String> verdict = verdict();
        if (verdict.isPresent()) {
            console.print("");
            for (String line : Table.wrap(verdict.get(), Table.TERMINAL_WIDTH)) {
                console.print(line);
            }
        }
    }

    private static String per(double each) {
        return Numbers.fixed(each * PER, 2);
    }

    private static String micros(double nanos) {
        return Numbers.fixed(nanos / 1000, 2);
    }

    /** Whether adaptivity pays, where there are contenders of both sorts. */
    private Optional<String> verdict() {
        Optional<StoreResult> adaptive = best(isAdaptive);
        Optional<StoreResult> fixed = best(isAdaptive.negate());
        if (adaptive.isEmpty() || fixed.isEmpty()) {
            return Optional.empty();
        }
        double ours = adaptive.get().accesses();
        double others = fixed.get().accesses();
        String both = adaptive.get().race().kind() + " makes " + per(ours) + " accesses to the store for 1,000 such"
                + " queries, repairs included, and " + fixed.get().race().kind() + " " + per(others) + ": ";
        if (others > ALIKE * ours) {
            return Optional.of(both + "adaptivity pays here.");
        }
        if (ours > ALIKE * others) {
            return Optional.of(both + "repairs do not pay here, "
                    + (fixed.get().race().kind().startsWith(Contenders.RIVAL_PREFIX)
                            ? "that rival is enough."
                            : "a filter that does not adapt is enough."));
        }
        return Optional.of(both + "they are alike here.");
    }

    private Optional<StoreResult> best(Predicate<String> sort) {
        return results.stream()
                .filter(result -> sort.test(result.race().kind()))
                .filter(result -> !result.race().kind().equals(Contenders.MEMORY_LIMIT))
                .min(Comparator.comparingDouble(StoreResult::accesses));
    }
}
