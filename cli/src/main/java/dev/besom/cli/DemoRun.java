package dev.besom.cli;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.besom.FilterSpec;
import dev.besom.StoredHashes;
import dev.besom.bloom.BloomFilter;
import dev.besom.bloom.IndexScheme;
import dev.besom.filters.Filters;
import dev.besom.guard.Guard;
import dev.besom.guard.StoreGuard;
import dev.besom.guard.store.MemoryStore;
import dev.besom.guard.store.Store;
import dev.besom.hash.LongHasher;
import dev.besom.lab.race.StoredKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs the same lookups through each contender.
 *
 * <p>A contender that sends lookups on by the million would only show how long the store takes. Where there is no filter
 * only a sample of the lookups is made at all; where there is only a cache, the reads of the lookups that are timed are
 * made, and for the others the keys themselves tell what the store would find.
 */
final class DemoRun {

    /** The filters of the guards; the others get the memory of the first one. */
    private static final List<String> KINDS = List.of("telescoping", "telescoping-compact", "broom");

    private static final double FPP = 1.0 / 256;

    static final int CONTENDERS = 4 + KINDS.size();

    /** The place of the plain Bloom filter among the results. */
    static final int BLOOM = 2;

    /** The place of the guard whose memory the others have. */
    static final int GUARD = 4;

    /** One lookup in so many is timed. */
    private static final int TIMED = 16;

    /** One lookup in so many is made where there is no filter. */
    private static final int UNFILTERED = 50;

    /** How long reads are made where there is no filter; a slow store answers fewer of them. */
    private static final long PATIENCE_NANOS = Duration.ofSeconds(3).toNanos();

    private static final int WARM_UP_KEYS = 1 << 12;
    private static final int WARM_UP_LOOKUPS = 1 << 16;
    private static final int WARM_UP_ROUNDS = 4;
    private static final long WARM_UP_BITS_PER_KEY = 13;

    /** A cached miss: the key, Caffeine's node with its time stamp, and an entry of the hash table. */
    private static final int BYTES_PER_CACHED_MISS = 112;

    /** How long a cache may remember a miss before it would hide keys that were stored since. */
    private static final Duration MISS_LIFETIME = Duration.ofSeconds(10);

    /** The time between two lookups for the cache: a million a second, whatever the machine, so that runs are alike. */
    private static final long CACHE_NANOS_PER_LOOKUP = 1000;

    private final Store<Long, Long> dictionary;
    private final long[] keys;
    private final long[] asked;
    private final LongHasher hasher;
    private final Plan plan;
    private final Runnable step;

    /**
     * What is played beside the store.
     *
     * @param luck the filters alone, for many draws
     * @param readNanos what a read takes more than it took here, because the store is on another machine
     */
    record Plan(DemoLuck luck, long readNanos) {}

    /** Whether a key is found. */
    @FunctionalInterface
    private interface Lookup {
        /** @param isTimed whether the time counts, so that all has to be done that a lookup takes */
        boolean isFound(long key, boolean isTimed);
    }

    /**
     * A run that is ready to start.
     *
     * @param dictionary which holds the keys, under the hashes of the hasher
     * @param step called after each contender
     */
    DemoRun(Store<Long, Long> dictionary, LongHasher hasher, Lookups lookups, Plan plan, Runnable step) {
        this.dictionary = dictionary;
        this.keys = lookups.keys;
        this.asked = lookups.asked;
        this.hasher = hasher;
        this.plan = plan;
        this.step = step;
    }

    /** Stored keys and what is looked up. */
    static final class Lookups {
        private final long[] keys;
        private final long[] asked;

        Lookups(long[] keys, long[] asked) {
            this.keys = keys;
            this.asked = asked;
        }
    }

