package dev.besom.lab.advice;

import dev.besom.AdaptiveFilter;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.MembershipFilter;
import dev.besom.bits.Bitmaps;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.DistributionLearner;
import dev.besom.filters.Filters;
import dev.besom.hash.Mix;
import dev.besom.lab.race.Contenders;
import dev.besom.lab.race.ModelClasses;
import dev.besom.lab.race.StoredKeys;
import dev.besom.lab.workload.KeySource;
import dev.besom.lab.workload.QueryStream;
import dev.besom.spi.Kind;
import dev.besom.stored.RehashableMemoryHashes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;

/**
 * A log of queries, replayed against real filters in its order.
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

    /** An adaptive filter pays for a false positive about once: so many make a mean good to a tenth. */
    private static final long ENOUGH_WASTED = 100;

    /** Shared by the filters of a kind, but for adaptive ones, of which one may be enough. */
    private static final int FRESH_QUERIES = 1 << 17;

    private static final long FRESH_SEED = 0x64726966747321L;

    private final long[] keys;

    /** The queries for keys that are not stored, in their order, and what a wasted read of each costs. */
    private final long[] misses;

    private final double[] costs;

    /** As many misses are in the earlier part. */
    private final int split;

    /** Hits in the earlier part. */
    private final long hits;

    private final int level;

    /** The different misses, ascending. */
    private final long[] distinct;

    /** By miss, its place among the different ones. */
    private final int[] places;

    private final Optional<ModelClasses> model;

    /** The chance that two misses are for the same key. */
    private final double concentration;

    /** What the earlier part tells of how likely keys are missed, by rate. */
    private final Map<Double, Distribution> learned = new ConcurrentHashMap<>();

    private LogReplay(long[] keys, long[] queries, double[] costs, int level) {
        this.model = Optional.empty();
        this.keys = keys;
        this.level = level;
        StoredKeys stored = new StoredKeys(keys);
        int later = (int) ((long) queries.length * EARLIER / PARTS);
        long[] missed = new long[queries.length];
        double[] missedCosts = new double[queries.length];
        int size = 0;
        int early = 0;
        for (int i = 0; i < queries.length; i++) {
            if (!stored.contains(queries[i])) {
                missed[size] = queries[i];
                missedCosts[size++] = costs[i];
                early += i < later ? 1 : 0;
            }
        }
        this.misses = Arrays.copyOf(missed, size);
        this.costs = Arrays.copyOf(missedCosts, size);
        this.split = early;
        this.hits = (long) later - early;
        this.distinct = Arrays.stream(misses).sorted().distinct().toArray();
        this.places = new int[size];
        int[] counts = new int[distinct.length];
        for (int i = 0; i < size; i++) {
            places[i] = Arrays.binarySearch(distinct, misses[i]);
            counts[places[i]]++;
        }
        double pairs = Arrays.stream(counts)
                .mapToDouble(count -> (double) count * count)
                .sum();
        this.concentration = size == 0 ? 1 : pairs / size / size;
    }

    private LogReplay(LogReplay other, ModelClasses classes) {
        this.keys = other.keys;
        this.misses = other.misses;
        this.costs = other.costs;
        this.split = other.split;
        this.hits = other.hits;
        this.level = other.level;
        this.distinct = other.distinct;
        this.places = other.places;
        this.concentration = other.concentration;
        this.model = Optional.of(classes);
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
        return new LogReplay(Arrays.stream(stored.hashes()).distinct().toArray(), asked.hashes(), asked.costs(), level);
    }

    /** The same where kinds that know a distribution know what a model says of keys, in place of how often the log has them. */
    public LogReplay withModel(ModelClasses classes) {
        return new LogReplay(this, classes);
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
        return keys.length > 0 && split > 0 && split < misses.length;
    }

    /** The part of the later misses that are for keys that were not missed in the earlier part. */
    public double newMisses() {
        boolean[] isKnown = new boolean[distinct.length];
        for (int i = 0; i < split; i++) {
            isKnown[places[i]] = true;
        }
        long fresh = 0;
        for (int i = split; i < misses.length; i++) {
            fresh += isKnown[places[i]] ? 0 : 1;
        }
        return split == misses.length ? 0 : (double) fresh / (misses.length - split);
    }

    /** What became of the queries of a part. */
    private record Part(long misses, long wasted, double cost) {}

    /**
     * How many filters, of different seeds, the log is replayed against for a rate. What a filter wastes that repairs nothing is a
     * matter of chance where few keys are missed often: its variance, as a part of the squared mean, is the concentration over the
     * rate.
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

    /** Replays the log against filters of a kind that are made for a rate; empty if there are none. */
    public Optional<Replayed> replay(Kind kind, double fpp) {
        List<Replayed> all = new ArrayList<>();
        double wasted = 0;
        for (int seed = 0; seed < filtersFor(fpp) && !(kind.isAdaptive() && wasted >= ENOUGH_WASTED); seed++) {
            Optional<Replayed> one =
                    replay(kind, FilterSpec.of(keys.length, fpp).withSeed(seed));
            if (one.isEmpty()) {
                break;
            }
            wasted += Math.scalb(one.get().waste().late(), -level);
            all.add(one.get());
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
            IntPredicate isWasted = filter instanceof AdaptiveFilter adaptive ? told(adaptive) : answered(filter);
            Part early = ask(isWasted, 0, split);
            Part late = ask(isWasted, split, misses.length);
            return Optional.of(new Replayed(
                    kind,
                    bitsPerKey,
                    new Replayed.Rates(expected, rate(early), rate(late), freshRate(filter, spec.fpp())),
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
        Distribution distribution = learned.computeIfAbsent(spec.fpp(), this::learn);
        MembershipFilter filter = Filters.makeHashFilter(kind, spec, distribution);
        ((InsertableFilter) filter).insertHashes(keys, 0, keys.length);
        return filter;
    }

    private Distribution learn(double fpp) {
        if (model.isPresent()) {
            return model.get().distribution(keys, Arrays.copyOf(misses, split));
        }
        DistributionLearner learner = new DistributionLearner();
        for (long key : keys) {
            learner.addKey(key);
        }
        for (int i = 0; i < split; i++) {
            learner.addMiss(misses[i]);
        }
        for (long i = 0; i < hits; i++) {
            learner.addHit();
        }
        return learner.learn(keys.length, fpp);
    }

    /** Whether the miss at a place of the log is a false positive of a filter that is told of each of them. */
    private IntPredicate told(AdaptiveFilter filter) {
        return place -> {
            boolean isWrong = filter.mightContainHash(misses[place]);
            if (isWrong) {
                filter.repairHash(misses[place]);
            }
            return isWrong;
        };
    }

    /** The same of a filter that answers a key the same way each time: each is asked once. */
    private IntPredicate answered(MembershipFilter filter) {
        long[] answers = Bitmaps.allocate(distinct.length);
        filter.mightContainHashes(distinct, 0, distinct.length, answers);
        return place -> Bitmaps.get(answers, places[place]);
    }

    private Part ask(IntPredicate isWasted, int from, int to) {
        long wasted = 0;
        double cost = 0;
        for (int i = from; i < to; i++) {
            if (isWasted.test(i)) {
                wasted++;
                cost += costs[i];
            }
        }
        return new Part((long) to - from, wasted, cost);
    }

    /** The rate of misses that are unlike any of the log: what is left if everything drifts. */
    private double freshRate(MembershipFilter filter, double fpp) {
        int queries = filter instanceof AdaptiveFilter ? FRESH_QUERIES : FRESH_QUERIES / filtersFor(fpp);
        long maybes = 0;
        for (int i = 0; i < queries; i++) {
            maybes += filter.mightContainHash(Mix.expand(i, FRESH_SEED, 0)) ? 1 : 0;
        }
        return (double) maybes / queries;
    }
}
