package dev.besom.guard.shard;

/** How a value gets into a store, in the steps that a shard takes: {@link #replace()}, or the other two in this order. */
public interface StorePut {

    /** Gives a key that is stored another value; false, and no change, if it is not stored. */
    boolean replace();

    /**
     * Stores the key's hash, where that is not done with the key. Not called again if it has returned and only
     * {@link #put()} failed.
     */
    void recordHash();

    /** Stores the key and the value; true if the key was not there. */
    boolean put();

    /**
     * Whether a {@link #replace()} that has failed may store the key later, even if it has been removed by then. Not so where a
     * store changes only what is there.
     */
    default boolean mayStoreLater() {
        return false;
    }

    /** Whether the key is stored when this has returned; not so where it is only announced. */
    default boolean endsDoubt() {
        return true;
    }
}
