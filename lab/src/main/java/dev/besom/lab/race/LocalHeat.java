package dev.besom.lab.race;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.InsertableKeyFilter;
import dev.besom.LongKeyFilter;
import dev.besom.MembershipFilter;
import dev.besom.StoredHashes;
import dev.besom.distribution.Distribution;
import dev.besom.filters.Filters;
import dev.besom.hash.KeyHasher;
import dev.besom.lab.game.Play;
import dev.besom.lab.game.Strategy;
import dev.besom.lab.peer.EqualMemory;
import dev.besom.lab.peer.KnownMisses;
import dev.besom.lab.peer.TextFilter;
import dev.besom.lab.peer.TextPeers;
import dev.besom.lab.workload.Adversary;
import dev.besom.lab.workload.Churn;
import dev.besom.lab.workload.Contest;
import dev.besom.lab.workload.HitMix;
import dev.besom.lab.workload.KeySpace;
import dev.besom.lab.workload.QueryStream;
import dev.besom.lab.workload.Workload;
import dev.besom.spi.Kind;
import dev.besom.stored.RehashableMemoryHashes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A contender's part of a race, in this JVM. */
final class LocalHeat implements Heat {

    /**
     * Filling is warmed up by many small filters, so that methods which fill a whole filter are compiled as such and not
     * only within a run, and then by some larger ones. None is larger than this: what is compiled is compiled.
     */
    private static final int SMALL_FILL = 1 << 12;

    private static final int LARGE_FILL = 1 << 18;
    private static final long SMALL_FILLS = Pace.part(600);
    private static final long FILL_WARM_UP_NANOS = Pace.part(250_000_000);
    private static final long LONGEST_FILL_WARM_UP_NANOS = 4 * FILL_WARM_UP_NANOS;

    private final RaceSpec spec;
    private final String kind;
    private final Contender contender;
    private final RaceKeys raceKeys;

    /** The memory of the first contender; 0 for that itself. */
    private final long firstBits;

    /** What filters of so many keys are planned for. */
    private final Map<Integer, FilterSpec> filterSpecs = new HashMap<>();

    private final Filling filling;

    /** What was filled and not timed yet. */
    private Filling.@Nullable Done fresh;

    private Filling.@Nullable Done filled;
    private @Nullable Stopwatch stopwatch;

    private @Nullable RaceStore store;
    private @Nullable Latencies latencies;

    /** How the queries before the last times went. */
    private @Nullable Tally aging;

    LocalHeat(RaceSpec spec, String kind, long limitBits, RaceKeys raceKeys) {
        this.spec = spec;
        this.kind = kind;
        this.raceKeys = raceKeys;
        this.firstBits = limitBits;
        this.contender = spec.samples().queries().isPresent() && takesDistribution(kind)
                ? Contenders.knowing(kind, learn(spec, raceKeys.keys()))
                : Contenders.find(kind, this::firstBitsFor, this::log);
        this.filling = new Filling(contender, this::storeOf);
    }

    /** The queries that will be asked, as a log of yesterday that is better than any log can be. */
    private KnownMisses log() {
        Workload workload = spec.workloadOfRace();
        KeySpace space = new KeySpace(spec.seed());
        if (workload instanceof Workload.Stream stream) {
            try (QueryStream queries = stream.open(space, raceKeys.keys().length)) {
                return KnownMisses.of(queries, spec.queries(), raceKeys.stored()::contains);
            }
        }
        if (workload instanceof Churn churn) {
            try (QueryStream queries = churn.strangers(space, raceKeys.keys().length)) {
                return KnownMisses.of(queries, spec.queries(), raceKeys.stored()::contains);
            }
        }
        return KnownMisses.NONE;
    }

    private static boolean takesDistribution(String kind) {
        return Contenders.kind(kind).filter(Filters::takesDistribution).isPresent();
    }

    /** Before the race, and not timed: samples are learned from once, filters made often. */
    private static Distribution learn(RaceSpec spec, long[] keys) {
        FilterSpec filterSpec = spec.filterSpec(keys.length, Map.of());
        return spec.samples().learn(keys, (double) filterSpec.capacity(), spec.fpp());
    }

    /** The same before a real store, which holds the keys; what queries take is kept. */
    LocalHeat before(RaceStore realStore) {
        store = realStore;
        latencies = new Latencies();
        return this;
    }

    /** What a query for a key that is not stored took before the real store. */
    StoreResult.Latency latency() {
        Latencies taken = Objects.requireNonNull(latencies, "no store");
        return new StoreResult.Latency(taken.mean(), taken.quantile(0.5), taken.quantile(0.99), taken.quantile(0.999));
    }

    /** The rate of a fresh query of the filter. */
    double expectedFpp() {
        return filled().filter().expectedFpp();
    }

    @Override
    public Filled prepare() {
        if (spec.timing().isTaken() && !spec.timing().ofTexts()) {
            warmUpFill(SMALL_FILL, SMALL_FILLS);
            warmUpFill(LARGE_FILL, 1);
            fresh = fill(raceKeys, filling::oneByOne);
            stopwatch = new Stopwatch(raceKeys.keys(), new KeySpace(spec.seed()));
        } else {
            fresh = fill(raceKeys, filling::atOnce);
        }
        filled = fresh;
        return new Filled(raceKeys.keys().length, fresh.filter().sizeInBits());
    }

