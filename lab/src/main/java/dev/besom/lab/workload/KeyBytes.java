package dev.besom.lab.workload;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;

/** Turns the bytes of a key into its 64-bit number. */
final class KeyBytes {

    private final Hasher64 hasher;

    KeyBytes(long seed) {
        this.hasher = Hashing.komihash5_0(seed);
    }

    long hash(byte[] bytes, int from, int count) {
        return hasher.hashBytesToLong(bytes, from, count);
    }
}
