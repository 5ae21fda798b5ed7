package dev.besom.lab.guard;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;

/**
 * Takes one measurement and prints it.
 *
 * <pre>
 *   overhead [n]    a miss at a guard beside a miss at the bare filter; default 1,000,000 keys
 *   threads [n]     misses by two threads beside one
 *   rebuild [n]     a filter from a file of sorted hashes; default 100,000,000
 *   growth [n]      times of lookups while all shards of a guard grow; default 10,000,000
 *   payonce [n]     wasted reads on Zipf misses over 10 n keys, 20 a stored key, beside a Bloom filter of equal memory
 * </pre>
 */
public final class GuardLab {

    private GuardLab() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        PrintStream out = System.out;
        String name = arguments.length > 0 ? arguments[0] : "";
        int given = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 0;
        switch (name) {
            case "overhead" -> MissCost.overhead(given > 0 ? given : 1_000_000, out);
            case "threads" -> MissCost.threads(given > 0 ? given : 1_000_000, out);
            case "rebuild" -> Rebuild.run(given > 0 ? given : 100_000_000, out);
            case "growth" -> GrowthPause.run(given > 0 ? given : 10_000_000, out);
            case "payonce" -> PayOnce.run(given > 0 ? given : 1_000_000, out);
            default -> out.println("one of: overhead, threads, rebuild, growth, payonce; then a number of keys");
        }
    }

    static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
