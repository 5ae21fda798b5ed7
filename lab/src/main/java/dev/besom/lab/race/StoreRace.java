package dev.besom.lab.race;

import dev.besom.lab.workload.Churn;
import dev.besom.lab.workload.KeySpace;
import dev.besom.lab.workload.QueryStream;
import dev.besom.lab.workload.Workload;
import dev.besom.spi.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A race before a real store: what a query for a key that is not stored costs from end to end. Contenders follow each other in
 * one JVM; one whose repairs changed the store leaves it to nobody else.
 *
 * <p>Beside what is measured stands the model of the broom paper's section 2, in which each access to the store counts as one:
 * a false positive is one, and finding the keys that it collided with is another. Let e be the rate of a fresh query, Q the
 * queries for keys that are not stored, and D the different ones among them.
 *
 * <pre>
 *   a kind that does not adapt       e            a query, on average over hash functions
 *   an adaptive kind                 2 e D / Q    each false positive is paid for once
 *   an adaptive kind, an adversary   2 e          whoever asks, whatever was asked before; the others are wrong for ever: 1
 * </pre>
 *
 * <p>The model's "constant number of accesses" for rehashing is left out: what a kind really takes for it is measured. Of rivals
 * it says nothing.
 *
 * <p>M. A. Bender, M. Farach-Colton, M. Goswami, R. Johnson, S. McCauley, S. Singh: Bloom filters, adaptivity, and the dictionary
 * problem. FOCS 2018.
 */
public final class StoreRace {

    private static final double ACCESSES_A_FALSE_POSITIVE = 2;

    private static final long WARM_UP_QUERIES = 200_000;
    private static final int WARM_UP_READS = 1000;

    private StoreRace() {}

    /**
     * Runs a race; how it takes times does not count.
     *
     * @param progress told what is going on, in a few words, once for each contender
     * @throws IllegalArgumentException if the spec asks for what a contender cannot do, or an input file is wrong
     * @throws java.io.UncheckedIOException if a file cannot be read
     */
    public static List<StoreResult> run(RaceSpec spec, RaceStore.Opener opener, Consumer<String> progress) {
        Race.check(spec);
        if (spec.workloadOfRace() instanceof Churn) {
            throw new IllegalArgumentException("the keys of a store do not change in a race, so churn is not possible");
        }
        RaceSpec untimed = spec.toBuilder().timing(Timing.fresh(0, false)).toSpec();
        RaceKeys keys = RaceKeys.of(spec);
        double distinctShare = distinctShare(spec, keys);
        List<StoreResult> results = new ArrayList<>();
        @Nullable RaceStore store = null;
        try {
            for (String kind : spec.kinds()) {
                progress.accept(kind);
                if (store == null) {
                    store = opener.open(keys.keys());
                }
                StoreResult result = run(untimed, kind, results, new Place(keys, store, distinctShare));
                results.add(result);
                if (result.race().tally().repairs().cost().writes() > 0) {
                    store.close();
                    store = null;
                }
            }
            return results;
        } finally {
            if (store != null) {
                store.close();
            }
        }
    }

    /** What all contenders share, but for the store. */
    private record Place(RaceKeys keys, RaceStore store, double distinctShare) {}

    private static StoreResult run(RaceSpec spec, String kind, List<StoreResult> before, Place place) {
        long firstBits = before.isEmpty()
                ? 0
                : Math.round(
                        before.get(0).race().bitsPerKey() * before.get(0).race().n());
        warmUp(spec, kind, firstBits, place);
        try (LocalHeat heat = new LocalHeat(spec, kind, firstBits, place.keys).before(place.store)) {
            Heat.Filled filled = heat.prepare();
            double rate = heat.expectedFpp();
            long bytes = place.store.bytesTouched();
            Tally tally = heat.play();
            RaceResult race = new RaceResult(
                    kind,
                    filled.keyCount(),
                    filled.sizeInBits() / (double) filled.keyCount(),
                    TimeSpreads.of(List.of()),
                    tally);
            return new StoreResult(
                    race,
                    heat.latency(),
                    bytes < 0 ? -1 : place.store.bytesTouched() - bytes,
                    model(kind, rate, place.distinctShare));
        }
    }

    /** Has the code of a contender compiled, on a store in memory, and that of the store's reads. */
    private static void warmUp(RaceSpec spec, String kind, long firstBits, Place place) {
        if (spec.workloadOfRace() instanceof Workload.Stream) {
            RaceSpec shorter = spec.toBuilder()
                    .queries(Math.min(spec.queries(), WARM_UP_QUERIES))
                    .toSpec();
            try (LocalHeat heat = new LocalHeat(shorter, kind, firstBits, place.keys)) {
                heat.prepare();
                heat.play();
            }
        }
        for (int i = 0; i < WARM_UP_READS; i++) {
            place.store.find(new KeySpace(~spec.seed()).foreign(i));
        }
    }

    private static double model(String kind, double rate, double distinctShare) {
        boolean isAttacked = Double.isNaN(distinctShare);
        if (Contenders.takesMemoryOfFirst(kind)) {
            return Double.NaN;
        }
        if (Contenders.kind(kind).filter(Kind::isAdaptive).isPresent()) {
            return ACCESSES_A_FALSE_POSITIVE * rate * (isAttacked ? 1 : distinctShare);
        }
        return isAttacked ? 1 : rate;
    }

    /** The different queries for keys that are not stored among all of them; not a number under an adversary. */
    private static double distinctShare(RaceSpec spec, RaceKeys keys) {
        if (!(spec.workloadOfRace() instanceof Workload.Stream workload)) {
            return Double.NaN;
        }
        KeySet distinct = new KeySet();
        long misses = 0;
        long most = (long) Math.ceil(spec.queries() * (1 - spec.hits()));
        try (QueryStream stream = workload.open(new KeySpace(spec.seed()), keys.keys().length)) {
            for (long i = 0; i < most && stream.hasNext(); i++) {
                long key = stream.next();
                if (!keys.stored().contains(key)) {
                    distinct.add(key);
                    misses++;
                }
            }
        }
        return misses == 0 ? 0 : distinct.size() / (double) misses;
    }
}
