package dev.besom.cli.keys;

import dev.besom.hash.LongHasher;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Keys that are {@code long} numbers, in decimal, one a line. */
final class DecimalReader extends LineReader {

    /** How much of a bad line a message repeats. */
    private static final int QUOTED_BYTES = 40;

    private final LongHasher hashing;
    private final long[] values = new long[BATCH_SIZE];

    DecimalReader(String name, InputStream in, LongHasher hashing) {
        super(name, in);
        this.hashing = hashing;
    }

    @Override
    long hash(int index, byte[] bytes, int from, int to) {
        values[index] = parse(index, bytes, from, to);
        return hashing.hash(values[index]);
    }

    @Override
    public Object key(int index) {
        return values[index];
    }

    /** Counts down from 0, because the negative numbers have one more. */
    private long parse(int index, byte[] bytes, int from, int to) {
        boolean signed = from < to && (bytes[from] == '-' || bytes[from] == '+');
        boolean negative = signed && bytes[from] == '-';
        int digits = signed ? from + 1 : from;
        boolean valid = digits < to;
        long value = 0;
        for (int i = digits; valid && i < to; i++) {
            int digit = bytes[i] - '0';
            valid = digit >= 0 && digit <= 9 && (value > Long.MIN_VALUE / 10 || fitsLast(value, digit));
            value = value * 10 - digit;
        }
        if (!valid || (!negative && value == Long.MIN_VALUE)) {
            throw refuse(index, "is not a 64-bit whole number: '" + quote(bytes, from, to) + "'");
        }
        return negative ? value : -value;
    }

    private static boolean fitsLast(long value, int digit) {
        return value == Long.MIN_VALUE / 10 && digit <= -(Long.MIN_VALUE % 10);
    }

    private static String quote(byte[] bytes, int from, int to) {
        int shown = Math.min(to - from, QUOTED_BYTES);
        String text = new String(bytes, from, shown, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?");
        return to - from > shown ? text + "..." : text;
    }
}
