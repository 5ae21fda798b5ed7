package dev.besom.lab.advice;

import dev.besom.AdaptiveFilter;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.MembershipFilter;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.DistributionLearner;
import dev.besom.filters.Filters;
import dev.besom.hash.Mix;
import dev.besom.lab.race.Contenders;
import dev.besom.lab.race.ModelClasses;
import dev.besom.lab.workload.KeySource;
import dev.besom.lab.workload.QueryStream;
import dev.besom.spi.Kind;
import dev.besom.stored.RehashableMemoryHashes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A log of queries, asked of real filters in its order.
 *
 * <pre>
 *   log   | the earlier two thirds                     | the later third         |
 *           kinds learn from it what they can:           what each of them wastes
 *           repairs, or how likely a key is missed
 * </pre>
 *
 * A kind is judged by the later part, as it will be by what comes. How the later part differs from the earlier one says what
 * further drift would do.
 *
 * <p>Where keys or queries are very many, those of a random share of all keys stand for them.
 */
public final class LogReplay {

    private static final int MOST_KEYS = 1 << 17;
    private static final int MOST_QUERIES = 1 << 20;

    /** Of three parts of a log, two are earlier. */
    private static final int EARLIER = 2;

    private static final int PARTS = 3;
    /** Of a mean of what is wasted, as a part of its square: a standard deviation of a tenth. */
    private static final double WANTED_VARIANCE = 0.01;

    private static final int MOST_FILTERS = 24;
    private static final int FRESH_QUERIES = 1 << 17;
    private static final long FRESH_SEED = 0x64726966747321L;

    private final long[] keys;
    private final RehashableMemoryHashes stored;
    private final long[] queries;
    private final double[] costs;
    private final int split;
    private final int level;

    private final Optional<ModelClasses> model;

    /** The chance that two misses are for the same key. */
    private final double concentration;

    private LogReplay(long[] keys, long[] queries, double[] costs, int level, Optional<ModelClasses> model) {
        this.model = model;
        this.keys = keys;
        this.stored = RehashableMemoryHashes.of(keys);
        this.queries = queries;
        this.costs = costs;
        this.split = (int) ((long) queries.length * EARLIER / PARTS);
        this.level = level;
        this.concentration = concentration();
    }

    private double concentration() {
        long[] misses = Arrays.stream(queries)
                .filter(query -> !stored.contains(query))
                .sorted()
                .toArray();
        double pairs = 0;
        for (int from = 0; from < misses.length; ) {
            int to = from + 1;
            while (to < misses.length && misses[to] == misses[from]) {
                to++;
            }
            pairs += (double) (to - from) * (to - from);
            from = to;
        }
        return misses.length == 0 ? 1 : pairs / misses.length / misses.length;
    }

    /**
     * Reads keys and log.
     *
     * @param sample what both files are known to have
     * @throws IllegalArgumentException if a file is not what it should be
     */
    public static LogReplay of(KeySource keys, KeySource log, Sample sample) {
        int level = 0;
        while (Math.scalb(sample.keys(), -level) > MOST_KEYS
                || Math.scalb((double) sample.queries(), -level) > MOST_QUERIES) {
            level++;
        }
        Share stored = new Share(level);
        try (QueryStream stream = keys.open()) {
            stored.addAll(stream);
        }
        Share asked = new Share(level);
        try (QueryStream stream = log.open()) {
            asked.addAll(stream);
        }
        return new LogReplay(
                Arrays.stream(stored.hashes()).distinct().toArray(),
                asked.hashes(),
                asked.costs(),
                level,
                Optional.empty());
    }

    /** The same where kinds that know a distribution know what a model says of keys, in place of how often the log has them. */
    public LogReplay withModel(ModelClasses classes) {
        return new LogReplay(keys, queries, costs, level, Optional.of(classes));
    }

    /** What kinds that know a distribution learned it from. */
    String teacher() {
        return model.isPresent() ? "the model and the log" : "the log";
    }

    /** The keys of a stream whose mixed bits begin with so many zeros, with what a wasted read of each costs. */
    private static final class Share {

        private final int level;
        private long[] hashes = new long[1 << 10];
        private double[] costs = new double[1 << 10];
        private int size;

        Share(int level) {
            this.level = level;
        }

        void addAll(QueryStream stream) {
            while (stream.hasNext()) {
                long hash = stream.next();
                if (level > 0 && Mix.mix(hash) >>> (Long.SIZE - level) != 0) {
                    continue;
                }
                if (size == hashes.length) {
                    hashes = Arrays.copyOf(hashes, Math.multiplyExact(size, 2));
                    costs = Arrays.copyOf(costs, hashes.length);
                }
                hashes[size] = hash;
                costs[size++] = stream.cost();
            }
        }

        long[] hashes() {
            return Arrays.copyOf(hashes, size);
        }

        double[] costs() {
            return Arrays.copyOf(costs, size);
        }
    }

    /** Whether there is something to judge kinds by: misses in both parts. */
    public boolean canJudge() {
        return keys.length > 0 && missesFrom(0, split) > 0 && missesFrom(split, queries.length) > 0;
    }

    private long missesFrom(int from, int to) {
        long misses = 0;
        for (int i = from; i < to; i++) {
            misses += stored.contains(queries[i]) ? 0 : 1;
        }
        return misses;
    }

