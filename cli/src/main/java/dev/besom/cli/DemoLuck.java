package dev.besom.cli;

import dev.besom.AdaptiveFilter;
import dev.besom.FilterSpec;
import dev.besom.MembershipFilter;
import dev.besom.StoredHashes;
import dev.besom.bits.Bitmaps;
import dev.besom.bloom.BloomFilter;
import dev.besom.bloom.IndexScheme;
import dev.besom.filters.Filters;
import dev.besom.hash.HashSecret;
import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import dev.besom.lab.peer.KnownMisses;
import dev.besom.lab.peer.Rival;
import dev.besom.lab.peer.RivalPlan;
import dev.besom.lab.peer.Rivals;
import dev.besom.lab.race.StoredKeys;
import dev.besom.lab.workload.QueryStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * Plays the lookups of missing keys against filters alone, once for each of many secrets that hashes are drawn from, and counts
 * the reads that they would waste.
 *
 * <p>A Bloom filter answers a key the same way each time, so it is enough to query each missing key once and to count how often
 * it is looked up. An adaptive filter is told of each false positive, and the lookups are played in their order.
 */
final class DemoLuck {

    static final int BLOOM_DRAWS = 100;
    static final int ADAPTIVE_DRAWS = 10;

    /** Lookups that are queried at once; after a repair the rest of them is queried anew. */
    private static final int BATCH = 512;

    private final long[] keys;
    private final long seed;

    /** The different missing keys that are looked up, and how often. */
    private final long[] missing;

    private final int[] counts;

    /** The lookups of missing keys in their order, as numbers of the missing keys. */
    private final int[] order;

    DemoLuck(long[] keys, long[] asked, long seed) {
        this.keys = keys;
        this.seed = seed;
        StoredKeys stored = new StoredKeys(keys);
        Map<Long, Integer> numbers = new HashMap<>();
        int[] all = new int[asked.length];
        int size = 0;
        for (long key : asked) {
            Integer known = numbers.get(key);
            if (known == null && !stored.contains(key)) {
                known = numbers.size();
                numbers.put(key, known);
            }
            if (known != null) {
                all[size++] = known;
            }
        }
        order = Arrays.copyOf(all, size);
        missing = new long[numbers.size()];
        numbers.forEach((key, number) -> missing[number] = key);
        counts = new int[missing.length];
        for (int number : order) {
            counts[number]++;
        }
    }

    /** What a Bloom filter of that size wastes. */
    DemoResult.Luck ofBloom(long bits) {
        return over(BLOOM_DRAWS, draw -> bloomWaste(hasher(draw), bits));
    }

    /** What an adaptive filter wastes that is planned like those of a guard. */
    DemoResult.Luck ofAdaptive(String kind, double fpp) {
        return over(ADAPTIVE_DRAWS, draw -> adaptiveWaste(hasher(draw), kind, fpp));
    }

    /**
     * What a rival wastes that has so much memory in all.
     *
     * @param isOnlyTaught whether it never answers "maybe" to what it has answered "no" to before
     * @throws IllegalArgumentException if so little memory is too little for it
     */
    DemoResult.Luck ofRival(String rival, long bits, boolean isOnlyTaught) {
        return over(ADAPTIVE_DRAWS, draw -> {
            LongHasher hasher = hasher(draw);
            long[] stored = hashes(keys, hasher);
            long[] ofMissing = hashes(missing, hasher);
            RivalPlan plan = new RivalPlan(
                    FilterSpec.of(keys.length, 0.5).withSeed(seed + draw),
                    new StoredKeys(stored),
                    bits,
                    () -> KnownMisses.of(new Log(ofMissing, order), order.length, hash -> false),
                    Map.of());
            Rival filled = Rivals.find(rival).maker().fill(plan, stored);
            return isOnlyTaught
                    ? wasteOfTaught(filled, ofMissing)
                    : wasteInOrder(filled, filled::learnMissing, ofMissing);
        });
    }

