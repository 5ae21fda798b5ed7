package dev.besom.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One process of a service that checks API keys. Obeys lines on standard input, and answers each with a line:
 *
 * <pre>
 *   open WAY        checks keys that way from now on       ok
 *   check COUNT     looks up a stream of keys              found reads wasted nanoseconds
 *   valid KEY       looks one up                           true or false
 *   make KEY        makes one valid                        nanoseconds
 * </pre>
 *
 * The end of its input is its own end.
 */
final class ApiKeysWorker {

    /** Lookups that follow each other for one wrong key, and then for valid ones. */
    static final int WRONG_OF_BURST = 18;

    static final int RIGHT_OF_BURST = 2;

    /** How many wrong keys there are. */
    private static final int WRONG_KEYS = 500;

    /** Keys of another stream than the valid ones. */
    private static final long WRONG = 0x77726F6E67L;

    private final UrlSource source;
    private final String table;
    private final long seed;
    private final long count;
    private final SplittableRandom random;
    private @Nullable ApiKeys keys;

    private ApiKeysWorker(UrlSource source, String table, long seed, long count, int number) {
        this.source = source;
        this.table = table;
        this.seed = seed;
        this.count = count;
        this.random = new SplittableRandom(seed * 31 + number);
    }

    /**
     * Starts a worker.
     *
     * @param arguments the database, the table, the seed, the number of stored keys, the number of this process
     */
    public static void main(String[] arguments) throws IOException, SQLException {
        try (UrlSource source = new UrlSource(arguments[0]);
                BufferedReader commands =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            ApiKeysWorker worker = new ApiKeysWorker(
                    source,
                    arguments[1],
                    Long.parseLong(arguments[2]),
                    Long.parseLong(arguments[3]),
                    Integer.parseInt(arguments[4]));
            PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                answers.println(worker.obey(line.split(" ", 2)));
            }
            worker.closeKeys();
        }
    }

    private String obey(String[] command) throws SQLException {
        if (command[0].equals("open")) {
            closeKeys();
            keys = ApiKeys.Way.valueOf(command[1]).open(source, table);
            return "ok";
        }
        ApiKeys open = keys;
        if (open == null) {
            throw new IllegalStateException(command[0] + " before open");
        }
        return switch (command[0]) {
            case "check" -> check(open, Integer.parseInt(command[1]));
            case "valid" -> String.valueOf(open.isValid(command[1]));
            case "make" -> make(open, command[1]);
            default -> throw new IllegalArgumentException(command[0]);
        };
    }

    private static String make(ApiKeys open, String key) throws SQLException {
        long start = System.nanoTime();
        open.make(key);
        return String.valueOf(System.nanoTime() - start);
    }

    private String check(ApiKeys open, int lookups) throws SQLException {
        long readsBefore = open.reads();
        long wastedBefore = open.wastedReads();
        long found = 0;
        long start = System.nanoTime();
        String wrong = "";
        for (int i = 0; i < lookups; i++) {
            int place = i % (WRONG_OF_BURST + RIGHT_OF_BURST);
            if (place == 0) {
                double skewed = Math.pow(random.nextDouble(), 3);
                wrong = ApiKeys.key(seed ^ WRONG, (long) (skewed * WRONG_KEYS));
            }
            String key = place < WRONG_OF_BURST ? wrong : ApiKeys.key(seed, random.nextLong(count));
            found += open.isValid(key) ? 1 : 0;
        }
        long nanos = System.nanoTime() - start;
        return found + " " + (open.reads() - readsBefore) + " " + (open.wastedReads() - wastedBefore) + " " + nanos;
    }

    private void closeKeys() {
        if (keys != null) {
            keys.close();
        }
    }
}
