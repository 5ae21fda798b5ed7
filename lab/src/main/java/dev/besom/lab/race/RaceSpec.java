package dev.besom.lab.race;

import dev.besom.FilterSpec;
import dev.besom.lab.game.Strategy;
import dev.besom.lab.workload.Churn;
import dev.besom.lab.workload.Contest;
import dev.besom.lab.workload.KeySource;
import dev.besom.lab.workload.Recorded;
import dev.besom.lab.workload.Workload;
import dev.besom.lab.workload.Workloads;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is raced, checked.
 *
 * <pre>{@code
 *   RaceSpec.of("bloom", "telescoping").n(100_000).fpp(0.01).workload("zipf:1.1").toSpec()
 * }</pre>
 */
public final class RaceSpec {

    private final List<String> kinds;
    private final int n;
    private final double fpp;
    private final double load;
    private final String workload;
    private final long queries;
    private final double hits;
    private final long seed;
    private final Optional<KeySource> keySource;
    private final Optional<KeySource> querySource;
    private final Map<String, String> options;
    private final Timing timing;
    private final Samples samples;
    private final boolean equalMemory;

    private RaceSpec(Builder builder) {
        kinds = List.copyOf(builder.kinds);
        n = builder.n;
        fpp = builder.fpp;
        load = builder.load;
        workload = builder.workload;
        queries = builder.queries;
        hits = builder.hits;
        seed = builder.seed;
        keySource = Optional.ofNullable(builder.keySource);
        querySource = Optional.ofNullable(builder.querySource);
        options = Collections.unmodifiableMap(new TreeMap<>(builder.options));
        timing = builder.timing;
        samples = builder.samples;
        equalMemory = builder.equalMemory;
        check(!kinds.isEmpty(), "no kind to race");
        check(n >= 1, "n must be at least 1, not " + n);
        check(fpp > 0 && fpp < 1, "the false-positive rate must be above 0 and below 1, not " + fpp);
        check(load > 0 && load <= 1, "the load must be above 0 and at most 1, not " + load);
        check(queries >= 0, "the number of queries must not be negative, but is " + queries);
        check(hits >= 0 && hits <= 1, "the share of hits must be from 0 to 1, not " + hits);
        for (String kind : kinds) {
            Contenders.find(kind, 0);
            if (timing.ofTexts()) {
                Contenders.checkTakesTexts(kind);
            }
        }
        check(
                querySource.isPresent() || !timing.aged() || !(Workloads.parse(workload) instanceof Churn),
                "churn changes the keys, so that no times can be taken after it");
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

    /** Begins a race of these contenders; ratios are to the first. */
    public static Builder of(List<String> kinds) {
        return new Builder(kinds);
    }

    /** Begins a race of these contenders; ratios are to the first. */
    public static Builder of(String... kinds) {
        return of(List.of(kinds));
    }

    /** The contenders' names. */
    public List<String> kinds() {
        return kinds;
    }

    /** How many keys are stored, where they are not those of a source. */
    public int n() {
        return n;
    }

    /** The false-positive rate that filters are planned for. */
    public double fpp() {
        return fpp;
    }

    /** The part of the planned capacity that is filled. */
    public double load() {
        return load;
    }

    /** A name of {@link Workloads}. */
    public String workload() {
        return workload;
    }

    /** How many queries there are. */
    public long queries() {
        return queries;
    }

    /** The share of queries for stored keys. */
    public double hits() {
        return hits;
    }

    /** What keys, queries and filters are drawn from. */
    public long seed() {
        return seed;
    }

    /** The user's own keys. */
    public Optional<KeySource> keySource() {
        return keySource;
    }

    /** The user's own queries. */
    public Optional<KeySource> querySource() {
        return querySource;
    }

    /** Options of the kinds by name. */
    public Map<String, String> options() {
        return options;
    }

    /** How times are taken. */
    public Timing timing() {
        return timing;
    }

    /** What kinds that know the distribution learn it from. */
    public Samples samples() {
        return samples;
    }

    /** Whether every kind gets the memory of the first one, and is planned for the lowest rate that fits into it. */
    public boolean equalMemory() {
        return equalMemory;
    }

    /** A race like this one, to be changed. */
    public Builder toBuilder() {
        Builder builder = of(kinds)
                .n(n)
                .fpp(fpp)
                .load(load)
                .workload(workload)
                .queries(queries)
                .hits(hits)
                .seed(seed)
                .options(options)
                .timing(timing)
                .samples(samples)
                .equalMemory(equalMemory);
        builder.keySource = keySource.orElse(null);
        builder.querySource = querySource.orElse(null);
        return builder;
    }

    /** The workload, recorded or generated. */
    Workload workloadOfRace() {
        return querySource.<Workload>map(Recorded::new).orElseGet(() -> Workloads.parse(workload));
    }

    /** What a filter for that many keys should be, with those of the options that the kind has. */
    FilterSpec filterSpec(long keyCount, Map<String, String> kindOptions) {
        Map<String, String> known = new TreeMap<>(options);
        known.keySet().retainAll(kindOptions.keySet());
        long capacity = Math.max(1, (long) Math.ceil(keyCount / load));
        return new FilterSpec(capacity, fpp, seed, known);
    }

    /** A race in the making: everything but the contenders has a default. */
    public static final class Builder {

        private final List<String> kinds;
        private int n = 1_000_000;
        private double fpp = 0.01;
        private double load = 1;
        private String workload = "uniform";
        private long queries = 1_000_000;
        private double hits;
        private long seed = 1;
        private @Nullable KeySource keySource;
        private @Nullable KeySource querySource;
        private Map<String, String> options = Map.of();
        private Timing timing = Timing.DEFAULT;
        private Samples samples = Samples.NONE;
        private boolean equalMemory;

        private Builder(List<String> kinds) {
            this.kinds = kinds;
        }

        /** How many keys are stored; without effect where they come from a source. */
        public Builder n(int count) {
            n = count;
            return this;
        }

        /** The false-positive rate that filters are planned for. */
        public Builder fpp(double rate) {
            fpp = rate;
            return this;
        }

        /** The part of the planned capacity that is filled; filters are planned for {@code n / load} keys. */
        public Builder load(double part) {
            load = part;
            return this;
        }

        /** A name of {@link Workloads}; without effect where queries come from a source. */
        public Builder workload(String name) {
            workload = name;
            return this;
        }

        /** How many queries there are; a source may end before, and an adversary takes as many as it needs. */
        public Builder queries(long count) {
            queries = count;
            return this;
        }

        /** The share of queries that are for stored keys, mixed into a generated workload. */
        public Builder hits(double share) {
            hits = share;
            return this;
        }

        /** What keys, queries and filters are drawn from. */
        public Builder seed(long newSeed) {
            seed = newSeed;
            return this;
        }

        /** Stores the keys of a source. */
        public Builder keys(KeySource source) {
            keySource = source;
            return this;
        }

        /** Looks up the keys of a source. */
        public Builder queries(KeySource source) {
            querySource = source;
            return this;
        }

        /** Options of the kinds by name; each goes to the kinds that have it. */
        public Builder options(Map<String, String> byName) {
            options = byName;
            return this;
        }

        /** How times are taken. */
        public Builder timing(Timing newTiming) {
            timing = newTiming;
            return this;
        }

        /** What kinds that know the distribution learn it from. */
        public Builder samples(Samples newSamples) {
            samples = newSamples;
            return this;
        }

        /** Gives every kind the memory of the first one, whatever the rate. */
        public Builder equalMemory(boolean isEqual) {
            equalMemory = isEqual;
            return this;
        }

        /**
         * The race.
         *
         * @throws IllegalArgumentException if it cannot be
         */
        public RaceSpec toSpec() {
            return new RaceSpec(this);
        }
    }
}
