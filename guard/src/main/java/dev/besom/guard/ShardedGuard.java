package dev.besom.guard;

import dev.besom.guard.fleet.Proof;
import dev.besom.guard.shard.FilterChoice;
import dev.besom.guard.shard.SeqlockFilter;
import dev.besom.guard.shard.Shard;
import dev.besom.guard.store.AsyncLoader;
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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
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
    /** Those of the shards, as near as can be: what lies between a hash and its filter's words is waited for. */
    private final SeqlockFilter[] filters;
    /** What is left of a hash after its shard's number. */
    private final int shift;

    private final Counters counters;
    private final FilterChoice choice;
    private final Life life;
    private final Gate gate;
    private final Repairs repairs;
    private volatile GuardStatistics base;

    /** The parts of a guard that do not depend on how its store is written to. */
    record Parts<K>(
            KeyHasher<? super K> hasher, FilterChoice choice, List<Shard<K>> shards, Repairing repairing, Life life) {}

    /** What counts false positives, and says which of them are repaired. */
    record Repairing(Counters counters, RepairPolicy policy) {}

    /**
     * What begins and ends with a guard.
     *
     * @param end gives up what the guard has of its store
     * @param ready completed when the guard is primed
     * @param closingSnapshot where a snapshot is written when the guard is closed; null for none
     */
    record Life(
            Gate gate,
            Runnable end,
            SnapshotWriter snapshots,
            CompletableFuture<Void> ready,
            @Nullable Path closingSnapshot) {}

    /** Writes the filters of shards to a file. */
    @FunctionalInterface
    interface SnapshotWriter {
        /** Writes them; false if they were outdated before that was done. */
        boolean write(Path file, List<? extends Shard<?>> shards) throws IOException;
    }

    ShardedGuard(Loader<K, V> store, Parts<K> parts) {
        this.store = store;
        this.get = store::get;
        this.contains = key -> store.contains(key) ? Boolean.TRUE : null;
        this.hasher = parts.hasher();
        this.shards = array(parts.shards());
        this.filters = parts.shards().stream().map(Shard::filter).toArray(SeqlockFilter[]::new);
        this.shift = Long.numberOfLeadingZeros(shards.length) + 1;
        this.counters = parts.repairing().counters();
        this.repairs = new Repairs(parts.repairing().policy(), counters);
        this.choice = parts.choice();
        this.life = parts.life();
        this.gate = life.gate();
        this.base = counters.read();
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <K> Shard<K>[] array(List<Shard<K>> shards) {
        return shards.toArray((Shard<K>[]) new Shard[0]);
    }

    final Gate gate() {
        return gate;
    }

    final Shard<K> shardOf(long hash) {
        return shards[(int) (hash >>> shift)];
    }

    /** False: the key of this hash is not in its shard's filter. */
    private boolean isMaybe(long hash) {
        // The shard's number is as many bits as a shift by the negative number takes away.
        return filters[(int) (hash >>> shift)].mightContainLocalHash(hash << -shift);
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

    @Override
    public final <T> @Nullable T lookUp(K key, Function<? super K, ? extends @Nullable T> read) {
        long start = counters.startLookup();
        long hash = hasher.hash(key);
        Proof proof = gate.proof();
        if (proof == null) {
            return lookUpUnfiltered(key, read);
        }
        if (isMaybe(hash) && !shardOf(hash).isInseparable(key)) {
            return lookUpInStore(key, hash, shardOf(hash), read);
        }
        if (!proof.holds()) {
            return lookUpUnfiltered(key, read);
        }
        counters.answeredByFilter(start, hash);
        return null;
    }

    private <T> @Nullable T lookUpInStore(
            K key, long hash, Shard<K> shard, Function<? super K, ? extends @Nullable T> read) {
        gate.enter();
        try {
            T found = timed(1, () -> read.apply(key));
            if (found != null) {
                counters.found(1);
            } else if (isRepairDue(shard)) {
                shard.repair(key, hash);
            }
            return found;
        } finally {
            gate.leave();
        }
    }

    /** A lookup when the filters may lack stored keys; not allowed any more when the guard is closed. */
    private <T> @Nullable T lookUpUnfiltered(K key, Function<? super K, ? extends @Nullable T> read) {
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

    /**
     * Counts a lookup that found nothing; true if it is to be repaired, false if it was for want of a filter or does not
     * pay.
     */
    private boolean isRepairDue(Shard<K> shard) {
        boolean isPrimed = shard.isPrimed() && gate.isServing();
        counters.missed(isPrimed);
        if (!isPrimed) {
            shard.recover();
        }
        return isPrimed && repairs.isDue();
    }

    @Override
    public final Map<K, V> getAll(Collection<? extends K> keys) {
        return lookUpAll(new ArrayList<>(keys), store::getAll);
    }

    @Override
    public final Map<K, Boolean> containsAll(Collection<? extends K> keys) {
        List<K> all = new ArrayList<>(keys);
        Map<K, Boolean> stored = lookUpAll(all, maybes -> {
            List<@Nullable Boolean> found = new ArrayList<>(maybes.size());
            for (boolean isStored : store.containsAll(maybes)) {
                found.add(isStored ? Boolean.TRUE : null);
            }
            return found;
        });
        Map<K, Boolean> answers = new LinkedHashMap<>();
        for (K key : all) {
            answers.put(key, stored.containsKey(key));
        }
        return answers;
    }

    /** One lookup of many keys; those that the store has something of, in the order of the keys. */
    private <T> Map<K, T> lookUpAll(List<K> keys, Function<List<K>, List<@Nullable T>> read) {
        long[] hashes = hashesOf(keys);
        gate.enter();
        try {
            BulkLookup<K> maybes = maybes(keys, hashes);
            Map<K, T> found = new LinkedHashMap<>();
            if (!maybes.keys().isEmpty()) {
                List<@Nullable T> values = timed(maybes.keys().size(), () -> read.apply(maybes.keys()));
                collect(maybes, values, found, this::repair);
            }
            return found;
        } finally {
            gate.leave();
        }
    }

    private long[] hashesOf(List<K> keys) {
        long[] hashes = new long[keys.size()];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = hasher.hash(keys.get(i));
        }
        return hashes;
    }

    /** The keys that the filters do not answer for; counts the others. */
    private BulkLookup<K> maybes(List<K> keys, long[] hashes) {
        Proof proof = gate.proof();
        BulkLookup<K> maybes =
                proof == null ? BulkLookup.ofAll(keys, hashes) : BulkLookup.of(keys, hashes, shards, shift, counters);
        if (proof != null && !proof.holds()) {
            maybes = BulkLookup.ofAll(keys, hashes);
        }
        counters.answeredInBulk(keys.size() - maybes.keys().size());
        return maybes;
    }

    /** Counts what the store has answered, and gathers what it has found. */
    private <T> void collect(
            BulkLookup<K> maybes, List<@Nullable T> values, Map<K, T> found, ObjLongConsumer<K> repair) {
        for (int i = 0; i < values.size(); i++) {
            K key = maybes.keys().get(i);
            long hash = maybes.hash(i);
            T value = values.get(i);
            if (value != null) {
                counters.found(1);
                found.put(key, value);
            } else if (isRepairDue(shardOf(hash))) {
                repair.accept(key, hash);
            }
        }
    }

    private void repair(K key, long hash) {
        shardOf(hash).repair(key, hash);
    }

    @Override
    public final AsyncGuard<K, V> async(Executor executor) {
        return new AsyncLookups(Objects.requireNonNull(executor, "executor"));
    }

    /** Lookups that do not wait for the store. */
    private final class AsyncLookups implements AsyncGuard<K, V> {

        private final Executor executor;

        AsyncLookups(Executor executor) {
            this.executor = executor;
        }

        @Override
        public CompletionStage<@Nullable V> get(K key) {
            return lookUp(
                    key,
                    asked -> store instanceof AsyncLoader<K, V> async
                            ? async.getAsync(key)
                            : CompletableFuture.supplyAsync(() -> store.get(key), executor));
        }

        @Override
        public CompletionStage<Boolean> containsKey(K key) {
            return lookUp(
                            key,
                            asked -> (store instanceof AsyncLoader<K, V> async
                                            ? async.containsAsync(key)
                                            : CompletableFuture.supplyAsync(() -> store.contains(key), executor))
                                    .thenApply(isStored -> isStored ? Boolean.TRUE : null))
                    .thenApply(found -> found != null);
        }

        @Override
        public <T> CompletionStage<@Nullable T> lookUp(
                K key, Function<? super K, ? extends CompletionStage<@Nullable T>> read) {
            long start = counters.startLookup();
            long hash = hasher.hash(key);
            Shard<K> shard = shardOf(hash);
            Proof proof = gate.proof();
            if (proof != null && (!isMaybe(hash) || shard.isInseparable(key)) && proof.holds()) {
                counters.answeredByFilter(start, hash);
                return CompletableFuture.completedFuture(null);
            }
            return read(1, () -> read.apply(key), found -> {
                if (found != null) {
                    counters.found(1);
                } else if (isRepairDue(shard)) {
                    repairLater(key, hash);
                }
                return found;
            });
        }

        @Override
        public CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys) {
            List<K> all = new ArrayList<>(keys);
            BulkLookup<K> maybes = maybes(all, hashesOf(all));
            Map<K, V> found = new LinkedHashMap<>();
            if (maybes.keys().isEmpty()) {
                return CompletableFuture.completedFuture(found);
            }
            Supplier<CompletionStage<List<@Nullable V>>> read = () -> store instanceof AsyncLoader<K, V> async
                    ? async.getAllAsync(maybes.keys())
                    : CompletableFuture.supplyAsync(() -> store.getAll(maybes.keys()), executor);
            return read(maybes.keys().size(), read, values -> {
                collect(maybes, values, found, this::repairLater);
                return found;
            });
        }

        /** Reads from the store, with counts and times, and keeps the guard from closing meanwhile. */
        private <T, R> CompletionStage<R> read(int keyCount, Supplier<CompletionStage<T>> read, Function<T, R> then) {
            gate.enterDetached();
            long start = counters.startRead(keyCount);
            CompletionStage<T> stage;
            try {
                stage = read.get();
            } catch (RuntimeException e) {
                stage = CompletableFuture.failedStage(e);
            }
            CompletionStage<R> answer = stage.handle((value, failure) -> {
                try {
                    counters.endRead(start, failure == null ? 0 : keyCount);
                    if (failure != null) {
                        throw failure instanceof CompletionException known ? known : new CompletionException(failure);
                    }
                    return then.apply(value);
                } finally {
                    gate.leaveDetached();
                }
            });
            return answer;
        }

        private void repairLater(K key, long hash) {
            try {
                executor.execute(() -> repairIfOpen(key, hash));
            } catch (RejectedExecutionException e) {
                counters.repairsDropped(1);
            }
        }

        private void repairIfOpen(K key, long hash) {
            try {
                gate.enter();
            } catch (IllegalStateException e) {
                counters.repairsDropped(1);
                return;
            }
            try {
                repair(key, hash);
            } finally {
                gate.leave();
            }
        }
    }

    @Override
    public final boolean isPrimed() {
        return Arrays.stream(shards).allMatch(Shard::isPrimed);
    }

    @Override
    public final GuardState state() {
        if (gate.isClosed()) {
            return GuardState.CLOSED;
        }
        if (!gate.isServing()) {
            return GuardState.LEASE_LOST;
        }
        return isPrimed() ? GuardState.SERVING : GuardState.PRIMING;
    }

    /** False: a key of this hash is not stored. */
    final boolean mightContainHash(long hash) {
        Proof proof = gate.proof();
        return proof == null || isMaybe(hash) || !proof.holds();
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
        Exception failure = gate.isServing() ? writeClosingSnapshot() : null;
        if (!gate.close()) {
            return;
        }
        life.ready().completeExceptionally(new IllegalStateException("the guard is closed"));
        try {
            closeStore();
        } finally {
            life.end().run();
        }
        if (failure != null) {
            throw new StoreException("cannot write " + life.closingSnapshot(), failure);
        }
    }

    /** Closes what belongs to the guard. */
    abstract void closeStore();

    /** Writes a snapshot, and returns what the disk or the store threw: the guard is closed all the same. */
    private @Nullable Exception writeClosingSnapshot() {
        Path file = life.closingSnapshot();
        if (file != null) {
            try {
                snapshot(file);
            } catch (IllegalStateException e) {
                // What the store holds is not certain, or not known yet: the next guard is primed.
                return null;
            } catch (IOException | RuntimeException e) {
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
