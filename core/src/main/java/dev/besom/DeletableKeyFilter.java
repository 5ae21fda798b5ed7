package dev.besom;

/**
 * A filter that takes keys and gives them up again.
 *
 * @param <K> the keys
 */
public interface DeletableKeyFilter<K> extends InsertableKeyFilter<K> {

    /**
     * Takes out a key that was put in before; see {@link DeletableFilter#deleteHash(long)} on keys that were not.
     *
     * @return false, and no change, where nothing matched
     */
    boolean remove(K key);
}
