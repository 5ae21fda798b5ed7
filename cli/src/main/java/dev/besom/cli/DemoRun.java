package dev.besom.cli;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.besom.FilterSpec;
import dev.besom.bloom.BloomFilter;
import dev.besom.guard.Dictionary;
import dev.besom.guard.Guard;
import dev.besom.hash.HashSecret;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs the same lookups through each contender. */
final class DemoRun {

    static final int CONTENDERS = 5;

    /** The place of the plain Bloom filter among the results. */
    static final int BLOOM = 2;

    /** One lookup in so many is timed. */
    private static final int TIMED = 16;

    /** One lookup in so many is really made where there is no filter. */
    private static final int UNFILTERED = 50;

    /** A cached miss: the key, Caffeine's node with its time stamp, and an entry of the hash table. */
    private static final int BYTES_PER_CACHED_MISS = 112;

    /** How long a cache may remember a miss before it would hide keys that were stored since. */
    private static final Duration MISS_LIFETIME = Duration.ofSeconds(10);

    private final DemoStore store;
    private final Dictionary<Long, Long> dictionary;
    private final long[] keys;
    private final long[] asked;
    private final long seed;
    private final Runnable step;

    /** What can be looked up: the value, or null. */
    @FunctionalInterface
    private interface Lookup {
        boolean isFound(long key);
    }

    /** @param step called after each contender and after the dictionary is filled */
    DemoRun(DemoStore store, long[] keys, long[] asked, long seed, Runnable step) {
        this.store = store;
        this.dictionary = store.dictionary();
        this.keys = keys;
        this.asked = asked;
        this.seed = seed;
        this.step = step;
    }

    List<DemoResult> run() {
        LongHasher hasher = KeyHasher.secretLongs(HashSecret.of(seed, ~seed));
        store.fill(keys, hasher);
        step.run();
        // Made first, as the others get its memory; asked last, as those who read the table expect it.
        Guard<Long, Long> guard =
                Guard.builder(dictionary, hasher).capacity(keys.length).open();
        long bits = guard.sizeInBits();
        List<DemoResult> results = new ArrayList<>();
        Tally unfiltered = withoutFilter();
        step.run();
        DemoResult cached = withCache("cache of misses", bits);
        results.add(new DemoResult(
                "no filter",
                asked.length,
                cached.found(),
                cached.misses(),
                (double) cached.misses(),
                0,
                unfiltered.meanNs(),
                unfiltered.p99Ns()));
        results.add(cached);
        step.run();
        results.add(withBloom("Bloom filter", hasher, bits));
        step.run();
        results.add(withBloomAndCache("Bloom and cache", hasher, bits));
        step.run();
        results.add(withGuard("Besom guard", guard));
        step.run();
        return results;
    }

    /** Times lookups; what they find is counted by the others. */
    private Tally withoutFilter() {
        long[] some = new long[Math.max(1, asked.length / UNFILTERED)];
        for (int i = 0; i < some.length; i++) {
            some[i] = asked[(int) ((long) i * asked.length / some.length)];
        }
        Tally tally = new Tally();
        time(some, key -> tally.count(dictionary.get(key) != null), tally);
        return tally;
    }

    private DemoResult withCache(String name, long bits) {
        Cache<Long, Boolean> missing = cache(bits);
        Tally tally = new Tally();
        time(asked, key -> missing.getIfPresent(key) == null && readThrough(key, missing, tally), tally);
        return tally.result(name, bits);
    }

    private DemoResult withBloom(String name, LongHasher hasher, long bits) {
        BloomFilter filter = bloom(hasher, bits);
        Tally tally = new Tally();
        time(asked, key -> filter.mightContain(hasher.hash(key)) && tally.count(dictionary.get(key) != null), tally);
        // Each missing key has the same chance to be a false positive, and then is one at each lookup.
        return tally.result(name, filter.sizeInBits(), filter.expectedFpp() * (asked.length - tally.found));
    }

    private DemoResult withBloomAndCache(String name, LongHasher hasher, long bits) {
        BloomFilter filter = bloom(hasher, bits - bits / 4);
        Cache<Long, Boolean> missing = cache(bits / 4);
        Tally tally = new Tally();
        time(
                asked,
                key -> filter.mightContain(hasher.hash(key))
                        && missing.getIfPresent(key) == null
                        && readThrough(key, missing, tally),
                tally);
        return tally.result(name, bits);
    }

    private DemoResult withGuard(String name, Guard<Long, Long> guard) {
        Tally tally = new Tally();
        time(asked, key -> guard.get(key) != null, tally);
        tally.reads = guard.statistics().storeReads();
        tally.found = guard.statistics().found();
        return tally.result(name, guard.sizeInBits());
    }

    private boolean readThrough(long key, Cache<Long, Boolean> missing, Tally tally) {
        boolean isFound = tally.count(dictionary.get(key) != null);
        if (!isFound) {
            missing.put(key, Boolean.TRUE);
        }
        return isFound;
    }

    private BloomFilter bloom(LongHasher hasher, long bits) {
        BloomFilter filter = BloomFilter.of(FilterSpec.of(keys.length, 0.5).with("bits", Long.toString(bits)));
        for (long key : keys) {
            filter.insert(hasher.hash(key));
        }
        return filter;
    }

    private static Cache<Long, Boolean> cache(long bits) {
        return Caffeine.newBuilder()
                .maximumSize(Math.max(1, bits / Byte.SIZE / BYTES_PER_CACHED_MISS))
                .expireAfterWrite(MISS_LIFETIME)
                .executor(Runnable::run)
                .build();
    }

    private static void time(long[] queries, Lookup lookup, Tally tally) {
        long[] times = new long[queries.length / TIMED + 1];
        int timed = 0;
        long found = 0;
        for (int i = 0; i < queries.length; i++) {
            if (i % TIMED == 0) {
                long start = System.nanoTime();
                found += lookup.isFound(queries[i]) ? 1 : 0;
                times[timed++] = System.nanoTime() - start;
            } else {
                found += lookup.isFound(queries[i]) ? 1 : 0;
            }
        }
        tally.finish(queries.length, found, Arrays.copyOf(times, timed));
    }

    /** Counts of one contender. */
    private final class Tally {
        long reads;
        long found;
        private long lookups;
        private long[] times = {0};

        /** Counts a store read, and gives back whether it found something. */
        boolean count(boolean isFound) {
            reads++;
            return isFound;
        }

        void finish(long lookupCount, long foundCount, long[] timesTaken) {
            lookups = lookupCount;
            found = foundCount;
            times = timesTaken;
            Arrays.sort(times);
        }

        double meanNs() {
            return Arrays.stream(times).average().orElse(0);
        }

        double p99Ns() {
            return times[(int) (times.length * 99L / 100)];
        }

        /** Of a contender for which no key is expensive by itself, so that what it wastes hardly depends on luck. */
        DemoResult result(String name, long bits) {
            return result(name, bits, (double) (reads - found));
        }

        DemoResult result(String name, long bits, double averageWasted) {
            return new DemoResult(
                    name, reads, found, lookups - found, averageWasted, (double) bits / keys.length, meanNs(), p99Ns());
        }
    }
}
