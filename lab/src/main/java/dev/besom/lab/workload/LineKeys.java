package dev.besom.lab.workload;

import dev.besom.hash.BytesHasher;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Keys that are lines of text. */
final class LineKeys extends FileKeys {

    private final BytesHasher hashing;
    private byte[] line = new byte[256];

    LineKeys(String name, InputStream in, long seed) {
        super(name, in);
        this.hashing = KeyHasher.bytes(seed);
    }

    @Override
    void read() throws IOException {
        int length = 0;
        int next = readByte();
        if (next < 0) {
            return;
        }
        while (next >= 0 && next != '\n') {
            if (length == line.length) {
                line = Arrays.copyOf(line, Math.multiplyExact(length, 2));
            }
            line[length++] = (byte) next;
            next = readByte();
        }
        if (next == '\n' && length > 0 && line[length - 1] == '\r') {
            length--;
        }
        found(hashing.hash(line, 0, length));
    }
}
