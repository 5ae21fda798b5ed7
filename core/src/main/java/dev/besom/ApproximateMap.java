package dev.besom;

import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A map of keys that forgets details: a key that was put in gets its own value, always; one that was never put in has none,
 * except that now and then, at {@link #expectedFpp()}, it gets some value. {@code dev.besom.filters.Filters} makes it.
 *
 * <pre>{@code
 *   List<String> sites = List.of("berlin", "oslo", "lima");
 *   ApproximateMap<CharSequence, String> homes =
 *           Filters.buildMap("bloomier", FilterSpec.of(2, 0.001), KeyHasher.utf8(), Map.of("ann", "oslo", "bo", "lima"), sites);
 *   homes.find("ann");    // oslo
 *   homes.find("cy");     // empty, but for one key in a thousand
 * }</pre>
 *
 * @param <K> the keys
 * @param <V> the values, a few different ones that are known in advance: the map keeps the number of each
 */
public interface ApproximateMap<K, V> {

    /** The value of a key, or nothing if the key is certainly not there. */
    Optional<V> find(K key);

    /** How many keys there are. */
    long count();

    /** The memory that holds the map's contents, the values themselves not counted. */
    long sizeInBits();

    /** The chance that a key which was never put in gets a value. */
    double expectedFpp();

    /** The hasher whose hashes are in the map. */
    KeyHasher<? super K> hasher();

    /** The map of hashes underneath. */
    LongApproximateMap hashMap();

    /**
     * Writes the map and what is needed to know its hasher again to a file, whole or not at all. The values are not written:
     * whoever reads the file has to bring them, in the same order.
     */
    void save(Path file) throws IOException;
}
