package dev.besom.guard.shard;

/** How many values get into a store, in the steps that a shard takes. Keys are named by their numbers in the batch. */
public interface StoreBulkPut {

    /**
     * Gives keys that are stored other values.
     *
     * @return for each of these keys whether it was; false, and no change, if it is not stored
     */
    boolean[] replaceAll(int[] which);

    /** Stores keys and values. */
    void putAll(int[] which);
}
