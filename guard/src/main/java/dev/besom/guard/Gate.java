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
final class Gate<K, V> {

    private final Loader<K, V> store;
    private final KeyHasher<? super K> hasher;
    private final Shard<K>[] shards;
    /** What is left of a hash after its shard's number. */
    private final int shift;

    private final Counters counters;
    private final SnapshotNote snapshotNote;
    private final Runnable beforeWrite;
    private volatile GuardStatistics base;

    Gate(
            Loader<K, V> store,
            KeyHasher<? super K> hasher,
            Shard<K>[] shards,
            Counters counters,
            SnapshotNote snapshotNote) {
        this.store = store;
        this.hasher = hasher;
        this.shards = shards;
        this.shift = Long.numberOfLeadingZeros(shards.length) + 1;
        this.counters = counters;
        this.snapshotNote = snapshotNote;
        this.beforeWrite = snapshotNote::invalidate;
        this.base = counters.read();
    }

    KeyHasher<? super K> hasher() {
        return hasher;
    }

    @Nullable
    V get(K key) {
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
        V value = store.get(key);
        counters.storeTimes.record(System.nanoTime() - start);
        if (value != null) {
            counters.found.increment();
            return value;
        }
        missed(key, shard, local);
        return null;
    }

    boolean containsKey(K key) {
        long hash = hasher.hash(key);
        Shard<K> shard = shards[(int) (hash >>> shift)];
        long local = shard.toLocal(hash);
        if (!shard.mightContain(local) || shard.isException(key)) {
            counters.answeredByFilter.increment();
            return false;
        }
        counters.storeReads.increment();
        long start = System.nanoTime();
        boolean isStored = store.contains(key);
        counters.storeTimes.record(System.nanoTime() - start);
        if (isStored) {
            counters.found.increment();
            return true;
        }
        missed(key, shard, local);
        return false;
    }

    private void missed(K key, Shard<K> shard, long local) {
        if (shard.isPrimed()) {
            counters.falsePositives.increment();
            shard.repair(key, local);
        } else {
            counters.missedWhilePriming.increment();
        }
    }

    List<@Nullable V> getAll(List<? extends K> keys) {
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
        List<@Nullable V> values = store.getAll(asked);
        counters.storeTimes.record(System.nanoTime() - start);
        for (int i = 0; i < asked.size(); i++) {
            int at = askedAt[i];
            V value = values.get(i);
            if (value != null) {
                counters.found.increment();
                result.set(order[at], value);
            } else {
                missed(asked.get(i), shards[(int) (hashes[order[at]] >>> shift)], locals[at]);
            }
        }
        return result;
    }

    boolean put(K key, long hash, Put put) {
        return shards[(int) (hash >>> shift)].put(key, hash, put, beforeWrite);
    }

    boolean remove(K key, long hash, BooleanSupplier removal) {
        return shards[(int) (hash >>> shift)].remove(key, hash, removal, beforeWrite);
    }

    boolean isPrimed() {
        return Arrays.stream(shards).allMatch(Shard::isPrimed);
    }

    void snapshot(Path file) throws IOException {
        for (Shard<K> shard : shards) {
            shard.stopChanges();
        }
        try {
            for (Shard<K> shard : shards) {
                if (shard.filter() == null) {
                    throw new IllegalStateException("a guard that is still priming has nothing to write");
                }
                if (shard.hasDoubts()) {
                    throw new IllegalStateException(
                            "a put has failed, so the store may not hold what the filter holds");
                }
            }
            snapshotNote.write(file, hasher.stamp(), shards);
        } finally {
            for (Shard<K> shard : shards) {
                shard.allowChanges();
            }
        }
    }

    GuardStatistics statistics() {
        return counters.read().since(base);
    }

    void resetStatistics() {
        base = counters.read();
    }

    long count() {
        return Arrays.stream(shards)
                .mapToLong(shard -> shard.countAndSizeInBits()[0])
                .sum();
    }

    long sizeInBits() {
        return Arrays.stream(shards)
                .mapToLong(shard -> shard.countAndSizeInBits()[1])
                .sum();
    }

    int shardCount() {
        return shards.length;
    }
}
