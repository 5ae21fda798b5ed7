package dev.besom.bench;

import dev.besom.lab.race.Machine;
import dev.besom.lab.race.Race;
import dev.besom.lab.race.RaceResult;
import dev.besom.lab.race.RaceSpec;
import dev.besom.lab.race.Spread;
import dev.besom.lab.race.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints how fast kinds and peers are, as Markdown for {@code docs/lab.md}: a JVM for each time they are taken, in turn,
 * medians with the smallest and the largest, and the ratio to the first kind.
 *
 * <pre>
 *   bench/run SpeedTable KIND,… N,… [FPP [REPEAT]]
 * </pre>
 */
final class SpeedTable {

    private SpeedTable() {}

    /** Arguments: kinds, numbers of keys, false-positive rate (0.01), measurements of the times (5). */
    public static void main(String[] arguments) {
        if (arguments.length < 2 || arguments.length > 4) {
            System.err.println("usage: SpeedTable KIND,... N,... [FPP [REPEAT]]");
            System.exit(1);
        }
        List<String> kinds = List.of(arguments[0].split(",", -1));
        double fpp = arguments.length > 2 ? Double.parseDouble(arguments[2]) : 0.01;
        int repeat = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 5;
        for (String n : arguments[1].split(",", -1)) {
            RaceSpec spec = RaceSpec.of(kinds)
                    .n(Integer.parseInt(n))
                    .fpp(fpp)
                    .timing(Timing.fresh(repeat, true))
                    .toSpec();
            List<RaceResult> results = Race.run(spec, System.err::println);
            System.out.print(markdown(spec, results));
            System.out.println();
        }
        System.out.println("Command: `SpeedTable " + String.join(" ", arguments) + "`. " + Machine.description());
    }

    /** The results of a race as a Markdown table. */
    static String markdown(RaceSpec spec, List<RaceResult> results) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "n = %,d, planned rate %s, ns a key, hashing included (smallest-largest), x = ratio to the first",
                results.get(0).n(),
                spec.fpp()));
        lines.add("");
        lines.add(
                "| kind | bits a key | rate | miss | x | hit | x | bulk miss | x | insert | x | bulk insert | hashed miss | hashed hit | bytes a query |");
        lines.add("| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |");
        RaceResult first = results.get(0);
        for (RaceResult result : results) {
            lines.add(String.format(
                    Locale.ROOT,
                    "| %s | %.2f | %.5f | %s | %s | %s | %s | %s | %s | %s | %.2f |",
                    result.kind(),
                    result.bitsPerKey(),
                    result.tally().answers().falsePositiveRate(),
                    cells(result.times().keys().missNs(), first.times().keys().missNs()),
                    cells(result.times().keys().hitNs(), first.times().keys().hitNs()),
                    cells(result.times().keys().bulkNs(), first.times().keys().bulkNs()),
                    cells(result.times().insertNs(), first.times().insertNs()),
                    cell(result.times().bulkInsertNs()),
                    cell(result.times().hashes().missNs()),
                    cell(result.times().hashes().hitNs()),
                    result.times().allocatedBytes()));
        }
        return String.join("\n", lines) + "\n";
    }

    private static String cell(Spread spread) {
        return Double.isNaN(spread.median()) ? "-" : String.format(Locale.ROOT, "%.1f", spread.median());
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
