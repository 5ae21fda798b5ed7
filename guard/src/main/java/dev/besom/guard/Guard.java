package dev.besom.guard;

import dev.besom.hash.KeyHasher;
import java.util.Objects;

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
 * each other. A shard that is full grows while it serves: a larger filter is filled beside the old one from the stored
 * hashes, and lookups go on with the old one until the new one is whole.
 *
 * <p>All changes of the dictionary must go through one guard.
 *
 * <p>M. A. Bender, M. Farach-Colton, M. Goswami, R. Johnson, S. McCauley, S. Singh: Bloom filters, adaptivity, and the
 * dictionary problem. FOCS 2018. (The model: section 2.)
 */
public final class Guard<K, V> extends StoreGuard<K, V> {

    private final Dictionary<K, V> dictionary;

    Guard(Dictionary<K, V> dictionary, Parts<K> parts) {
        super(dictionary, parts);
        this.dictionary = dictionary;
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
    public static <K, V> GuardBuilder<K, Guard<K, V>> builder(
            Dictionary<K, V> dictionary, KeyHasher<? super K> hasher) {
        return GuardBuilder.of(dictionary, hasher);
    }

    /**
     * A guard before a store of which nothing is known but how to read it, with the hashes of its keys in a folder beside
     * it.
     *
     * @param keys are closed with the guard
     */
    public static <K, V> LoaderGuard<K, V> over(Loader<K, V> loader, LocalKeys<K> keys) {
        return builder(loader, keys).open();
    }

    /** A guard over a loader with choices. */
    public static <K, V> GuardBuilder<K, LoaderGuard<K, V>> builder(Loader<K, V> loader, LocalKeys<K> keys) {
        return GuardBuilder.of(loader, keys);
    }

    /**
     * Stores a value. Not null: a store that took it would have a key that nobody finds.
     *
     * @return true if the key was not there: of several callers who put one new key at once, exactly one is told so
     */
    public boolean put(K key, V value) {
        Objects.requireNonNull(value, "value");
        long hash = hasher().hash(key);
        return put(key, hash, new DictionaryPut<>(dictionary, key, hash, value));
    }

    /**
     * Takes a key out.
     *
     * @return false if it is not there
     */
    public boolean remove(K key) {
        long hash = hasher().hash(key);
        return remove(key, hash, () -> dictionary.remove(key, hash));
    }

    private record DictionaryPut<K, V>(Dictionary<K, V> dictionary, K key, long hash, V value) implements Put {

        @Override
        public boolean replace() {
            return dictionary.replace(key, value);
        }

        @Override
        public void record() {}

        @Override
        public boolean put() {
            return dictionary.put(key, hash, value);
        }
    }

    /** The dictionary behind the guard. */
    public Dictionary<K, V> dictionary() {
        return dictionary;
    }

    /** Closes the dictionary. */
    @Override
    public void close() {
        dictionary.close();
    }
}
