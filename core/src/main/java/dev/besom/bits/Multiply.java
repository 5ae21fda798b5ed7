package dev.besom.bits;

/** Other names of {@link FastRange}. */
public final class Multiply {

    private Multiply() {}

    /** {@link FastRange#place(long, long)}. */
    public static long toRange(long hash, long size) {
        return FastRange.place(hash, size);
    }

    /** {@link FastRange#start(long, long)}. */
    public static long rangeStart(long place, long size) {
        return FastRange.start(place, size);
    }
}
