package dev.besom.bench.text;

import dev.besom.FilterSpec;
import dev.besom.InsertableKeyFilter;
import dev.besom.filters.Filters;
import dev.besom.hash.KeyHasher;
import dev.besom.lab.peer.TextFilter;
import dev.besom.lab.peer.TextPeers;
import dev.besom.lab.race.Contenders;
import dev.besom.lab.race.Machine;
import dev.besom.lab.race.Spread;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Prints how fast filters are whose keys are texts of 40 chars, as Markdown: a JVM for each measurement, in turn, medians with the
 * smallest and the largest, and the ratio to the first.
 *
 * <pre>
 *   bench/run text.TextSpeed NAME,... N [FPP [REPEAT]]
 * </pre>
 *
 * A name is a kind, a kind with {@code :chars}, or a peer such as {@code peer:guava}.
 */
final class TextSpeed {

    private static final int ROUNDS = 9;
    private static final int MEASURES = 4;

    private TextSpeed() {}

    /** Arguments: names, number of keys, false-positive rate (0.01), measurements (5). */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length < 2 || arguments.length > 4) {
            System.err.println("usage: TextSpeed NAME,... N [FPP [REPEAT]]");
            System.exit(1);
        }
        int keys = Integer.parseInt(arguments[1]);
        double fpp = arguments.length > 2 ? Double.parseDouble(arguments[2]) : 0.01;
        int repeat = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 5;
        if (repeat == 0) {
            System.out.println(Arrays.toString(measure(arguments[0], keys, fpp)));
            return;
        }
        Map<String, List<double[]>> results = new LinkedHashMap<>();
        for (int i = 0; i < repeat; i++) {
            for (String name : arguments[0].split(",", -1)) {
                System.err.println(name + ", " + (i + 1) + " of " + repeat);
                results.computeIfAbsent(name, n -> new ArrayList<>()).add(measureInJvm(name, keys, fpp));
            }
        }
        System.out.print(markdown(keys, fpp, results));
        System.out.println();
        System.out.println("Command: `text.TextSpeed " + String.join(" ", arguments) + "`. " + Machine.description());
    }

    private static double[] measureInJvm(String name, int keys, double fpp) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx3g",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TextSpeed.class.getName(),
                        name,
                        Integer.toString(keys),
                        Double.toString(fpp),
                        "0")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String line = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IllegalStateException("the JVM of " + name + " ended with an error");
        }
        return Arrays.stream(line.substring(1, line.length() - 1).split(", ", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    /** Nanoseconds of a miss, a hit and an insert, and the share of misses that were answered "maybe". */
    static double[] measure(String name, int keys, double fpp) {
        String[] members = texts(keys, 1);
        String[] others = texts(keys, 2);
        double[] least = new double[MEASURES];
        Arrays.fill(least, Double.MAX_VALUE);
        for (int round = 0; round < ROUNDS; round++) {
            TextFilter filter = make(name, FilterSpec.of(keys, fpp));
            long start = System.nanoTime();
            fill(filter, members);
            long filled = System.nanoTime();
            int falsePositives = count(filter, others);
            long missed = System.nanoTime();
            int found = count(filter, members);
            long hit = System.nanoTime();
            if (found != keys) {
                throw new IllegalStateException(name + " has lost " + (keys - found) + " keys");
            }
            least[0] = Math.min(least[0], (missed - filled) / (double) keys);
            least[1] = Math.min(least[1], (hit - missed) / (double) keys);
            least[2] = Math.min(least[2], (filled - start) / (double) keys);
            least[3] = falsePositives / (double) keys;
        }
        return least;
    }

    /** An empty filter: of a kind, whose hasher is that of UTF-8 or, with {@code :chars}, of chars; or a peer. */
    private static TextFilter make(String name, FilterSpec spec) {
        if (name.startsWith(Contenders.PEER_PREFIX)) {
            return TextPeers.empty(name.substring(Contenders.PEER_PREFIX.length()), spec);
        }
        String kind = name.replace(":chars", "");
        KeyHasher<CharSequence> hasher = kind.equals(name) ? KeyHasher.utf8() : KeyHasher.chars();
        InsertableKeyFilter<CharSequence> filter =
                Filters.make(kind, spec, hasher).asInsertable();
        return new TextFilter(filter::add, filter::mightContain);
    }

    private static void fill(TextFilter filter, String[] texts) {
        for (String text : texts) {
            filter.add().accept(text);
        }
    }

    private static int count(TextFilter filter, String[] texts) {
        int maybe = 0;
        for (String text : texts) {
            maybe += filter.mightContain().test(text) ? 1 : 0;
        }
        return maybe;
    }

    /** Texts such as {@code account:} and 32 hexadecimal digits. */
    private static String[] texts(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        String[] texts = new String[count];
        for (int i = 0; i < count; i++) {
            texts[i] = "account:" + hex(random.nextLong()) + hex(random.nextLong());
        }
        return texts;
    }

    private static String hex(long number) {
        String digits = Long.toHexString(number);
        return "0".repeat(16 - digits.length()) + digits;
    }

    /** What was measured, as a Markdown table. */
    static String markdown(int keys, double fpp, Map<String, List<double[]>> results) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "n = %,d texts of 40 chars, planned rate %s, ns a key, hashing included (smallest-largest), x = ratio to the first",
                keys,
                fpp));
        lines.add("");
        lines.add("| filter | rate | miss | x | hit | x | insert | x |");
        lines.add("| --- | --: | --: | --: | --: | --: | --: | --: |");
        List<double[]> first = results.values().iterator().next();
        results.forEach((name, measured) -> {
            StringBuilder line = new StringBuilder(String.format(
                    Locale.ROOT,
                    "| %s | %.5f |",
                    name,
                    spread(measured, MEASURES - 1).median()));
            for (int measure = 0; measure < MEASURES - 1; measure++) {
                Spread spread = spread(measured, measure);
                line.append(String.format(
                        Locale.ROOT,
                        " %.1f (%.1f-%.1f) | %.2f |",
                        spread.median(),
                        spread.least(),
                        spread.most(),
                        spread.median() / spread(first, measure).median()));
            }
            lines.add(line.toString());
        });
        return String.join("\n", lines) + "\n";
    }

    private static Spread spread(List<double[]> measured, int measure) {
        double[] values =
                measured.stream().mapToDouble(each -> each[measure]).sorted().toArray();
        return new Spread(values[values.length / 2], values[0], values[values.length - 1]);
    }
}
