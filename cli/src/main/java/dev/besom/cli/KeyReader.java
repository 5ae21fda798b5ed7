package dev.besom.cli;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Reads keys in batches: their hashes, and the keys themselves for as long as the batch lasts. Memory is bounded by the
 * longest key, not by the number of keys. What can be had without waiting is a batch, so that somebody who types keys
 * or pipes them in gets each answer at once.
 */
abstract class KeyReader implements Closeable {

    /** The most keys in a batch. */
    static final int BATCH_SIZE = 4096;

    private final String name;
    private final InputStream in;
    private final long[] hashes = new long[BATCH_SIZE];

    /** @param name what error messages call the input */
    KeyReader(String name, InputStream in) {
        this.name = name;
        this.in = in;
    }

    /** Reads the next batch, of at least one key. 0 means that there are no more keys. */
    abstract int readBatch() throws IOException;

    /** The hashes of the batch's keys. */
    final long[] hashes() {
        return hashes;
    }

    /** Writes key {@code index} of the batch as a line of text would hold it, without a line's end. */
    abstract void writeKey(int index, OutputStream out) throws IOException;

    /** Writes key {@code index} of the batch as a JSON value. */
    abstract void writeKey(int index, JsonWriter json) throws IOException;

    final String name() {
        return name;
    }

    /** Reads at least one byte, or returns -1 at the end. */
    final int read(byte[] target, int from, int count) throws IOException {
        try {
            return in.read(target, from, count);
        } catch (IOException e) {
            throw new IOException(name + ": " + InputOutput.describe(e), e);
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
