package dev.besom.spark;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Builds a filter from the command line of {@code spark-submit}.
 *
 * <pre>
 *   --sql QUERY          a query whose rows have the keys; or
 *   --input PATH         a file or folder, of the format
 *   --format F           parquet by default; csv, json, orc, text, ... as Spark reads them
 *   --column NAME        the column of the keys
 *   --output PATH        a file or, with --shards, a folder; neither may exist
 *   --kind K             fuse by default
 *   --fpp E              0.01 by default
 *   --shards N           how many; auto for one for each 16,777,216 keys
 *   --expected-keys N    where the number is known, so that rows are not counted first
 * </pre>
 */
public final class BuildFilter {

    private static final Set<String> OPTIONS = Set.of(
            "--sql", "--input", "--format", "--column", "--output", "--kind", "--fpp", "--shards", "--expected-keys");

    private BuildFilter() {}

    /** Builds, prints a line, and throws what went wrong. */
    public static void main(String[] arguments) throws IOException {
        SparkSession session = SparkSession.builder().getOrCreate();
        try {
            run(session, System.out, arguments);
        } finally {
            session.stop();
        }
    }

    static void run(SparkSession session, PrintStream out, String... arguments) throws IOException {
        Map<String, String> options = parse(arguments);
        FilterBuild build = FilterBuild.of(table(session, options), required(options, "--column"))
                .kind(options.getOrDefault("--kind", "fuse"))
                .fpp(Double.parseDouble(options.getOrDefault("--fpp", "0.01")));
        if (options.containsKey("--expected-keys")) {
            build.expectedKeys(Long.parseLong(options.get("--expected-keys")));
        }
        String shards = options.get("--shards");
        String output = required(options, "--output");
        BuildReport report;
        if (shards == null) {
            report = build.toFile(output);
        } else {
            report = shards.toLowerCase(Locale.ROOT).equals("auto")
                    ? build.toFolder(output)
                    : build.shards(Integer.parseInt(shards)).toFolder(output);
        }
        out.println(output + ": " + report);
    }

    private static Map<String, String> parse(String... arguments) {
        Map<String, String> options = new TreeMap<>();
        Deque<String> left = new ArrayDeque<>(Arrays.asList(arguments));
        while (!left.isEmpty()) {
            String option = left.removeFirst();
            if (!OPTIONS.contains(option)) {
                throw new IllegalArgumentException("unknown option " + option + "; known: " + OPTIONS);
            }
            if (left.isEmpty()) {
                throw new IllegalArgumentException(option + " needs a value");
            }
            options.put(option, left.removeFirst());
        }
        return options;
    }

    private static Dataset<Row> table(SparkSession session, Map<String, String> options) {
        String sql = options.get("--sql");
        return sql != null
                ? session.sql(sql)
                : session.read()
                        .format(options.getOrDefault("--format", "parquet"))
                        .load(required(options, "--input"));
    }

    private static String required(Map<String, String> options, String name) {
        String value = options.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return value;
    }
}
