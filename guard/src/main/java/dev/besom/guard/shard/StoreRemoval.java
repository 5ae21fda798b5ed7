package dev.besom.guard.shard;

/** How a key leaves a store. */
@FunctionalInterface
public interface StoreRemoval {

    /**
     * Removes a key and its hash.
     *
     * @param keepsHash whether a put of the key that has failed may still reach the store, so that a hash that is kept apart from
     *     the key has to stay
     * @return false if the key is not there
     */
    boolean remove(boolean keepsHash);
}
