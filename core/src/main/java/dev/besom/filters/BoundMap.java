package dev.besom.filters;

import dev.besom.ApproximateMap;
import dev.besom.EntrySource;
import dev.besom.LongApproximateMap;
import dev.besom.codec.FilterCodec;
import dev.besom.hash.KeyHasher;
import dev.besom.spi.PersistentMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A hasher, a map of hashes, and the values that its numbers stand for. */
final class BoundMap<K, V> implements ApproximateMap<K, V> {

    private final PersistentMap map;
    private final KeyHasher<K> hasher;
    private final List<V> values;

    BoundMap(PersistentMap map, KeyHasher<K> hasher, List<V> values) {
        this.map = map;
        this.hasher = hasher;
        this.values = List.copyOf(values);
    }

    /** The hashes of keys with the places of their values in a list. */
    static <K, V> EntrySource entries(Map<? extends K, V> entries, KeyHasher<K> hasher, List<V> values) {
        Map<V, Integer> places = new HashMap<>();
        for (V value : values) {
            if (places.put(value, places.size()) != null) {
                throw new IllegalArgumentException("the list of values has " + value + " twice");
            }
        }
        long[] hashes = new long[entries.size()];
        long[] numbers = new long[entries.size()];
        int next = 0;
        for (Map.Entry<? extends K, V> entry : entries.entrySet()) {
            Integer place = places.get(entry.getValue());
            if (place == null) {
                throw new IllegalArgumentException("the list of values does not have " + entry.getValue());
            }
            hashes[next] = hasher.hash(entry.getKey());
            numbers[next++] = place;
        }
        return EntrySource.of(hashes, numbers);
    }

    @Override
    public Optional<V> find(K key) {
        long number = map.valueOfHash(hasher.hash(key));
        // A key that was never put in may get a number that no value has.
        return number == LongApproximateMap.ABSENT || number >= values.size()
                ? Optional.empty()
                : Optional.of(values.get((int) number));
    }

    @Override
    public long count() {
        return map.count();
    }

    @Override
    public long sizeInBits() {
        return map.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        return map.expectedFpp();
    }

    @Override
    public KeyHasher<? super K> hasher() {
        return hasher;
    }

    @Override
    public LongApproximateMap hashMap() {
        return map;
    }

    @Override
    public void save(Path file) throws IOException {
        FilterCodec.write(map, hasher.stamp(), file);
    }
}
