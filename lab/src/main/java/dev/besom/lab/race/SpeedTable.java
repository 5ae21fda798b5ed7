package dev.besom.lab.race;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints how fast kinds and peers are, as Markdown for {@code docs/measurements.md}: a JVM for each taking, in turn,
 * medians with the smallest and the largest, and the ratio to the first kind.
 *
 * <pre>
 *   java -cp … dev.besom.lab.race.SpeedTable KIND,… N,… [FPP [REPEAT]]
 * </pre>
 */
public final class SpeedTable {

    private SpeedTable() {}

    /** Arguments: kinds, numbers of keys, false-positive rate (0.01), takings of the times (5). */
    public static void main(String[] arguments) {
        if (arguments.length < 2 || arguments.length > 4) {
            System.err.println("usage: SpeedTable KIND,... N,... [FPP [REPEAT]]");
            System.exit(1);
        }
        List<String> kinds = List.of(arguments[0].split(",", -1));
        double fpp = arguments.length > 2 ? Double.parseDouble(arguments[2]) : 0.01;
        int repeat = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 5;
        for (String n : arguments[1].split(",", -1)) {
            RaceSpec spec =
                    RaceSpec.of(kinds, Integer.parseInt(n), fpp, "uniform").with(Timing.fresh(repeat, true));
            List<RaceResult> results = Race.run(spec, System.err::println);
            System.out.print(markdown(spec, results));
            System.out.println();
        }
        System.out.println("Command: `SpeedTable " + String.join(" ", arguments) + "`. " + machine());
    }

    /** The results of a race as a Markdown table. */
    public static String markdown(RaceSpec spec, List<RaceResult> results) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "n = %,d, planned rate %s, ns a key or query (smallest-largest), x = ratio to the first",
                results.get(0).n(),
                spec.fpp()));
        lines.add("");
        lines.add("| kind | bits a key | rate | miss | x | hit | x | bulk miss | x | build | x | bytes a query |");
        lines.add("| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |");
        RaceResult first = results.get(0);
        for (RaceResult result : results) {
            lines.add(String.format(
                    Locale.ROOT,
                    "| %s | %.2f | %.5f | %s | %s | %s | %s | %.2f |",
                    result.kind(),
                    result.bitsPerKey(),
                    result.tally().falsePositiveRate(),
                    cells(result.missNs(), first.missNs()),
                    cells(result.hitNs(), first.hitNs()),
                    cells(result.bulkNs(), first.bulkNs()),
                    cells(result.insertNs(), first.insertNs()),
                    result.allocatedBytes()));
        }
        return String.join("\n", lines) + "\n";
    }

    /** The processor, the operating system and the Java that this JVM runs on. */
    public static String machine() {
        return "Machine: " + Machine.processor() + ", " + Runtime.getRuntime().availableProcessors() + " cores, "
                + System.getProperty("os.name") + " " + System.getProperty("os.arch") + "; Java "
                + System.getProperty("java.runtime.version") + " (" + System.getProperty("java.vm.name") + ").";
    }

    private static String cells(Spread spread, Spread first) {
        return String.format(
                Locale.ROOT,
                "%.1f (%.1f-%.1f) | %.2f",
                spread.median(),
                spread.least(),
                spread.most(),
                spread.median() / first.median());
    }
}
