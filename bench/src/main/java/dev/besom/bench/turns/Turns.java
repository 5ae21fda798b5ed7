package dev.besom.bench.turns;

import dev.besom.lab.race.Machine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Prints how fast filters are beside each other, as Markdown. Each contender has a JVM of its own, all of them live at the same
 * time, and one is at work for some milliseconds while the others wait. What other tenants of a machine do to its memory and
 * caches changes from second to second, and so hits all contenders alike: trust the ratios.
 *
 * <pre>
 *   bench/run turns.Turns KIND,... N [FPP [ROUNDS [QUERIES]]]
 * </pre>
 *
 * Times include hashing. Each round has new JVMs; times are medians over the rounds, and x is the median of the ratios to the first
 * contender in each round. With QUERIES adaptive filters have answered, and repaired, so many queries a key before. A contender
 * {@code other:KIND} has the classes of another state of the code, which {@code -Dbesom.other=CLASSPATH} in
 * {@code BESOM_JAVA_OPTIONS} names.
 */
final class Turns {

    /** Before the name of a contender whose classes are those of the property {@value #OTHER_CLASSES}. */
    private static final String OTHER_PREFIX = "other:";

    private static final String OTHER_CLASSES = "besom.other";

    private static final List<String> QUERIES = List.of("miss", "hit", "bulk");
    private static final List<String> FILLS = List.of("fill", "fill-bulk");
    private static final List<String> OPERATIONS =
            Stream.concat(QUERIES.stream(), FILLS.stream()).toList();

    /** Beyond this many keys a filter is filled once in each way, and three times below. */
    private static final int MANY_KEYS = 20_000_000;

    private static final int PASSES = 5;

    private final List<Contestant> contestants = new ArrayList<>();
    private final int keyCount;
    private final String fpp;

    private Turns(String[] names, int keyCount, String fpp) {
        this.keyCount = keyCount;
        this.fpp = fpp;
        for (String name : names) {
            contestants.add(new Contestant(name));
        }
    }

    /** Arguments: contenders, number of keys, false-positive rate (0.01), rounds (5), queries a key before (0). */
    public static void main(String[] arguments) {
        if (arguments.length < 2 || arguments.length > 5) {
            System.err.println("usage: Turns KIND,... N [FPP [ROUNDS [QUERIES]]]");
            System.exit(1);
        }
        int keyCount = Integer.parseInt(arguments[1]);
        String fpp = arguments.length > 2 ? arguments[2] : "0.01";
        int rounds = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 5;
        int queriesBefore = arguments.length > 4 ? Integer.parseInt(arguments[4]) : 0;
        Turns turns = new Turns(arguments[0].split(",", -1), keyCount, fpp);
        for (int round = 0; round < rounds; round++) {
            turns.play(queriesBefore);
        }
        System.out.print(turns.markdown(queriesBefore));
        System.out.println("\nCommand: `turns.Turns " + String.join(" ", arguments) + "`. " + Machine.description());
    }

    /** A round: a JVM for each contender, all measurements in turn, and the end of the JVMs. */
    private void play(int queriesBefore) {
        try {
            long firstBits = 0;
            for (Contestant contestant : contestants) {
                contestant.start(keyCount, fpp, firstBits);
                contestant.fill(FILLS.get(0));
                firstBits = contestants.get(0).bits;
            }
            measure(queriesBefore);
        } finally {
            contestants.forEach(Contestant::end);
        }
    }

    private void measure(int queriesBefore) {
        for (int fill = 0; fill < (keyCount > MANY_KEYS ? 1 : 3); fill++) {
            // Bulk first: what is queried was filled one by one.
            for (int i = FILLS.size() - 1; i >= 0; i--) {
                String way = FILLS.get(i);
                contestants.forEach(contestant -> contestant.take(way, contestant.fill(way)));
            }
        }
        if (queriesBefore > 0) {
            contestants.forEach(contestant -> contestant.request("age " + queriesBefore));
        }
        for (int pass = 0; pass < PASSES; pass++) {
            for (String query : QUERIES) {
                for (int part = 0; part < Runner.PARTS; part++) {
                    String request = query + " " + part;
                    contestants.forEach(
                            contestant -> contestant.take(query, Double.parseDouble(contestant.request(request))));
                }
            }
        }
    }

