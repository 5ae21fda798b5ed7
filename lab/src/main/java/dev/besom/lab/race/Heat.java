package dev.besom.lab.race;

/** One contender's part of a race, in this JVM or in one of its own. Call in this order. */
interface Heat extends AutoCloseable {

    /**
     * What a filled filter is like.
     *
     * @param keyCount keys it was given
     * @param sizeInBits memory it takes
     */
    record Filled(long keyCount, long sizeInBits) {}

    /** Fills the filter and warms the loops up. */
    Filled prepare();

    /** Takes the times once; the filter is as it was filled. */
    Times time();

    /** Asks the workload's queries, then every stored key again. */
    Tally play();

    @Override
    void close();
}
