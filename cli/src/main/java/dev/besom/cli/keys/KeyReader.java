package dev.besom.cli.keys;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Reads keys in batches: their hashes, and the keys themselves for as long as the batch lasts. */
public abstract class KeyReader extends HashReader {

    private final InputStream in;

    /** @param name what error messages call the input */
    KeyReader(String name, InputStream in) {
        super(name);
        this.in = in;
    }

    /** Writes key {@code index} of the batch as a line of text would hold it, without a line's end. */
    public abstract void writeKey(int index, OutputStream out) throws IOException;

    /** Key {@code index} of the batch: a {@code String} or a {@code Long}. */
    public abstract Object key(int index);

    /** Reads at least one byte, or returns -1 at the end. */
    final int read(byte[] target, int from, int count) throws IOException {
        try {
            return in.read(target, from, count);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
