package dev.besom.lab.workload;

/** Keys to ask for, one after the other. Generated streams never end, but for a single pass; streams from files do. */
public interface QueryStream extends AutoCloseable {

    boolean hasNext();

    /**
     * The next key.
     *
     * @throws java.util.NoSuchElementException if there is none
     */
    long next();

    /** What a wasted read of the key that {@link #next()} gave last would cost, where the stream tells; else 1. */
    default double cost() {
        return 1;
    }

    /** Gives back what the stream holds open. */
    @Override
    default void close() {}
}
