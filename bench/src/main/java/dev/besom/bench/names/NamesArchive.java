package dev.besom.bench.names;

import dev.besom.bench.NpmArchive;
import dev.besom.hash.KeyHasher;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Names and their weights out of a package of a public registry: a gzipped tar archive with a JSON object of numbers by
 * name, such as {@code {"left-pad": 12345, ...}}. Only the names' hashes are kept.
 */
final class NamesArchive {

    private final KeyHasher<CharSequence> hasher = KeyHasher.utf8();
    private long[] hashes = new long[1 << 20];
    private double[] weights = new double[1 << 20];
    private int size;

    private NamesArchive() {}

    /** Reads the entry of that name. */
    static NamesArchive read(Path archive, String entry) throws IOException {
        try (InputStream in = NpmArchive.open(archive, entry)) {
            NamesArchive names = new NamesArchive();
            names.parse(in);
            return names;
        }
    }

    /** Reads one object whose values are numbers or null; names with weight 0 or none are left out. */
    private void parse(InputStream in) throws IOException {
        expect(in, '{');
        byte[] buffer = new byte[1 << 12];
        int next = nextVisible(in);
        while (next == '"') {
            int length = 0;
            boolean plain = true;
            for (int c = required(in); c != '"'; c = required(in)) {
                if (length + 2 > buffer.length) {
                    buffer = Arrays.copyOf(buffer, 2 * length);
                }
                plain &= c != '\\';
                buffer[length++] = (byte) c;
                if (c == '\\') {
                    buffer[length++] = (byte) required(in);
                }
            }
            expect(in, ':');
            int start = length;
            for (next = nextVisible(in); next != ',' && next != '}'; next = nextVisible(in)) {
                buffer[length++] = (byte) next;
            }
            String number = new String(buffer, start, length - start, StandardCharsets.US_ASCII);
            double weight = number.equals("null") ? 0 : Double.parseDouble(number);
            // No registry allows names that need escaping.
            if (plain && weight > 0) {
                add(hasher.hash(new String(buffer, 0, start, StandardCharsets.UTF_8)), weight);
            }
            next = next == ',' ? nextVisible(in) : next;
        }
        if (next != '}') {
            throw new IOException("not an object of numbers by name");
        }
    }

    private void add(long hash, double weight) {
        if (size == hashes.length) {
            hashes = Arrays.copyOf(hashes, 2 * size);
            weights = Arrays.copyOf(weights, 2 * size);
        }
        hashes[size] = hash;
        weights[size] = weight;
        size++;
    }

    private static int required(InputStream in) throws IOException {
        int c = in.read();
        if (c < 0) {
            throw new EOFException("the names end in the middle");
        }
        return c;
    }

    private static int nextVisible(InputStream in) throws IOException {
        int c = required(in);
        while (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
            c = required(in);
        }
        return c;
    }

    private static void expect(InputStream in, int wanted) throws IOException {
        int c = nextVisible(in);
        if (c != wanted) {
            throw new IOException("'" + (char) wanted + "' expected, not '" + (char) c + "'");
        }
    }

    int size() {
        return size;
    }

    long hash(int index) {
        return hashes[index];
    }

    double weight(int index) {
        return weights[index];
    }
}