    /** Fills filters with the first keys until it was done often enough and long enough, or for too long. */
    private void warmUpFill(int mostKeys, long leastFills) {
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
        if (spec.timing().ofTexts()) {
            return new TextTimes(this::emptyOfTexts).of(raceKeys.keys(), spec.seed());
        }
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
        filled = single;
        if (spec.timing().aged()) {
            aging = play(single);
        }
        Times.Fill fill = new Times.Fill(single.nanosPerKey(), bulkNanos);
        if (!contender.takesHashes()) {
            return new Times(fill, watch.ofNumbers(filter), Times.Queries.NONE, watch.allocatedBytesOfNumbers(filter));
        }
        LongKeyFilter keys = Filters.of(filter, Preimages.HASHER);
        return new Times(fill, watch.ofKeys(keys), watch.ofNumbers(filter), watch.allocatedBytesOfKeys(keys));
    }

    /** An empty filter of texts: another library's with its own hashing, a kind with the hasher of UTF-8. */
    private TextFilter emptyOfTexts(String[] texts) {
        FilterSpec planned = filterSpec(texts.length);
        if (kind.startsWith(Contenders.PEER_PREFIX)) {
            return TextPeers.empty(kind.substring(Contenders.PEER_PREFIX.length()), planned);
        }
        KeyHasher<CharSequence> hasher = KeyHasher.utf8();
        StoredHashes hashes = contender.isBoundToStore()
                ? RehashableMemoryHashes.of(
                        Arrays.stream(texts).mapToLong(hasher::hash).toArray())
                : StoredHashes.none();
        InsertableKeyFilter<CharSequence> filter =
                Filters.of(contender.empty(planned, hashes), hasher).asInsertable();
        return new TextFilter(filter::add, filter::mightContain);
    }

    @Override
    public Tally play() {
        Tally played = aging;
        stopwatch = null;
        return played != null ? played : play(filled());
    }

    private Tally play(Filling.Done done) {
        KeySpace space = new KeySpace(spec.seed());
        Workload workload = spec.workloadOfRace();
        if (workload instanceof Churn churn) {
            return play(churn, done, space);
        }
        Referee referee = new Referee(done.filter(), dictionary(), latencies);
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

    private Tally play(Churn churn, Filling.Done done, KeySpace space) {
        if (!(done.filter() instanceof InsertableFilter filter)
                || !(done.store() instanceof RehashableMemoryHashes store)) {
            throw new IllegalArgumentException(
                    "kind " + kind + " takes no keys once it is built, so it has no part in " + churn.name());
        }
        ChangingKeys keys = new ChangingKeys(raceKeys.keys(), store, filter);
        Referee referee = new Referee(filter, keys);
        try {
            new Turnover(keys, space).play(churn, referee, spec.queries(), spec.hits());
        } catch (FilterFullException e) {
            throw new IllegalArgumentException("kind " + kind + " runs full while keys change: " + e.getMessage(), e);
        }
        return referee.tally().with(keys.changes());
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

    /** The dictionary that tells false positives from hits. */
    private Dictionary dictionary() {
        StoredKeys keys = raceKeys.stored();
        return store == null ? keys : new BehindStore(keys, store);
    }

    /** Lookups go to a real store; all keys are known without it. */
    private record BehindStore(StoredKeys keys, RaceStore store) implements Dictionary {

        @Override
        public boolean contains(long key) {
            return store.find(key);
        }

        @Override
        public long count() {
            return keys.count();
        }

        @Override
        public void forEach(LongConsumer action) {
            keys.forEach(action);
        }
    }

    /** The dictionary of a new filter: one of its own where hashes may move or keys change. */
    private StoredHashes storeOf(RaceKeys source) {
        if (store != null) {
            return contender.isBoundToStore() ? store.hashes() : source.stored();
        }
        return contender.isBoundToStore() || spec.workloadOfRace() instanceof Churn
                ? RehashableMemoryHashes.of(source.keys())
                : source.stored();
    }

    /** As much for each key as the first contender has, where there are fewer of them. */
    private long firstBitsFor(long keyCount) {
        int all = raceKeys.keys().length;
        return keyCount == all ? firstBits : (long) Math.ceil(firstBits * (keyCount / (double) all));
    }

    /** What a filter of so many keys is planned for; found before it is made, as that may be timed. */
    private FilterSpec filterSpec(int keyCount) {
        return filterSpecs.computeIfAbsent(keyCount, count -> {
            Optional<Kind> ofBesom = Contenders.kind(kind);
            FilterSpec planned =
                    spec.filterSpec(count, ofBesom.map(Kind::options).orElse(Map.of()));
            if (!spec.equalMemory() || firstBits == 0 || Contenders.takesMemoryOfFirst(kind)) {
                return planned;
            }
            if (!contender.isInsertable()) {
                throw new IllegalArgumentException("kind " + kind
                        + " plans its size by itself, so it cannot be given the memory of the first kind");
            }
            return EqualMemory.fit(ofBesom.orElseThrow(), Contenders.withOptionsOf(kind, planned), firstBitsFor(count));
        });
    }

    private Filling.Done fill(RaceKeys source, BiFunction<FilterSpec, RaceKeys, Filling.Done> way) {
        int keyCount = source.keys().length;
        FilterSpec filterSpec = filterSpec(keyCount);
        try {
            return way.apply(filterSpec, source);
        } catch (FilterFullException e) {
            throw new IllegalArgumentException(
                    "kind " + kind + " has no room for " + keyCount + " keys at load " + spec.load() + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private Filling.Done filled() {
        Filling.Done done = filled;
        if (done == null) {
            throw new IllegalStateException("prepare first");
        }
        return done;
    }
}
