package dev.besom.cli.keys;

import dev.besom.hash.BytesHasher;
import java.io.InputStream;

/** Keys that are lines of text. */
final class TextReader extends LineReader {

    private final BytesHasher hashing;
    private final boolean mustBeUtf8;

    /** @param mustBeUtf8 whether a line that is not well-formed UTF-8 is refused; else its bytes are the key */
    TextReader(String name, InputStream in, BytesHasher hashing, boolean mustBeUtf8) {
        super(name, in);
        this.hashing = hashing;
        this.mustBeUtf8 = mustBeUtf8;
    }

    @Override
    long hash(int index, byte[] bytes, int from, int to) {
        if (mustBeUtf8 && !Utf8.isWellFormed(bytes, from, to)) {
            throw refuse(index, "is not valid UTF-8");
        }
        return hashing.hash(bytes, from, to - from);
    }
}
