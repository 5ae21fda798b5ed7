package dev.besom.lab.experiment;

import dev.besom.hash.Mix;
import java.util.Arrays;
import java.util.IdentityHashMap;

/**
 * The memory that one operation touches: the distinct words of {@code long[]} arrays, and the cache lines that they are in.
 * Classes of a {@link FootprintLoader} tell it of each access. For one thread.
 */
public final class Footprint {

    private static final int SLOTS = 1 << 13;
    private static final int INDEX_BITS = 40;

    /** An array's header takes two words, and large arrays start at a cache line. */
    private static final int HEADER_WORDS = 2;

    private static final int WORDS_PER_LINE_SHIFT = 3;

    private static final Watch WATCH = new Watch();

    private Footprint() {}

    /** Leaves out arrays that are no part of a structure, such as scratch space. */
    static void ignore(Object... scratch) {
        WATCH.ignored = scratch.clone();
    }

    /** Starts with nothing touched. */
    static void start() {
        WATCH.clear();
        WATCH.isOn = true;
    }

    static void stop() {
        WATCH.isOn = false;
    }

    /** Distinct words touched since the start. */
    static int words() {
        return WATCH.words;
    }

    /** Distinct cache lines of 64 bytes touched since the start. */
    static int lines() {
        return WATCH.lines;
    }

    /** Instead of {@code array[index]}. */
    public static long load(long[] array, int index) {
        if (WATCH.isOn) {
            WATCH.touch(array, index);
        }
        return array[index];
    }

    /** Instead of {@code array[index] = value}. */
    public static void store(long[] array, int index, long value) {
        if (WATCH.isOn) {
            WATCH.touch(array, index);
        }
        array[index] = value;
    }

    /** Instead of {@link System#arraycopy}. */
    @SuppressWarnings("SuspiciousSystemArraycopy") // The caller's types are not known here.
    public static void copy(Object from, int fromIndex, Object to, int toIndex, int length) {
        if (WATCH.isOn && from instanceof long[]) {
            for (int i = 0; i < length; i++) {
                WATCH.touch(from, fromIndex + i);
                WATCH.touch(to, toIndex + i);
            }
        }
        System.arraycopy(from, fromIndex, to, toIndex, length);
    }

    /** Instead of {@link Arrays#copyOf(long[], int)}. */
    public static long[] copyOf(long[] array, int length) {
        long[] copy = Arrays.copyOf(array, length);
        if (WATCH.isOn) {
            for (int i = 0; i < Math.min(array.length, length); i++) {
                WATCH.touch(array, i);
                WATCH.touch(copy, i);
            }
        }
        return copy;
    }

    /** What was touched so far. */
    private static final class Watch {

        private final IdentityHashMap<Object, Long> arrays = new IdentityHashMap<>();
        private final long[] wordSet = new long[SLOTS];
        private final long[] lineSet = new long[SLOTS];
        private Object[] ignored = {};
        private boolean isOn;
        private int words;
        private int lines;

        void clear() {
            Arrays.fill(wordSet, 0);
            Arrays.fill(lineSet, 0);
            arrays.clear();
            words = 0;
            lines = 0;
        }

        void touch(Object array, int index) {
            for (Object each : ignored) {
                if (each == array) {
                    return;
                }
            }
            long space = arrays.computeIfAbsent(array, any -> arrays.size() + 1L) << INDEX_BITS;
            words += add(wordSet, space + index);
            lines += add(lineSet, space + ((index + HEADER_WORDS) >>> WORDS_PER_LINE_SHIFT));
        }

        /** Adds to a set of numbers other than 0; 1 if it is new. */
        private static int add(long[] set, long number) {
            int at = (int) Mix.mix(number) & (SLOTS - 1);
            for (int steps = 0; set[at] != 0; steps++) {
                if (set[at] == number) {
                    return 0;
                }
                if (steps == SLOTS / 2) {
                    throw new IllegalStateException("an operation touches more than " + SLOTS / 2 + " words");
                }
                at = (at + 1) & (SLOTS - 1);
            }
            set[at] = number;
            return 1;
        }
    }
}