    private String markdown(int queriesBefore) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "n = %,d, rate %s%s, ns a key with hashing: median (smallest-largest) of the JVMs, x = ratio to the first%n%n",
                keyCount,
                fpp,
                queriesBefore == 0 ? "" : ", after " + queriesBefore + " queries a key"));
        text.append("| kind | bits a key | miss | x | hit | x | bulk miss | x | insert | x | bulk insert | x |\n");
        text.append("| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n");
        for (Contestant contestant : contestants) {
            text.append(
                    String.format(Locale.ROOT, "| %s | %.2f |", contestant.name, contestant.bits / (double) keyCount));
            for (String operation : OPERATIONS) {
                double[] times = contestant.ofJvms(operation);
                double[] ratios = contestants.get(0).ofJvms(operation);
                Arrays.setAll(ratios, i -> times[i] / ratios[i]);
                text.append(String.format(
                        Locale.ROOT,
                        " %.1f (%.1f-%.1f) | %.2f |",
                        median(times),
                        Arrays.stream(times).min().orElse(Double.NaN),
                        Arrays.stream(times).max().orElse(Double.NaN),
                        median(ratios)));
            }
            text.append('\n');
        }
        return text.toString();
    }

    /** The median, or of an even number the mean of the two in the middle; no number where nothing was measured. */
    static double median(double[] values) {
        if (values.length == 0) {
            return Double.NaN;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** What a contender has measured, and its JVM of the round. */
    static final class Contestant {
        private final String name;

        /** The smallest fill and the median of the queries of each JVM, by operation. */
        private final List<List<Double>> ofJvms = new ArrayList<>();

        private final List<List<Double>> ofThisJvm = new ArrayList<>();
        private @Nullable Process process;
        private @Nullable Writer requests;
        private @Nullable BufferedReader answers;
        private long bits;

        Contestant(String name) {
            this.name = name;
            for (int i = 0; i < OPERATIONS.size(); i++) {
                ofJvms.add(new ArrayList<>());
                ofThisJvm.add(new ArrayList<>());
            }
        }

        void start(int keyCount, String fpp, long firstBits) {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
            boolean isOther = name.startsWith(OTHER_PREFIX);
            String classes = System.getProperty(isOther ? OTHER_CLASSES : "java.class.path");
            command.addAll(List.of("-cp", classes, Runner.class.getName()));
            String kind = isOther ? name.substring(OTHER_PREFIX.length()) : name;
            command.addAll(List.of(kind, Integer.toString(keyCount), fpp, Long.toString(firstBits)));
            try {
                Process started = new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
                process = started;
                requests = started.outputWriter(StandardCharsets.UTF_8);
                answers = new BufferedReader(new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot start a JVM for " + name, e);
            }
        }

        void end() {
            if (process != null) {
                process.destroy();
            }
            for (int i = 0; i < OPERATIONS.size(); i++) {
                double[] times = array(ofThisJvm.get(i));
                boolean isFill = FILLS.contains(OPERATIONS.get(i));
                ofJvms.get(i).add(isFill ? Arrays.stream(times).min().orElse(Double.NaN) : median(times));
                ofThisJvm.get(i).clear();
            }
        }

        String request(String request) {
            try {
                Writer to = Objects.requireNonNull(requests, "not started");
                to.write(request + "\n");
                to.flush();
                String answer = Objects.requireNonNull(answers, "not started").readLine();
                if (answer == null) {
                    throw new IllegalStateException("the JVM of " + name + " has ended");
                }
                return answer;
            } catch (IOException e) {
                throw new UncheckedIOException("lost the JVM of " + name, e);
            }
        }

        double fill(String way) {
            String[] answer = request(way).split(" ", -1);
            bits = Long.parseLong(answer[1]);
            return Double.parseDouble(answer[0]);
        }

        void take(String operation, double nanos) {
            ofThisJvm.get(OPERATIONS.indexOf(operation)).add(nanos);
        }

        double[] ofJvms(String operation) {
            return array(ofJvms.get(OPERATIONS.indexOf(operation)));
        }

        private static double[] array(List<Double> values) {
            return values.stream().mapToDouble(Double::doubleValue).toArray();
        }
    }
}
