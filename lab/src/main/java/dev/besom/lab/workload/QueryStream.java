package dev.besom.lab.workload;

/** Keys to ask for, one after the other. Generated streams never end; streams from files do. */
public interface QueryStream extends AutoCloseable {

    boolean hasNext();

    /**
     * The next key.
     *
     * @throws java.util.NoSuchElementException if there is none
     */
    long next();

    /** Gives back what the stream holds open. */
    @Override
    default void close() {}
}
