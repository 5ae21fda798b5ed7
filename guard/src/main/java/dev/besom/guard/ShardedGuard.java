package dev.besom.guard;

import dev.besom.guard.shard.FilterChoice;
import dev.besom.guard.shard.Shard;
import dev.besom.guard.shard.Snapshots;
import dev.besom.guard.store.Loader;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What both guards share: lookups, the way to a key's shard, snapshots and statistics. How a store is written to is
 * theirs.
 */
abstract class ShardedGuard<K, V> implements Guard<K, V> {

    private final Loader<K, V> store;
    private final Function<K, @Nullable V> get;
    private final Function<K, @Nullable Boolean> contains;
    private final KeyHasher<? super K> hasher;
    private final Shard<K>[] shards;
    /** What is left of a hash after its shard's number. */
    private final int shift;

    private final Counters counters;
    private final FilterChoice choice;
    private final Snapshots snapshots;
    private volatile GuardStatistics base;

    /** The parts of a guard that do not depend on how its store is written to. */
    record Parts<K>(
            KeyHasher<? super K> hasher,
            List<Shard<K>> shards,
            Counters counters,
            FilterChoice choice,
            Snapshots snapshots) {}

    ShardedGuard(Loader<K, V> store, Parts<K> parts) {
        this.store = store;
        this.get = store::get;
        this.contains = key -> store.contains(key) ? Boolean.TRUE : null;
        this.hasher = parts.hasher();
        this.shards = array(parts.shards());
        this.shift = Long.numberOfLeadingZeros(shards.length) + 1;
        this.counters = parts.counters();
        this.choice = parts.choice();
        this.snapshots = parts.snapshots();
        this.base = counters.read();
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <K> Shard<K>[] array(List<Shard<K>> shards) {
        return shards.toArray((Shard<K>[]) new Shard[0]);
    }

    final Shard<K> shardOf(long hash) {
        return shards[(int) (hash >>> shift)];
    }

    @Override
    public final KeyHasher<? super K> hasher() {
        return hasher;
    }

    @Override
    public final @Nullable V get(K key) {
        return lookUp(key, get);
    }

    @Override
    public final boolean containsKey(K key) {
        return lookUp(key, contains) != null;
    }

    /** One lookup with its counts and times; null if the key is not stored. */
    private <T> @Nullable T lookUp(K key, Function<K, @Nullable T> read) {
        long start = counters.startLookup();
        long hash = hasher.hash(key);
        Shard<K> shard = shardOf(hash);
        if (!shard.mightContainHash(hash) || shard.isInseparable(key)) {
            counters.answeredByFilter(start);
            return null;
        }
        return lookUpInStore(key, hash, shard, read);
    }

    private <T> @Nullable T lookUpInStore(K key, long hash, Shard<K> shard, Function<K, @Nullable T> read) {
        T found = timed(1, () -> read.apply(key));
        if (found != null) {
            counters.found(1);
        } else if (countMiss(shard)) {
            shard.repair(key, hash);
        }
        return found;
    }

    /** Reads from the store, with counts and times. */
    private <T> T timed(int keyCount, Supplier<T> read) {
        long start = counters.startRead(keyCount);
        int failedKeys = keyCount;
        try {
            T result = read.get();
            failedKeys = 0;
            return result;
        } finally {
            counters.endRead(start, failedKeys);
        }
    }

    /** Counts a lookup that found nothing; false if that was for want of a filter. */
    private boolean countMiss(Shard<K> shard) {
        boolean isPrimed = shard.isPrimed();
        counters.missed(isPrimed);
        return isPrimed;
    }

    @Override
    public final Map<K, V> getAll(Collection<? extends K> keys) {
        List<K> all = new ArrayList<>(keys);
        long[] hashes = new long[all.size()];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = hasher.hash(all.get(i));
        }
        BulkLookup<K> maybes = BulkLookup.of(all, hashes, shards, shift);
        int count = maybes.keys().size();
        counters.answeredInBulk(all.size() - count);
        Map<K, V> found = new LinkedHashMap<>();
        if (count == 0) {
            return found;
        }
        List<@Nullable V> values = timed(count, () -> store.getAll(maybes.keys()));
        int[] misses = new int[count];
        int left = 0;
        for (int i = 0; i < count; i++) {
            V value = values.get(i);
            if (value != null) {
                counters.found(1);
                found.put(maybes.keys().get(i), value);
            } else if (countMiss(shardOf(maybes.hash(i)))) {
                misses[left++] = i;
            }
        }
        repairAll(maybes, misses, left);
        return found;
    }

    private void repairAll(BulkLookup<K> maybes, int[] misses, int count) {
        int left = count;
        try {
            while (left > 0) {
                int i = misses[--left];
                long hash = maybes.hash(i);
                shardOf(hash).repair(maybes.keys().get(i), hash);
            }
        } finally {
            // Where one fails, the others are not made.
            counters.repairsDropped(left);
        }
    }

    @Override
    public final boolean isPrimed() {
        return Arrays.stream(shards).allMatch(Shard::isPrimed);
    }

    @Override
    public final boolean snapshot(Path file) throws IOException {
        return snapshots.write(file, hasher.stamp(), choice, Arrays.asList(shards));
    }

    @Override
    public final GuardStatistics statistics() {
        // In this order: a base that is set in between would be later than what was read.
        GuardStatistics before = base;
        return counters.read().since(before);
    }

    @Override
    public final synchronized GuardStatistics resetStatistics() {
        GuardStatistics now = counters.read();
        GuardStatistics before = base;
        base = now;
        return now.since(before);
    }

    @Override
    public final long count() {
        return Arrays.stream(shards).mapToLong(Shard::count).sum();
    }

    @Override
    public final long sizeInBits() {
        return Arrays.stream(shards).mapToLong(Shard::sizeInBits).sum();
    }

    @Override
    public final String kind() {
        return choice.kind().name();
    }

    @Override
    public final int shardCount() {
        return shards.length;
    }
}
