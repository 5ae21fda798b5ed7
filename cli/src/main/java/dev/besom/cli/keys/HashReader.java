package dev.besom.cli.keys;

import java.io.Closeable;
import java.io.IOException;

/**
 * Reads keys in batches and gives their hashes. Memory is bounded by the longest key, not by the number of keys. What
 * can be had without waiting is a batch, so that somebody who types keys or pipes them in gets each answer at once.
 */
public abstract class HashReader implements Closeable {

    /** The most keys in a batch. */
    public static final int BATCH_SIZE = 4096;

    private final String name;
    private final long[] hashes = new long[BATCH_SIZE];

    /** @param name what error messages call the input */
    HashReader(String name) {
        this.name = name;
    }

    /**
     * Reads the next batch, of at least one key. 0 means that there are no more keys.
     *
     * @throws BadKeysException if the input is not of its format
     */
    public abstract int readBatch() throws IOException;

    /** The hashes of the batch's keys; overwritten by the next batch. */
    public final long[] hashes() {
        return hashes;
    }

    /** How often key {@code index} of the batch came, where the input tells; else 1. */
    public long count(int index) {
        return 1;
    }

    /** What a wasted read of key {@code index} of the batch costs, where the input tells; else 1. */
    public double cost(int index) {
        return 1;
    }

    /** Whether key {@code index} of the batch was found, where the input tells. */
    public Outcome outcome(int index) {
        return Outcome.UNKNOWN;
    }

    final String name() {
        return name;
    }

    /** What to throw where reading failed. */
    final IOException failed(IOException cause) {
        String message = cause.getMessage();
        return new IOException(name + ": " + (message == null ? cause.getClass().getSimpleName() : message), cause);
    }
}