    /** The part of the later misses that are for keys that were not missed in the earlier part. */
    public double newMisses() {
        Set<Long> missed = new HashSet<>();
        for (int i = 0; i < split; i++) {
            if (!stored.contains(queries[i])) {
                missed.add(queries[i]);
            }
        }
        long misses = 0;
        long fresh = 0;
        for (int i = split; i < queries.length; i++) {
            if (!stored.contains(queries[i])) {
                misses++;
                fresh += missed.contains(queries[i]) ? 0 : 1;
            }
        }
        return misses == 0 ? 0 : (double) fresh / misses;
    }

    /** What became of the queries of a part. */
    private record Part(long misses, long wasted, double cost) {}

    /**
     * How many filters, of different seeds, are asked for a rate. What a filter wastes that repairs nothing is a matter of chance
     * where few keys are missed often: its variance, as a part of the squared mean, is the concentration over the rate.
     */
    private int filtersFor(double fpp) {
        double wanted = Math.ceil(concentration / fpp / WANTED_VARIANCE);
        // Where even the most would tell too little, one serves to show what happens.
        return wanted > 2 * MOST_FILTERS ? 1 : (int) Math.max(1, Math.min(MOST_FILTERS, wanted));
    }

    /** Whether what kinds waste can be compared: it is known to a seventh. */
    public boolean isEnoughFor(double fpp) {
        return concentration / fpp / filtersFor(fpp) <= 2 * WANTED_VARIANCE;
    }

    /** Asks the log of filters of a kind that are made for a rate; empty if there are none. */
    public Optional<Replayed> replay(Kind kind, double fpp) {
        List<Replayed> all = new ArrayList<>();
        for (int seed = 0; seed < filtersFor(fpp); seed++) {
            replay(kind, FilterSpec.of(keys.length, fpp).withSeed(seed)).ifPresent(all::add);
        }
        return all.isEmpty() ? Optional.empty() : Optional.of(Replayed.mean(all));
    }

    private Optional<Replayed> replay(Kind kind, FilterSpec spec) {
        boolean isLearned = Filters.takesDistribution(kind);
        try {
            // A store of its own: a kind may move what is stored.
            RehashableMemoryHashes own = RehashableMemoryHashes.of(keys);
            MembershipFilter filter = isLearned
                    ? learned(kind, spec)
                    : Contenders.find(kind.name(), 0).fill(spec, own, keys);
            double bitsPerKey = filter.sizeInBits() / (double) keys.length;
            double expected = filter.expectedFpp();
            Part early = ask(filter, 0, split);
            Part late = ask(filter, split, queries.length);
            return Optional.of(new Replayed(
                    kind,
                    bitsPerKey,
                    new Replayed.Rates(expected, rate(early), rate(late), freshRate(filter)),
                    new Replayed.Waste(
                            Math.scalb((double) early.wasted + late.wasted, level),
                            Math.scalb(early.cost + late.cost, level),
                            Math.scalb((double) late.wasted, level),
                            Math.scalb(late.cost, level))));
        } catch (IllegalArgumentException | FilterFullException e) {
            return Optional.empty();
        }
    }

    private static double rate(Part part) {
        return part.misses == 0 ? 0 : (double) part.wasted / part.misses;
    }

    /** A filter that knows how often each key of the earlier part was missed, or each class of them. */
    private MembershipFilter learned(Kind kind, FilterSpec spec) {
        Distribution distribution =
                model.isPresent() ? model.get().distribution(keys, earlyMisses()) : learnCounts(spec.fpp());
        MembershipFilter filter = Filters.makeHashFilter(kind, spec, distribution);
        ((InsertableFilter) filter).insertHashes(keys, 0, keys.length);
        return filter;
    }

    private long[] earlyMisses() {
        return Arrays.stream(queries, 0, split)
                .filter(query -> !stored.contains(query))
                .toArray();
    }

    private Distribution learnCounts(double fpp) {
        DistributionLearner learner = new DistributionLearner();
        for (long key : keys) {
            learner.addKey(key);
        }
        for (int i = 0; i < split; i++) {
            if (stored.contains(queries[i])) {
                learner.addHit();
            } else {
                learner.addMiss(queries[i]);
            }
        }
        return learner.learn(keys.length, fpp);
    }

    private Part ask(MembershipFilter filter, int from, int to) {
        long misses = 0;
        long wasted = 0;
        double cost = 0;
        for (int i = from; i < to; i++) {
            long query = queries[i];
            if (stored.contains(query)) {
                continue;
            }
            misses++;
            if (filter.mightContainHash(query)) {
                wasted++;
                cost += costs[i];
                if (filter instanceof AdaptiveFilter adaptive) {
                    adaptive.repairHash(query);
                }
            }
        }
        return new Part(misses, wasted, cost);
    }

    /** The rate of misses that are unlike any of the log: what is left if everything drifts. */
    private static double freshRate(MembershipFilter filter) {
        long maybes = 0;
        for (int i = 0; i < FRESH_QUERIES; i++) {
            maybes += filter.mightContainHash(Mix.expand(i, FRESH_SEED, 0)) ? 1 : 0;
        }
        return (double) maybes / FRESH_QUERIES;
    }
}
