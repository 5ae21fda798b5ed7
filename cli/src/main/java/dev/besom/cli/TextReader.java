package dev.besom.cli;

import dev.besom.hash.BytesHasher;
import java.io.InputStream;

/** Keys that are lines of UTF-8 text. */
final class TextReader extends LineReader {

    private final BytesHasher hashing;

    TextReader(String name, InputStream in, BytesHasher hashing) {
        super(name, in);
        this.hashing = hashing;
    }

    @Override
    long hash(int index, byte[] bytes, int from, int to) {
        if (!Utf8.isWellFormed(bytes, from, to)) {
            throw refuse(index, "is not valid UTF-8");
        }
        return hashing.hash(bytes, from, to - from);
    }
}
