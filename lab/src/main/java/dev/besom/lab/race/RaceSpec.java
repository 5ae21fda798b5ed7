package dev.besom.lab.race;

import dev.besom.FilterSpec;
import dev.besom.lab.game.Strategy;
import dev.besom.lab.keys.KeyFormat;
import dev.besom.lab.workload.Contest;
import dev.besom.lab.workload.KeyFile;
import dev.besom.lab.workload.Workload;
import dev.besom.lab.workload.Workloads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is raced, checked.
 *
 * @param kinds the contenders' names; ratios are to the first
 * @param n how many keys are stored; not looked at where they come from a file
 * @param fpp the false-positive rate that filters are planned for
 * @param load the part of the planned capacity that is filled; filters are planned for {@code n / load} keys
 * @param workload a name of {@link Workloads}; not looked at where queries come from a file
 * @param queries how many queries are asked; a file may end before, and an adversary asks as many as it needs
 * @param hits the share of queries that are for stored keys, mixed into a generated workload
 * @param seed what keys, queries and filters are drawn from
 * @param keysFile the user's own keys
 * @param queriesFile the user's own queries
 * @param format how keys stand in the files
 * @param options options of the kinds by name; each goes to the kinds that have it
 * @param timing how times are taken
 * @param samples what kinds that know the distribution learn it from
 */
public record RaceSpec(
        List<String> kinds,
        int n,
        double fpp,
        double load,
        String workload,
        long queries,
        double hits,
        long seed,
        Optional<Path> keysFile,
        Optional<Path> queriesFile,
        KeyFormat format,
        Map<String, String> options,
        Timing timing,
        Samples samples) {

    public RaceSpec {
        kinds = List.copyOf(kinds);
        options = Collections.unmodifiableMap(new TreeMap<>(options));
        check(!kinds.isEmpty(), "no kind to race");
        check(n >= 1, "n must be at least 1, not " + n);
        check(fpp > 0 && fpp < 1, "the false-positive rate must be above 0 and below 1, not " + fpp);
        check(load > 0 && load <= 1, "the load must be above 0 and at most 1, not " + load);
        check(queries >= 0, "the number of queries must not be negative, but is " + queries);
        check(hits >= 0 && hits <= 1, "the share of hits must be from 0 to 1, not " + hits);
        for (String kind : kinds) {
            Contenders.find(kind, 0);
        }
        if (Workloads.parse(workload) instanceof Contest contest) {
            check(
                    !Strategy.of(contest.strategy()).changesKeys(),
                    "the strategy " + contest.strategy() + " changes keys, which those of a race do not");
        }
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    /** A race with everything but these four left at its default. */
    public static RaceSpec of(List<String> kinds, int n, double fpp, String workload) {
        return new RaceSpec(
                kinds,
                n,
                fpp,
                1,
                workload,
                1_000_000,
                0,
                1,
                Optional.empty(),
                Optional.empty(),
                KeyFormat.LINES,
                Map.of(),
                Timing.DEFAULT,
                Samples.NONE);
    }

    /** The same race with times taken in another way. */
    public RaceSpec with(Timing changed) {
        return new RaceSpec(
                kinds,
                n,
                fpp,
                load,
                workload,
                queries,
                hits,
                seed,
                keysFile,
                queriesFile,
                format,
                options,
                changed,
                samples);
    }

    /** The workload, from a file or generated. */
    Workload workloadOfRace() {
        return queriesFile
                .<Workload>map(file -> new KeyFile(file, format, seed))
                .orElseGet(() -> Workloads.parse(workload));
    }

    /** What a filter for that many keys should be, with those of the options that the kind has. */
    FilterSpec filterSpec(long keyCount, Map<String, String> kindOptions) {
        Map<String, String> known = new TreeMap<>(options);
        known.keySet().retainAll(kindOptions.keySet());
        long capacity = Math.max(1, (long) Math.ceil(keyCount / load));
        return new FilterSpec(capacity, fpp, seed, known);
    }

    /** The spec for one of the kinds alone, as words that {@link #parse(List)} understands. */
    List<String> words(String kind) {
        List<String> words = new ArrayList<>(List.of(
                "kind=" + kind,
                "n=" + n,
                "fpp=" + fpp,
                "load=" + load,
                "workload=" + workload,
                "queries=" + queries,
                "hits=" + hits,
                "seed=" + seed,
                "format=" + format.label(),
                "repeat=" + timing.repeat(),
                "aged=" + timing.aged()));
        keysFile.ifPresent(file -> words.add("keys=" + file));
        queriesFile.ifPresent(file -> words.add("queries-file=" + file));
        samples.keys().ifPresent(file -> words.add("sample-keys=" + file));
        samples.queries().ifPresent(file -> words.add("sample-queries=" + file));
        options.forEach((name, value) -> words.add("option:" + name + "=" + value));
        return words;
    }

    /** The spec of {@link #words(String)}. */
    static RaceSpec parse(List<String> words) {
        Map<String, String> values = new TreeMap<>();
        Map<String, String> options = new TreeMap<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            String name = word.substring(0, equals);
            String value = word.substring(equals + 1);
            if (name.startsWith("option:")) {
                options.put(name.substring("option:".length()), value);
            } else {
                values.put(name, value);
            }
        }
        return new RaceSpec(
                List.of(value(values, "kind")),
                Integer.parseInt(value(values, "n")),
                Double.parseDouble(value(values, "fpp")),
                Double.parseDouble(value(values, "load")),
                value(values, "workload"),
                Long.parseLong(value(values, "queries")),
                Double.parseDouble(value(values, "hits")),
                Long.parseLong(value(values, "seed")),
                Optional.ofNullable(values.get("keys")).map(Path::of),
                Optional.ofNullable(values.get("queries-file")).map(Path::of),
                KeyFormat.of(value(values, "format")),
                options,
                new Timing(
                        Integer.parseInt(value(values, "repeat")), false, Boolean.parseBoolean(value(values, "aged"))),
                new Samples(
                        Optional.ofNullable(values.get("sample-keys")).map(Path::of),
                        Optional.ofNullable(values.get("sample-queries")).map(Path::of)));
    }

    private static String value(Map<String, String> values, String name) {
        @Nullable String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no word says what " + name + " is");
        }
        return value;
    }
}