    List<DemoResult> run() {
        warmUp();
        // Made first, as the others get its memory; asked last, as those who read the table expect it.
        StoreGuard<Long, Long> first = guard(KINDS.get(0));
        long bits = first.sizeInBits();
        List<DemoResult> results = new ArrayList<>();
        Tally unfiltered = withoutFilter();
        step.run();
        DemoResult cached = withCache("cache of misses", bits);
        long misses = cached.counts().misses();
        results.add(new DemoResult(
                "no filter",
                new DemoResult.Counts(asked.length, cached.counts().found(), misses),
                DemoResult.Luck.none(misses),
                0,
                unfiltered.latency()));
        results.add(cached);
        step.run();
        results.add(withBloom("Bloom filter", bits));
        step.run();
        results.add(withBloomAndCache("Bloom and cache", bits));
        step.run();
        for (String kind : KINDS) {
            results.add(withGuard(kind, kind.equals(first.kind()) ? first : guard(kind)));
            step.run();
        }
        return results;
    }

    /**
     * Makes lookups over a few of the keys that do not count. A service runs for days, and a demo for seconds: the first of its
     * lookups would show how long Java takes to compile them.
     */
    private void warmUp() {
        MemoryStore<Long, Long> few = new MemoryStore<>();
        long[] some = Arrays.copyOf(keys, Math.min(keys.length, WARM_UP_KEYS));
        for (long key : some) {
            few.put(key, hasher.hash(key), key);
        }
        Lookups first = new Lookups(some, Arrays.copyOf(asked, Math.min(asked.length, WARM_UP_LOOKUPS)));
        DemoRun trial = new DemoRun(few, hasher, first, plan, () -> {});
        for (int round = 0; round < WARM_UP_ROUNDS; round++) {
            trial.askBloom(trial.bloom(WARM_UP_BITS_PER_KEY * some.length));
            for (String kind : KINDS) {
                trial.askGuard(trial.guard(kind));
            }
        }
    }

    private StoreGuard<Long, Long> guard(String kind) {
        return Guard.builder(dictionary, hasher)
                .kind(kind)
                .fpp(FPP)
                .capacity(keys.length)
                .readOnly()
                .open();
    }

    /** Times lookups; what they find is counted by the others. */
    private Tally withoutFilter() {
        Tally tally = new Tally();
        int count = Math.max(1, asked.length / UNFILTERED);
        long[] times = new long[count];
        int timed = 0;
        long first = System.nanoTime();
        long start = first;
        while (timed < count && start - first < PATIENCE_NANOS) {
            tally.count(dictionary.get(asked[(int) ((long) timed * asked.length / count)]) != null);
            long end = System.nanoTime();
            times[timed++] = end - start + plan.readNanos();
            start = end;
        }
        tally.finish(timed, 0, Arrays.copyOf(times, timed));
        return tally;
    }

    private DemoResult withCache(String name, long bits) {
        MissCache cache = new MissCache(bits);
        StoredKeys stored = new StoredKeys(keys);
        Tally tally = new Tally();
        long last = System.nanoTime() + PATIENCE_NANOS;
        boolean[] isPatient = {true};
        time(tally, (key, isTimed) -> {
            cache.pass();
            if (cache.isMissing(key)) {
                return false;
            }
            boolean reads = isTimed && isPatient[0];
            if (reads) {
                isPatient[0] = System.nanoTime() < last;
            }
            return cache.remember(key, tally.count(reads ? dictionary.get(key) != null : stored.contains(key)));
        });
        return tally.result(name, bits, DemoResult.Luck.none(tally.wasted()));
    }

    private DemoResult withBloom(String name, long bits) {
        BloomFilter filter = bloom(bits);
        return askBloom(filter).result(name, filter.sizeInBits(), plan.luck().ofBloom(filter.sizeInBits()));
    }

    private Tally askBloom(BloomFilter filter) {
        Tally tally = new Tally();
        time(
                tally,
                (key, isTimed) ->
                        filter.mightContainHash(hasher.hash(key)) && tally.count(dictionary.get(key) != null));
        return tally;
    }

    private DemoResult withBloomAndCache(String name, long bits) {
        BloomFilter filter = bloom(bits - bits / 4);
        MissCache cache = new MissCache(bits / 4);
        Tally tally = new Tally();
        time(tally, (key, isTimed) -> {
            cache.pass();
            return filter.mightContainHash(hasher.hash(key))
                    && !cache.isMissing(key)
                    && cache.remember(key, tally.count(dictionary.get(key) != null));
        });
        return tally.result(name, bits, DemoResult.Luck.none(tally.wasted()));
    }

