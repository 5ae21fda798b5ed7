package dev.besom.bench;

import dev.besom.filters.Filters;
import dev.besom.lab.race.Contenders;
import dev.besom.lab.race.Machine;
import dev.besom.spi.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs all benchmarks and writes their table into a document. {@code bench/refresh} calls it.
 *
 * <pre>
 *   [--quick] [--n N,...] [--kinds K,...] [--log FILE] DOCUMENT
 * </pre>
 */
public final class Refresh {

    /** The name of the document's part. */
    static final String MARK = "jmh";

    /** What a JVM takes to start and to fill its filter, about, with a million keys. */
    private static final double FORK_SECONDS = 2;

    private final List<String> arguments;
    private boolean isQuick;
    private String counts = "";
    private List<String> names = Suite.everybody();
    private Path log = Path.of("jmh.log");
    private Path document = Path.of("");

    private Refresh(String[] arguments) {
        this.arguments = List.of(arguments);
    }

    /** Ends with 1 if the arguments make no sense or a query of Besom's allocates. */
    public static void main(String[] arguments) throws IOException, RunnerException {
        Refresh refresh = new Refresh(arguments);
        try {
            refresh.parse();
        } catch (IllegalArgumentException e) {
            System.err.println("refresh: " + e.getMessage());
            System.exit(1);
        }
        ScoreTable table = new ScoreTable(refresh.measure());
        refresh.write(table);
        List<String> allocating =
                table.allocating(Filters.kinds().stream().map(Kind::name).toList());
        if (!allocating.isEmpty()) {
            System.err.println("refresh: queries allocate: " + String.join(", ", allocating));
            System.exit(1);
        }
    }

    private void parse() throws IOException {
        List<String> rest = new ArrayList<>(arguments);
        while (!rest.isEmpty()) {
            String word = rest.remove(0);
            switch (word) {
                case "--quick" -> isQuick = true;
                case "--n" -> counts = value(word, rest);
                case "--kinds" -> names = List.of(value(word, rest).split(",", -1));
                case "--log" -> log = Path.of(value(word, rest));
                default -> document = Path.of(word);
            }
        }
        names.forEach(name -> Contenders.find(name, 0));
        if (counts.isEmpty()) {
            counts = isQuick ? "100000" : "1000000";
        }
        if (!counts.matches("[1-9][0-9]{3,8}(,[1-9][0-9]{3,8})*")) {
            throw new IllegalArgumentException("--n: must be numbers from 1000 to 999999999, not '" + counts + "'");
        }
        if (!Files.isRegularFile(document)) {
            throw new IllegalArgumentException(document + ": no such file");
        }
        // Found out before the measurements, not after them.
        MarkedPart.replace(Files.readString(document), MARK, "");
    }

    private static String value(String option, List<String> rest) {
        if (rest.isEmpty()) {
            throw new IllegalArgumentException(option + ": needs a value");
        }
        return rest.remove(0);
    }

    private List<Score> measure() throws RunnerException {
        List<RunResult> results = new ArrayList<>();
        long runs = runs();
        System.err.printf(
                Locale.ROOT,
                "refresh: %d benchmarks, about %.0f minutes%n",
                runs,
                Math.ceil(runs * secondsARun() / 60));
        for (Suite suite : Suite.values()) {
            List<String> contenders = suite.contenders(names);
            if (contenders.isEmpty()) {
                continue;
            }
            System.err.println("refresh: " + suite + ", " + contenders.size() + " contenders; " + log + " shows more");
            results.addAll(new Runner(options(suite, contenders).build()).run());
        }
        return Score.of(results);
    }

    private long runs() {
        long perCount = Arrays.stream(Suite.values())
                .mapToLong(suite ->
                        (long) suite.benchmarks() * suite.contenders(names).size())
                .sum();
        return perCount * counts.split(",", -1).length;
    }

    private double secondsARun() {
        return FORK_SECONDS + (warmUps() + measurements()) * iterationMillis() / 1000.0;
    }

    private int warmUps() {
        return isQuick ? 2 : 3;
    }

    private int measurements() {
        return isQuick ? 3 : 5;
    }

    private int iterationMillis() {
        return isQuick ? 100 : 500;
    }

    private ChainedOptionsBuilder options(Suite suite, List<String> contenders) {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(suite.pattern())
                .param("kind", contenders.toArray(String[]::new))
                .param("n", counts.split(",", -1))
                .forks(1)
                .warmupIterations(warmUps())
                .warmupTime(time(iterationMillis()))
                .measurementIterations(measurements())
                .measurementTime(time(iterationMillis()))
                .shouldFailOnError(true)
                .output(log.resolveSibling(suite.name().toLowerCase(Locale.ROOT) + "-" + log.getFileName())
                        .toString());
        return suite == Suite.QUERY ? options.addProfiler(GCProfiler.class) : options;
    }

    private static TimeValue time(int milliseconds) {
        return new TimeValue(milliseconds, TimeUnit.MILLISECONDS);
    }

    private void write(ScoreTable table) throws IOException {
        List<String> shown = new ArrayList<>(arguments);
        shown.remove(document.toString());
        int logAt = shown.indexOf("--log");
        if (logAt >= 0) {
            shown.subList(logAt, logAt + 2).clear();
        }
        String content = content(table, "bench/refresh" + (shown.isEmpty() ? "" : " " + String.join(" ", shown)));
        Files.writeString(document, MarkedPart.replace(Files.readString(document), MARK, content));
        System.out.print(content);
    }

    /** What stands between the marks. */
    static String content(ScoreTable table, String command) {
        return "\nCommand: `" + command + "`. " + Machine.description() + "\n\n"
                + "Nanoseconds an operation with the half width of the 99.9 % confidence interval; building, saving and\n"
                + "loading for each key of the filter.\n\n"
                + table.markdown() + "\n";
    }
}
