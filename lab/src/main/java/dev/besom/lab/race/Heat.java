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

    /** Warms up what is timed, and fills the filter. */
    Filled prepare();

    /** Takes the times once, of a filter that has answered no other queries; from the second time on fills another. */
    Times time();

    /** Asks the workload's queries, then every stored key again. */
    Tally play();

    @Override
    void close();
}
