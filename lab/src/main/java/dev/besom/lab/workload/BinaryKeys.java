package dev.besom.lab.workload;

import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import java.io.IOException;
import java.io.InputStream;

/** Keys that are little-endian numbers of eight bytes. */
final class BinaryKeys extends FileKeys {

    private final LongHasher hashing;
    private long keysRead;

    BinaryKeys(String name, InputStream in, long seed) {
        super(name, in);
        this.hashing = KeyHasher.longs(seed);
    }

    @Override
    void read() throws IOException {
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            int next = readByte();
            if (next < 0) {
                if (i > 0) {
                    throw new IllegalArgumentException(name() + ": its length of " + (keysRead * Long.BYTES + i)
                            + " bytes is not a multiple of " + Long.BYTES);
                }
                return;
            }
            value |= (long) next << (i * Byte.SIZE);
        }
        keysRead++;
        found(hashing.hash(value));
    }
}