    private DemoResult withGuard(String kind, StoreGuard<Long, Long> guard) {
        return askGuard(guard)
                .result(kind + " guard", guard.sizeInBits(), plan.luck().ofAdaptive(kind, FPP));
    }

    private Tally askGuard(StoreGuard<Long, Long> guard) {
        Tally tally = new Tally();
        // Counted here: to read a guard's statistics before each lookup that is timed would empty the caches for it.
        Function<Long, @Nullable Long> read = key -> {
            Long value = dictionary.get(key);
            tally.count(value != null);
            return value;
        };
        time(tally, (key, isTimed) -> guard.lookUp(key, read) != null);
        return tally;
    }

    private BloomFilter bloom(long bits) {
        BloomFilter filter = Filters.makeHashFilter(
                "bloom",
                FilterSpec.of(keys.length, 0.5)
                        .with("bits", Long.toString(bits))
                        .with("scheme", IndexScheme.ENHANCED_DOUBLE.label()),
                StoredHashes.none(),
                BloomFilter.class);
        for (long key : keys) {
            filter.insertHash(hasher.hash(key));
        }
        return filter;
    }

    private void time(Tally tally, Lookup lookup) {
        long[] times = new long[asked.length / TIMED + 1];
        int timed = 0;
        long found = 0;
        long nanosWithoutRead = 0;
        long withoutRead = 0;
        for (int i = 0; i < asked.length; i++) {
            if (i % TIMED == 0) {
                long readsBefore = tally.reads();
                long start = System.nanoTime();
                found += lookup.isFound(asked[i], true) ? 1 : 0;
                long nanos = System.nanoTime() - start;
                long reads = tally.reads() - readsBefore;
                times[timed++] = nanos + reads * plan.readNanos();
                nanosWithoutRead += reads == 0 ? nanos : 0;
                withoutRead += reads == 0 ? 1 : 0;
            } else {
                found += lookup.isFound(asked[i], false) ? 1 : 0;
            }
        }
        tally.finish(asked.length, found, Arrays.copyOf(times, timed));
        tally.withoutRead = withoutRead == 0 ? Double.NaN : (double) nanosWithoutRead / withoutRead;
    }

    /** A cache of keys that were not found. Its clock is the number of lookups. */
    private static final class MissCache {
        private final Cache<Long, Boolean> missing;
        private long nanos;

        MissCache(long bits) {
            missing = Caffeine.newBuilder()
                    .maximumSize(Math.max(1, bits / Byte.SIZE / BYTES_PER_CACHED_MISS))
                    .expireAfterWrite(MISS_LIFETIME)
                    .ticker(() -> nanos)
                    .executor(Runnable::run)
                    .build();
        }

        /** Lets the time of one lookup pass. */
        void pass() {
            nanos += CACHE_NANOS_PER_LOOKUP;
        }

        boolean isMissing(long key) {
            return missing.getIfPresent(key) != null;
        }

        /** Remembers a key that was not found, and gives back whether it was. */
        boolean remember(long key, boolean isFound) {
            if (!isFound) {
                missing.put(key, Boolean.TRUE);
            }
            return isFound;
        }
    }

    /** Counts of one contender. */
    private final class Tally {
        private double withoutRead = Double.NaN;
        private long counted;
        private long found;
        private long lookups;
        private long[] times = {0};

        /** Counts a store read, and gives back whether it found something. */
        boolean count(boolean isFound) {
            counted++;
            return isFound;
        }

        long reads() {
            return counted;
        }

        long wasted() {
            return reads() - found;
        }

        void finish(long lookupCount, long foundCount, long[] timesTaken) {
            lookups = lookupCount;
            found = foundCount;
            times = timesTaken;
            Arrays.sort(times);
        }

        DemoResult.Latency latency() {
            double p99 = times[(int) (times.length * 99L / 100)];
            return new DemoResult.Latency(Arrays.stream(times).average().orElse(0), p99, withoutRead);
        }

        DemoResult result(String name, long bits, DemoResult.Luck luck) {
            DemoResult.Counts counts = new DemoResult.Counts(reads(), found, lookups - found);
            return new DemoResult(name, counts, luck, (double) bits / keys.length, latency());
        }
    }
}
