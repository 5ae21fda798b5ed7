package dev.besom;

import java.util.Arrays;
import java.util.function.LongConsumer;

/** Gathers longs into an array. */
final class LongCollector implements LongConsumer {

    private long[] values = new long[8];
    private int size;

    @Override
    public void accept(long value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = value;
    }

    long[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