    private static DemoResult.Luck over(int draws, IntToLongFunction waste) {
        long[] wasted =
                IntStream.range(0, draws).parallel().mapToLong(waste).sorted().toArray();
        double mean = Arrays.stream(wasted).average().orElse(0);
        return new DemoResult.Luck(draws, mean, wasted[draws / 2], wasted[draws - 1]);
    }

    private LongHasher hasher(int draw) {
        return KeyHasher.secretLongs(HashSecret.of(seed + draw + 1, ~seed));
    }

    private static long[] hashes(long[] keys, LongHasher hasher) {
        long[] hashes = new long[keys.length];
        for (int i = 0; i < keys.length; i++) {
            hashes[i] = hasher.hash(keys[i]);
        }
        return hashes;
    }

    private long bloomWaste(LongHasher hasher, long bits) {
        BloomFilter filter = Filters.makeHashFilter(
                "bloom",
                FilterSpec.of(keys.length, 0.5)
                        .with("bits", Long.toString(bits))
                        .with("scheme", IndexScheme.ENHANCED_DOUBLE.label()),
                StoredHashes.none(),
                BloomFilter.class);
        filter.insertHashes(hashes(keys, hasher), 0, keys.length);
        long[] maybes = Bitmaps.allocate(missing.length);
        filter.mightContainHashes(hashes(missing, hasher), 0, missing.length, maybes);
        long wasted = 0;
        for (int i = 0; i < counts.length; i++) {
            wasted += Bitmaps.get(maybes, i) ? counts[i] : 0;
        }
        return wasted;
    }

    private long adaptiveWaste(LongHasher hasher, String kind, double fpp) {
        long[] stored = hashes(keys, hasher);
        AdaptiveFilter filter = Filters.makeHashFilter(
                kind, FilterSpec.of(keys.length, fpp), new StoredKeys(stored), AdaptiveFilter.class);
        filter.insertHashes(stored, 0, stored.length);
        return wasteInOrder(filter, filter::repairHash, hashes(missing, hasher));
    }

    /** Only lookups of what a new filter is wrong about can be wasted: the others are not played. */
    private long wasteOfTaught(Rival rival, long[] ofMissing) {
        long[] wrong = Bitmaps.allocate(ofMissing.length);
        rival.mightContainHashes(ofMissing, 0, ofMissing.length, wrong);
        long wasted = 0;
        for (int number : order) {
            if (Bitmaps.get(wrong, number) && rival.mightContainHash(ofMissing[number])) {
                wasted++;
                rival.learnMissing(ofMissing[number]);
            }
        }
        return wasted;
    }

    private long wasteInOrder(MembershipFilter filter, LongConsumer tell, long[] ofMissing) {
        long[] batch = new long[BATCH];
        long[] maybes = Bitmaps.allocate(BATCH);
        long wasted = 0;
        int at = 0;
        while (at < order.length) {
            int count = Math.min(BATCH, order.length - at);
            for (int i = 0; i < count; i++) {
                batch[i] = ofMissing[order[at + i]];
            }
            filter.mightContainHashes(batch, 0, count, maybes);
            int first = firstSet(maybes, count);
            if (first < count) {
                wasted++;
                tell.accept(batch[first]);
                at += first + 1;
            } else {
                at += count;
            }
        }
        return wasted;
    }

    /** The lookups of missing keys in their order, as hashes. */
    private static final class Log implements QueryStream {

        private final long[] hashes;
        private final int[] order;
        private int next;

        Log(long[] hashes, int[] order) {
            this.hashes = hashes;
            this.order = order;
        }

        @Override
        public boolean hasNext() {
            return next < order.length;
        }

        @Override
        public long next() {
            return hashes[order[next++]];
        }
    }

    private static int firstSet(long[] bitmap, int count) {
        for (int word = 0; word < (count + Long.SIZE - 1) / Long.SIZE; word++) {
            if (bitmap[word] != 0) {
                return word * Long.SIZE + Long.numberOfTrailingZeros(bitmap[word]);
            }
        }
        return count;
    }
}
