package dev.besom.lab.workload;

import dev.besom.hash.KeyHasher;
import dev.besom.hash.LongHasher;
import java.io.IOException;
import java.io.InputStream;

/** Keys that are decimal numbers, one a line. */
final class DecimalKeys extends FileKeys {

    private static final int LONGEST = 20;

    private final LongHasher hashing;
    private final StringBuilder line = new StringBuilder(LONGEST);
    private long lineNumber;

    DecimalKeys(String name, InputStream in, long seed) {
        super(name, in);
        this.hashing = KeyHasher.longs(seed);
    }

    @Override
    void read() throws IOException {
        int next = readByte();
        if (next < 0) {
            return;
        }
        lineNumber++;
        line.setLength(0);
        while (next >= 0 && next != '\n') {
            if (line.length() <= LONGEST + 1) {
                line.append((char) next);
            }
            next = readByte();
        }
        if (line.length() > 0 && line.charAt(line.length() - 1) == '\r') {
            line.setLength(line.length() - 1);
        }
        try {
            found(hashing.hash(Long.parseLong(line, 0, line.length(), 10)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    name() + ": line " + lineNumber + " is not a decimal number of 64 bits: '" + line + "'", e);
        }
    }
}
