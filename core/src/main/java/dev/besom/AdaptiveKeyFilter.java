package dev.besom;

/**
 * A filter that repairs the false positives it is told of. Its stored hashes are those of {@link #hasher()}.
 *
 * @param <K> the keys
 */
public interface AdaptiveKeyFilter<K> extends DeletableKeyFilter<K> {

    /**
     * Tells the filter that {@code key}, for which it answered "maybe", is not stored, so that it answers "no" from now
     * on; see {@link AdaptiveFilter#repairHash(long)}.
     */
    Adaptation repair(K key);
}
