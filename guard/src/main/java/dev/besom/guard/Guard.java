package dev.besom.guard;

import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stands before a dictionary and answers for it where it can: a lookup for a key that is not stored hardly ever reaches
 * the store, and one that did does not do so again.
 *
 * <pre>
 *   key --hash--&gt; shard's filter --"no"--&gt; answered
 *                     | "maybe"
 *                     v
 *               dictionary.get --found--&gt; value
 *                     | not found: a false positive
 *                     v
 *               filter.repair, from the stored hashes around it
 * </pre>
 *
 * <p>It never hides a stored key: not while it grows, not beside any number of readers and writers, not after a crash,
 * and not where the store fails. While it is still priming it sends lookups on to the store.
 *
 * <p>Hashes are divided into shards by their highest bits, so a shard is a range of the stored hashes. Lookups take no
 * lock. Changes of one shard follow each other and never make a lookup wait for the store; shards have nothing to do with
 * each other. A shard that is full is built anew beside the old one from the stored hashes, in the call that filled it;
 * lookups go on with the old one, and changes of that shard wait. What it had repaired before is then repaired again when
 * it is met again.
 *
 * <p>All changes of the dictionary must go through one guard.
 *
 * <p>M. A. Bender, M. Farach-Colton, M. Goswami, R. Johnson, S. McCauley, S. Singh: Bloom filters, adaptivity, and the
 * dictionary problem. FOCS 2018. (The model: section 2.)
 */
public final class Guard<K, V> implements AutoCloseable {

    private final Dictionary<K, V> dictionary;
    private final KeyHasher<? super K> hasher;
    private final Shard<K, V>[] shards;
    /** What is left of a hash after its shard's number. */
    private final int shift;

    private final Counters counters;
    private final SnapshotNote snapshotNote;
    private final Runnable beforeWrite;
    private volatile GuardStatistics base;

    Guard(
            Dictionary<K, V> dictionary,
            KeyHasher<? super K> hasher,
            Shard<K, V>[] shards,
            Counters counters,
            SnapshotNote snapshotNote) {
        this.dictionary = dictionary;
        this.hasher = hasher;
        this.shards = shards;
        this.shift = Long.numberOfLeadingZeros(shards.length) + 1;
        this.counters = counters;
        this.snapshotNote = snapshotNote;
        this.beforeWrite = snapshotNote::invalidate;
        this.base = counters.read();
    }

    /**
     * A guard with a telescoping filter at a rate of 1/256, filled from the dictionary's hashes before this returns. A
     * hasher without a seed of its own, such as {@code KeyHasher.utf8()}, stands for a secret one, whose secret is
     * made once and kept in the dictionary's notes.
     *
     * @throws IllegalArgumentException if the dictionary's hashes are those of another hasher
     */
    public static <K, V> Guard<K, V> over(Dictionary<K, V> dictionary, KeyHasher<? super K> hasher) {
        return builder(dictionary, hasher).open();
    }

    /** A guard with choices. */
    public static <K, V> GuardBuilder<K, V> builder(Dictionary<K, V> dictionary, KeyHasher<? super K> hasher) {
        return new GuardBuilder<>(dictionary, hasher);
    }

    /** The value of a key; null if the key is not stored. */
    public @Nullable V get(K key) {
        long hash = hasher.hash(key);
        Shard<K, V> shard = shards[(int) (hash >>> shift)];
        long local = shard.toLocal(hash);
        if (!shard.mightContain(local)) {
            counters.answeredByFilter.increment();
            return null;
        }
        return getFromStore(key, shard, local);
    }

    private @Nullable V getFromStore(K key, Shard<K, V> shard, long local) {
        if (shard.isException(key)) {
            counters.answeredByFilter.increment();
            return null;
        }
        counters.storeReads.increment();
        V value = dictionary.get(key);
        if (value != null) {
            counters.found.increment();
            return value;
        }
        missed(key, shard, local);
        return null;
    }

    public boolean containsKey(K key) {
        long hash = hasher.hash(key);
        Shard<K, V> shard = shards[(int) (hash >>> shift)];
        long local = shard.toLocal(hash);
        if (!shard.mightContain(local) || shard.isException(key)) {
            counters.answeredByFilter.increment();
            return false;
        }
        counters.storeReads.increment();
        if (dictionary.contains(key)) {
            counters.found.increment();
            return true;
        }
        missed(key, shard, local);
        return false;
    }

    private void missed(K key, Shard<K, V> shard, long local) {
        if (shard.isPrimed()) {
            counters.falsePositives.increment();
            shard.repair(key, local);
        } else {
            counters.missedWhilePriming.increment();
        }
    }

    /** The values of many keys in the order of the keys, null for those that are not stored: one batched store read. */
    public List<@Nullable V> getAll(List<? extends K> keys) {
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
        List<@Nullable V> values = dictionary.getAll(asked);
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

    /**
     * Stores a value.
     *
     * @return true if the key was not there: of several callers who put one new key at once, exactly one is told so
     */
    public boolean put(K key, V value) {
        long hash = hasher.hash(key);
        return shards[(int) (hash >>> shift)].put(key, hash, value, beforeWrite);
    }

    /**
     * Takes a key out.
     *
     * @return false if it is not there
     */
    public boolean remove(K key) {
        long hash = hasher.hash(key);
        return shards[(int) (hash >>> shift)].remove(key, hash, beforeWrite);
    }

    /** Whether every shard has its filter, so that no lookup is sent on for want of one. */
    public boolean isPrimed() {
        return Arrays.stream(shards).allMatch(Shard::isPrimed);
    }

    /**
     * Writes the filters to a file from which the next guard of this dictionary starts, if nothing was written to the
     * dictionary in between. Lookups go on meanwhile; changes wait.
     *
     * @throws IllegalStateException if the guard is not primed, or a put has failed and not been made again: what the
     *     store holds is not certain then
     */
    public void snapshot(Path file) throws IOException {
        for (Shard<K, V> shard : shards) {
            shard.stopChanges();
        }
        try {
            for (Shard<K, V> shard : shards) {
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
            for (Shard<K, V> shard : shards) {
                shard.allowChanges();
            }
        }
    }

    /** What happened since the guard was made or the statistics were reset. */
    public GuardStatistics statistics() {
        return counters.read().since(base);
    }

    /** Starts the statistics from nothing. */
    public void resetStatistics() {
        base = counters.read();
    }

    /** How many keys the filters hold. */
    public long count() {
        return Arrays.stream(shards)
                .mapToLong(shard -> shard.countAndSizeInBits()[0])
                .sum();
    }

    /** The memory of all filters. */
    public long sizeInBits() {
        return Arrays.stream(shards)
                .mapToLong(shard -> shard.countAndSizeInBits()[1])
                .sum();
    }

    public int shardCount() {
        return shards.length;
    }

    public Dictionary<K, V> dictionary() {
        return dictionary;
    }

    /** The hasher in use: the secret one where the one that was given had no seed. */
    public KeyHasher<? super K> hasher() {
        return hasher;
    }

    /** Closes the dictionary. */
    @Override
    public void close() {
        dictionary.close();
    }
}
