package dev.besom.guard;

/** How a value gets into a store, as a shard makes it happen: {@link #replace()}, or the other two in this order. */
interface Put {

    /** Gives a key that is stored another value; false, and no change, if it is not stored. */
    boolean replace();

    /**
     * Stores the key's hash, where that is not done with the key. Not called again if it has returned and only
     * {@link #put()} failed.
     */
    void record();

    /** Stores the key and the value; true if the key was not there. */
    boolean put();
}
