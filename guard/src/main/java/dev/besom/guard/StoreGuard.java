package dev.besom.guard;

import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What guards share: lookups, the way to a key's shard, snapshots and statistics. How a store is written to is theirs. */
abstract sealed class StoreGuard<K, V> implements GuardMonitor, AutoCloseable permits Guard, LoaderGuard {

    private final Loader<K, V> store;
    private final KeyHasher<? super K> hasher;
    private final Shard<K>[] shards;
    /** What is left of a hash after its shard's number. */
    private final int shift;

    private final Counters counters;
    private final FilterChoice choice;
    private final SnapshotNote snapshotNote;
    private final Runnable beforeWrite;
    private volatile GuardStatistics base;

    /** The parts of a guard that do not depend on how its store is written to. */
    record Parts<K>(
            KeyHasher<? super K> hasher,
            List<Shard<K>> shards,
            Counters counters,
            FilterChoice choice,
            SnapshotNote snapshotNote) {}

    StoreGuard(Loader<K, V> store, Parts<K> parts) {
        this.store = store;
        this.hasher = parts.hasher();
        this.shards = array(parts.shards());
        this.shift = Long.numberOfLeadingZeros(shards.length) + 1;
        this.counters = parts.counters();
        this.choice = parts.choice();
        this.snapshotNote = parts.snapshotNote();
        this.beforeWrite = snapshotNote::invalidate;
        this.base = counters.read();
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <K> Shard<K>[] array(List<Shard<K>> shards) {
        return shards.toArray((Shard<K>[]) new Shard[0]);
    }

    /** The hasher in use: the secret one where the one that was given had no seed. */
    public final KeyHasher<? super K> hasher() {
        return hasher;
    }

    /** The value of a key; null if the key is not stored. */
    public final @Nullable V get(K key) {
        if (counters.isTimed()) {
            return timedGet(key);
        }
        long hash = hasher.hash(key);
        Shard<K> shard = shards[(int) (hash >>> shift)];
        long local = shard.toLocal(hash);
        if (!shard.mightContain(local)) {
            counters.answeredByFilter.increment();
            return null;
        }
        return getFromStore(key, shard, local);
    }

    private @Nullable V timedGet(K key) {
        long start = System.nanoTime();
        long hash = hasher.hash(key);
        Shard<K> shard = shards[(int) (hash >>> shift)];
        long local = shard.toLocal(hash);
        if (!shard.mightContain(local)) {
            counters.answeredByFilter.increment();
            counters.filterTimes.record(System.nanoTime() - start);
            return null;
        }
        return getFromStore(key, shard, local);
    }

    private @Nullable V getFromStore(K key, Shard<K> shard, long local) {
        if (shard.isException(key)) {
            counters.answeredByFilter.increment();
            return null;
        }
        counters.storeReads.increment();
        long start = System.nanoTime();
        int failed = 1;
        V value;
        try {
            value = store.get(key);
            failed = 0;
        } finally {
            counters.storeRead(start, failed);
        }
        if (value != null) {
            counters.found.increment();
            return value;
        }
        missed(key, shard, local);
        return null;
    }

    public final boolean containsKey(K key) {
        long hash = hasher.hash(key);
        Shard<K> shard = shards[(int) (hash >>> shift)];
        long local = shard.toLocal(hash);
        if (!shard.mightContain(local) || shard.isException(key)) {
            counters.answeredByFilter.increment();
            return false;
        }
        counters.storeReads.increment();
        long start = System.nanoTime();
        int failed = 1;
        boolean isStored;
        try {
            isStored = store.contains(key);
            failed = 0;
        } finally {
            counters.storeRead(start, failed);
        }
        if (isStored) {
            counters.found.increment();
            return true;
        }
        missed(key, shard, local);
        return false;
    }

    private void missed(K key, Shard<K> shard, long local) {
        if (isFalsePositive(shard)) {
            shard.repair(key, local);
        }
    }

    /** Counts a lookup that found nothing; false if that was for want of a filter. */
    private boolean isFalsePositive(Shard<K> shard) {
        boolean isPrimed = shard.isPrimed();
        (isPrimed ? counters.falsePositives : counters.missedWhilePriming).increment();
        return isPrimed;
    }

    /** The values of many keys in the order of the keys, null for those that are not stored: one batched store read. */
    public final List<@Nullable V> getAll(List<? extends K> keys) {
        int count = keys.size();
        long[] hashes = new long[count];
        int[] shardEnds = new int[shards.length];
        for (int i = 0; i < count; i++) {
            hashes[i] = hasher.hash(keys.get(i));
            shardEnds[(int) (hashes[i] >>> shift)]++;
        }
        for (int shard = 1; shard < shards.length; shard++) {
            shardEnds[shard] += shardEnds[shard - 1];
        }
        // Keys by shard: each shard's filter is asked once, for all of its keys.
        int[] order = new int[count];
        long[] locals = new long[count];
        int[] next = shardEnds.clone();
        for (int i = count - 1; i >= 0; i--) {
            int shard = (int) (hashes[i] >>> shift);
            int at = --next[shard];
            order[at] = i;
            locals[at] = shards[shard].toLocal(hashes[i]);
        }
        List<K> asked = new ArrayList<>();
        int[] askedAt = new int[count];
        long[] maybes = new long[(count + Long.SIZE - 1) / Long.SIZE];
        int from = 0;
        for (int shard = 0; shard < shards.length; shard++) {
            int to = shardEnds[shard];
            if (from < to) {
                shards[shard].mightContain(locals, from, to - from, maybes);
            }
            for (int at = from; at < to; at++) {
                K key = keys.get(order[at]);
                if ((maybes[(at - from) >>> 6] >>> (at - from) & 1) != 0 && !shards[shard].isException(key)) {
                    askedAt[asked.size()] = at;
                    asked.add(key);
                }
            }
            from = to;
        }
        counters.answeredByFilter.add(count - asked.size());
        List<@Nullable V> result = new ArrayList<>(Collections.nCopies(count, null));
        if (asked.isEmpty()) {
            return result;
        }
        counters.storeReads.add(asked.size());
        long start = System.nanoTime();
        int failed = asked.size();
        List<@Nullable V> values;
        try {
            values = store.getAll(asked);
            failed = 0;
        } finally {
            counters.storeRead(start, failed);
        }
        int[] repairs = new int[asked.size()];
        int left = 0;
        for (int i = 0; i < asked.size(); i++) {
            int at = order[askedAt[i]];
            V value = values.get(i);
            if (value != null) {
                counters.found.increment();
                result.set(at, value);
            } else if (isFalsePositive(shards[(int) (hashes[at] >>> shift)])) {
                repairs[left++] = i;
            }
        }
        try {
            while (left > 0) {
                int i = repairs[--left];
                shards[(int) (hashes[order[askedAt[i]]] >>> shift)].repair(asked.get(i), locals[askedAt[i]]);
            }
        } finally {
            // Where one fails, the others are not made.
            counters.dropped.add(left);
        }
        return result;
    }

    final boolean put(K key, long hash, Put put) {
        return shards[(int) (hash >>> shift)].put(key, hash, put, beforeWrite);
    }

    final boolean remove(K key, long hash, BooleanSupplier removal) {
        return shards[(int) (hash >>> shift)].remove(key, hash, removal, beforeWrite);
    }

    @Override
    public final boolean isPrimed() {
        return Arrays.stream(shards).allMatch(Shard::isPrimed);
    }

    /**
     * Writes the filters to a file from which the next guard of this store starts, if nothing was put or removed in
     * between. Lookups, puts and removals go on meanwhile. Takes the memory of one shard's filter.
     *
     * @return false if a key was put or removed before the file was complete: it would have been outdated already, and
     *     there is no current snapshot
     * @throws IllegalStateException if the guard is not primed, or a put has failed and not been made again: what the
     *     store holds is not certain then
     */
    public final boolean snapshot(Path file) throws IOException {
        return snapshotNote.write(file, hasher.stamp(), choice, Arrays.asList(shards));
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
        return Arrays.stream(shards)
                .mapToLong(shard -> shard.countAndSizeInBits()[0])
                .sum();
    }

    @Override
    public final long sizeInBits() {
        return Arrays.stream(shards)
                .mapToLong(shard -> shard.countAndSizeInBits()[1])
                .sum();
    }

    @Override
    public final String kind() {
        return choice.kind().name();
    }

    @Override
    public final int shardCount() {
        return shards.length;
    }

    @Override
    public abstract void close();
}
