package dev.besom.guard;

import dev.besom.guard.shard.FilterChoice;
import dev.besom.guard.shard.Shard;
import dev.besom.guard.shard.Snapshots;
import dev.besom.guard.store.Loader;
import dev.besom.guard.store.StoreException;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
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
    private final Life life;
    private final Gate gate;
    private volatile GuardStatistics base;

    /** The parts of a guard that do not depend on how its store is written to. */
    record Parts<K>(
            KeyHasher<? super K> hasher, FilterChoice choice, List<Shard<K>> shards, Counters counters, Life life) {}

    /**
     * What begins and ends with a guard.
     *
     * @param ready completed when the guard is primed
     * @param closingSnapshot where a snapshot is written when the guard is closed; null for none
     */
    record Life(
            Gate gate,
            Ownership ownership,
            Snapshots snapshots,
            CompletableFuture<Void> ready,
            @Nullable Path closingSnapshot) {}

    ShardedGuard(Loader<K, V> store, Parts<K> parts) {
        this.store = store;
        this.get = store::get;
        this.contains = key -> store.contains(key) ? Boolean.TRUE : null;
        this.hasher = parts.hasher();
        this.shards = array(parts.shards());
        this.shift = Long.numberOfLeadingZeros(shards.length) + 1;
        this.counters = parts.counters();
        this.choice = parts.choice();
        this.life = parts.life();
        this.gate = life.gate();
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
        if (!gate.isServing()) {
            return lookUpUnfiltered(key, read);
        }
        if (!shard.mightContainHash(hash) || shard.isInseparable(key)) {
            counters.answeredByFilter(start);
            return null;
        }
        return lookUpInStore(key, hash, shard, read);
    }

    private <T> @Nullable T lookUpInStore(K key, long hash, Shard<K> shard, Function<K, @Nullable T> read) {
        gate.enter();
        try {
            T found = timed(1, () -> read.apply(key));
            if (found != null) {
                counters.found(1);
            } else if (countMiss(shard)) {
                shard.repair(key, hash);
            }
            return found;
        } finally {
            gate.leave();
        }
    }

    /** A lookup when the filters may lack stored keys; not allowed any more when the guard is closed. */
    private <T> @Nullable T lookUpUnfiltered(K key, Function<K, @Nullable T> read) {
        gate.enter();
        try {
            T found = timed(1, () -> read.apply(key));
            if (found != null) {
                counters.found(1);
            } else {
                counters.missed(false);
            }
            return found;
        } finally {
            gate.leave();
        }
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
        boolean isPrimed = shard.isPrimed() && gate.isServing();
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
        gate.enter();
        try {
            BulkLookup<K> maybes =
                    gate.isServing() ? BulkLookup.of(all, hashes, shards, shift) : BulkLookup.ofAll(all, hashes);
            return getAll(maybes, all.size());
        } finally {
            gate.leave();
        }
    }

    private Map<K, V> getAll(BulkLookup<K> maybes, int lookups) {
        int count = maybes.keys().size();
        counters.answeredInBulk(lookups - count);
        Map<K, V> found = new LinkedHashMap<>();
        if (count == 0) {
            return found;
        }
        List<@Nullable V> values = timed(count, () -> store.getAll(maybes.keys()));
        for (int i = 0; i < count; i++) {
            K key = maybes.keys().get(i);
            long hash = maybes.hash(i);
            V value = values.get(i);
            if (value != null) {
                counters.found(1);
                found.put(key, value);
            } else if (countMiss(shardOf(hash))) {
                shardOf(hash).repair(key, hash);
            }
        }
        return found;
    }

    @Override
    public final boolean isPrimed() {
        return Arrays.stream(shards).allMatch(Shard::isPrimed);
    }

    @Override
    public final boolean snapshot(Path file) throws IOException {
        gate.enterToChange();
        try {
            return life.snapshots().write(file, Arrays.asList(shards));
        } finally {
            gate.leave();
        }
    }

    @Override
    public final CompletableFuture<Void> ready() {
        return life.ready().copy();
    }

    /** Makes a change of the store, which must not be within another guard's lease. */
    final boolean change(BooleanSupplier change) {
        gate.enterToChange();
        try {
            return change.getAsBoolean();
        } finally {
            gate.leave();
        }
    }

    @Override
    public final void close() {
        IOException failure = gate.isServing() ? writeClosingSnapshot() : null;
        if (!gate.close()) {
            return;
        }
        life.ready().completeExceptionally(new IllegalStateException("the guard is closed"));
        try {
            closeStore();
        } finally {
            life.ownership().close();
        }
        if (failure != null) {
            throw new StoreException("cannot write " + life.closingSnapshot(), failure);
        }
    }

    /** Closes what belongs to the guard. */
    abstract void closeStore();

    private @Nullable IOException writeClosingSnapshot() {
        Path file = life.closingSnapshot();
        if (file != null) {
            try {
                snapshot(file);
            } catch (IllegalStateException e) {
                // What the store holds is not certain, or not known yet: the next guard is primed.
                return null;
            } catch (IOException e) {
                return e;
            }
        }
        return null;
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
    public final double plannedFpp() {
        return choice.spec().fpp();
    }

    @Override
    public final int shardCount() {
        return shards.length;
    }
}
