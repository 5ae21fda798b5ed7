package dev.besom.bench.guard;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;

/**
 * Takes one measurement and prints it.
 *
 * <pre>
 *   overhead [n] [kind] [mixed]  a miss at a guard beside a miss at the bare filter; default 1,000,000 keys; mixed: after
 *                                guards of all other kinds have been asked in the same process
 *   parts [n] [kind]             where the time of a miss goes, beside a Bloom filter of equal memory
 *   threads [n] [kind]           misses by two threads beside one
 *   rebuild [n]                  a filter from a file of sorted hashes; default 100,000,000
 *   growth [n] [kind]            times of lookups while all shards of a guard grow; default 10,000,000
 *   payonce [n]                  wasted reads on Zipf misses over 10 n keys, 20 a stored key, beside a Bloom filter of
 *                                equal memory
 *   repairs [n] [kind]           reads of the store that false positives cost under each policy of repairs; default
 *                                100,000
 *   bulk [n] [kind]              lookups of 10,000 keys at once beside one by one, over RocksDB; default 1,000,000
 *   fence [n]                    puts into PostgreSQL with and without a guard's fence; default 3,000
 *   fleet [n]                    announcements and puts of n keys with 2, 4 and 8 members before PostgreSQL, and lookups in
 *                                a fleet beside those alone; default 1,000
 * </pre>
 */
public final class GuardLab {

    private GuardLab() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        PrintStream out = System.out;
        String name = arguments.length > 0 ? arguments[0] : "";
        int given = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 0;
        String kind = arguments.length > 2 ? arguments[2] : "telescoping";
        boolean isMixed = arguments.length > 3 && arguments[3].equals("mixed");
        switch (name) {
            case "overhead" -> MissCost.overhead(kind, isMixed, given > 0 ? given : 1_000_000, out);
            case "parts" -> LookupParts.run(kind, given > 0 ? given : 1_000_000, out);
            case "threads" -> MissCost.threads(kind, given > 0 ? given : 1_000_000, out);
            case "rebuild" -> Rebuild.run(given > 0 ? given : 100_000_000, out);
            case "growth" -> GrowthPause.run(kind, given > 0 ? given : 10_000_000, out);
            case "payonce" -> PayOnce.run(given > 0 ? given : 1_000_000, out);
            case "repairs" -> RepairReads.run(kind, given > 0 ? given : 100_000, out);
            case "bulk" -> BulkCost.run(kind, given > 0 ? given : 1_000_000, out);
            case "fence" -> FenceCost.run(given > 0 ? given : 3_000, out);
            case "fleet" -> FleetCost.run(given > 0 ? given : 1_000, out);
            default ->
                out.println(
                        "one of: overhead, parts, threads, rebuild, growth, payonce, repairs, bulk, fence, fleet; then a number of keys and a kind of filter");
        }
    }

    static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
