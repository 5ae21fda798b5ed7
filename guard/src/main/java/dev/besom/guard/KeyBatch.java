package dev.besom.guard;

import dev.besom.guard.shard.StoreBulkPut;
import dev.besom.guard.store.Store;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Keys of one shard with their hashes and values, on their way into a store. */
final class KeyBatch<K, V> implements StoreBulkPut {

    private final Store<K, V> store;
    private final Map<Object, Integer> numbers = new HashMap<>();
    private final List<K> keys = new ArrayList<>();
    private final List<V> values = new ArrayList<>();
    private long[] hashes = new long[16];

    KeyBatch(Store<K, V> store) {
        this.store = store;
    }

    /** Adds a key; of arrays with the same contents the last one counts. */
    void add(K key, long hash, V value) {
        Integer there = numbers.putIfAbsent(key instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : key, keys.size());
        if (there != null) {
            values.set(there, value);
            return;
        }
        if (keys.size() == hashes.length) {
            hashes = Arrays.copyOf(hashes, 2 * hashes.length);
        }
        hashes[keys.size()] = hash;
        keys.add(key);
        values.add(value);
    }

    List<K> keys() {
        return keys;
    }

    List<V> values() {
        return values;
    }

    /** Gives keys that are stored their values; the numbers of those that were. */
    BitSet replaced(LongPredicate mightBeStored) {
        int[] maybes = IntStream.range(0, keys.size())
                .filter(i -> mightBeStored.test(hashes[i]))
                .toArray();
        BitSet replaced = new BitSet();
        if (maybes.length > 0) {
            boolean[] areReplaced = replaceAll(maybes);
            IntStream.range(0, maybes.length).filter(i -> areReplaced[i]).forEach(i -> replaced.set(maybes[i]));
        }
        return replaced;
    }

    /** The same keys but for some, by their numbers. */
    KeyBatch<K, V> without(BitSet which) {
        return some(IntStream.range(0, keys.size()).filter(i -> !which.get(i)).toArray());
    }

    long[] hashes() {
        return Arrays.copyOf(hashes, keys.size());
    }

    /** The same keys in batches as large as a store takes at once. */
    Stream<KeyBatch<K, V>> parts() {
        int count = (keys.size() + Store.BATCH - 1) / Store.BATCH;
        return IntStream.range(0, count)
                .mapToObj(i -> some(IntStream.range(i * Store.BATCH, Math.min(keys.size(), (i + 1) * Store.BATCH))
                        .toArray()));
    }

    private KeyBatch<K, V> some(int[] which) {
        KeyBatch<K, V> some = new KeyBatch<>(store);
        for (int i : which) {
            some.add(keys.get(i), hashes[i], values.get(i));
        }
        return some;
    }

    @Override
    public boolean[] replaceAll(int[] which) {
        KeyBatch<K, V> some = some(which);
        return store.replaceAll(some.keys, some.hashes(), some.values);
    }

    @Override
    public void putAll(int[] which) {
        KeyBatch<K, V> some = some(which);
        store.putAll(some.keys, some.hashes(), some.values);
    }
}
