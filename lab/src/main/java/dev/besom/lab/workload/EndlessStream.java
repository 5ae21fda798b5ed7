package dev.besom.lab.workload;

/** A stream that never ends. */
interface EndlessStream extends QueryStream {

    @Override
    default boolean hasNext() {
        return true;
    }
}
