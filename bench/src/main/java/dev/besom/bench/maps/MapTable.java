package dev.besom.bench.maps;

import dev.besom.hash.Mix;
import dev.besom.lab.race.Machine;
import dev.besom.lab.race.ProcessorClock;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

/**
 * Bytes a key and time a lookup of maps from numbers to values of 8 bits: those that keep their keys, functions of sux4j and
 * Besom's maps, the last two with fingerprints of 8 bits. Keys go in, not hashes.
 *
 * <p>Each contender is measured in JVMs of its own, in turn, so that the compiler sees one class; medians are printed. Bytes are
 * those of the heap after a collection.
 *
 * <pre>
 *   bench/run maps.MapTable [N [JVMS]]
 * </pre>
 */
public final class MapTable {

    private static final long SEED = 20_240_603;
    private static final int WARM_UPS = 4;
    private static final int TURNS = 5;
    private static final int SMALL = 10_000;

    private MapTable() {}

    /** What one JVM has found out. */
    record Measured(double bytesPerKey, double hitNs, double missNs, double foundOfAbsent) {

        static Measured parse(String line) {
            double[] numbers = Arrays.stream(line.split(" ", -1))
                    .mapToDouble(Double::parseDouble)
                    .toArray();
            return new Measured(numbers[0], numbers[1], numbers[2], numbers[3]);
        }

        String line() {
            return String.format(Locale.ROOT, "%.3f %.3f %.3f %.6f", bytesPerKey, hitNs, missNs, foundOfAbsent);
        }
    }

    /** Arguments: keys (10^6), JVMs for each contender (3); or a contender and a number of keys, to be measured here. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length == 2 && !Character.isDigit(arguments[0].charAt(0))) {
            System.out.println(measure(Rival.valueOf(arguments[0]), Integer.parseInt(arguments[1]))
                    .line());
            return;
        }
        int n = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1_000_000;
        int jvms = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
        Map<Rival, List<Measured>> all = new EnumMap<>(Rival.class);
        for (int turn = 0; turn < jvms; turn++) {
            for (Rival rival : Rival.values()) {
                all.computeIfAbsent(rival, first -> new ArrayList<>()).add(measureApart(rival, n));
            }
        }
        System.out.println("| map | bytes a key | hit, ns | miss, ns | absent keys with a value |");
        System.out.println("| --- | --: | --: | --: | --: |");
        all.forEach((rival, measured) -> System.out.println(row(rival, measured)));
        System.out.println();
        System.out.printf(Locale.ROOT, "n = %,d, medians of %d JVMs. %s%n", n, jvms, Machine.description());
    }

    private static String row(Rival rival, List<Measured> measured) {
        return String.format(
                Locale.ROOT,
                "| `%s` | %.2f | %.1f | %.1f | %.2f %% |",
                rival.label(),
                median(measured.stream().mapToDouble(Measured::bytesPerKey).toArray()),
                median(measured.stream().mapToDouble(Measured::hitNs).toArray()),
                median(measured.stream().mapToDouble(Measured::missNs).toArray()),
                100
                        * median(measured.stream()
                                .mapToDouble(Measured::foundOfAbsent)
                                .toArray()));
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static Measured measureApart(Rival rival, int n) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:+UseSerialGC",
                        "-Xmx2g",
                        "-cp",
                        ManagementFactory.getRuntimeMXBean().getClassPath(),
                        MapTable.class.getName(),
                        rival.name(),
                        Integer.toString(n))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IOException(rival.label() + " could not be measured");
        }
        return Measured.parse(output.substring(output.lastIndexOf('\n') + 1));
    }

    /** Measures a contender in this JVM. */
    static Measured measure(Rival rival, int n) {
        long[] keys = keys(n, 1);
        long[] values = LongStream.range(0, n)
                .map(i -> Mix.expand(i, SEED, 3) >>> (Long.SIZE - Rival.VALUE_BITS))
                .toArray();
        long[] absent = keys(n, 2);
        // Classes and what their jars keep in memory come first.
        LongUnaryOperator small = rival.of(Arrays.copyOf(keys, SMALL), Arrays.copyOf(values, SMALL));
        if (small.applyAsLong(keys[0]) != values[0]) {
            throw new IllegalStateException(rival.label() + " has a wrong value in a small map");
        }
        long before = heap();
        LongUnaryOperator map = rival.of(keys, values);
        double bytes = (heap() - before) / (double) n;
        long found = 0;
        for (int i = 0; i < n; i++) {
            if (map.applyAsLong(keys[i]) != values[i]) {
                throw new IllegalStateException(rival.label() + " has a wrong value of key " + i);
            }
            found += map.applyAsLong(absent[i]) == Rival.ABSENT ? 0 : 1;
        }
        // Looked up in another order than that of the build.
        long[] hits = shuffled(keys);
        double hitNs = nanos(map, hits);
        double missNs = nanos(map, absent);
        return new Measured(bytes, hitNs, missNs, found / (double) n);
    }

    private static long[] keys(int n, long stream) {
        return LongStream.range(0, n).map(i -> Mix.expand(i, SEED, stream)).toArray();
    }

    private static long[] shuffled(long[] keys) {
        long[] shuffled = keys.clone();
        for (int i = shuffled.length - 1; i > 0; i--) {
            int other = (int) Long.remainderUnsigned(Mix.expand(i, SEED, 4), i + 1L);
            long key = shuffled[i];
            shuffled[i] = shuffled[other];
            shuffled[other] = key;
        }
        return shuffled;
    }

    /** The best of some turns over all keys. */
    private static double nanos(LongUnaryOperator map, long[] keys) {
        double best = Double.POSITIVE_INFINITY;
        long sum = 0;
        for (int turn = 0; turn < WARM_UPS + TURNS; turn++) {
            long start = ProcessorClock.nanos();
            for (long key : keys) {
                sum += map.applyAsLong(key);
            }
            long time = ProcessorClock.nanos() - start;
            best = turn < WARM_UPS ? best : Math.min(best, time / (double) keys.length);
        }
        // Never so, but the compiler does not know.
        return sum == Long.MIN_VALUE ? Double.NaN : best;
    }

    private static long heap() {
        Runtime runtime = Runtime.getRuntime();
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
        }
        return used;
    }
}
