package dev.besom.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Scores as Markdown: a table for each number of keys, a row for each contender. */
final class ScoreTable {

    /** Less is what measuring itself allocates, spread over millions of operations. */
    static final double NOTHING_BYTES = 0.5;

    private static final List<String> QUERIES = List.of("miss", "hit", "bulkMiss");
    private static final List<String> SINGLE = List.of("insert", "delete", "repair");

    /** Operations on the whole filter, shown for each of its keys. */
    private static final List<String> WHOLE = List.of("build", "save", "load");

    private final List<Score> scores;

    ScoreTable(List<Score> scores) {
        this.scores = List.copyOf(scores);
    }

    String markdown() {
        List<String> parts = new ArrayList<>();
        for (int n : scores.stream().mapToInt(Score::n).distinct().sorted().toArray()) {
            parts.add(String.format(Locale.ROOT, "n = %,d", n) + "\n\n" + table(n));
        }
        return String.join("\n", parts);
    }

    private String table(int n) {
        StringBuilder table = new StringBuilder();
        table.append(
                "| kind | miss | hit | bulk miss | bytes a query | insert | delete | repair | build | save | load |\n");
        table.append("| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n");
        for (String kind : kinds(n)) {
            List<String> cells = new ArrayList<>();
            cells.add(kind);
            QUERIES.forEach(operation -> cells.add(cell(kind, n, operation, 1)));
            cells.add(allocation(kind, n));
            SINGLE.forEach(operation -> cells.add(cell(kind, n, operation, 1)));
            WHOLE.forEach(operation -> cells.add(cell(kind, n, operation, n)));
            table.append("| ").append(String.join(" | ", cells)).append(" |\n");
        }
        return table.toString();
    }

    private List<String> kinds(int n) {
        return scores.stream()
                .filter(score -> score.n() == n)
                .map(Score::kind)
                .distinct()
                .toList();
    }

    private Optional<Score> find(String kind, int n, String operation) {
        return scores.stream()
                .filter(score -> score.n() == n
                        && score.kind().equals(kind)
                        && score.operation().equals(operation))
                .findFirst();
    }

    private String cell(String kind, int n, String operation, int parts) {
        return find(kind, n, operation)
                .map(score -> text(score.time().dividedBy(parts)))
                .orElse("");
    }

    private static String text(Score.Time time) {
        String form = time.nanos() < 10 ? "%.2f" : "%.1f";
        String mean = String.format(Locale.ROOT, form, time.nanos());
        return Double.isNaN(time.error()) ? mean : mean + " ± " + String.format(Locale.ROOT, form, time.error());
    }

    private String allocation(String kind, int n) {
        double most = allocatedBytes(kind, n);
        return Double.isNaN(most) ? "" : most < NOTHING_BYTES ? "0" : String.format(Locale.ROOT, "%.0f", most);
    }

    private double allocatedBytes(String kind, int n) {
        return QUERIES.stream()
                .flatMap(operation -> find(kind, n, operation).stream())
                .mapToDouble(Score::allocatedBytes)
                .filter(bytes -> !Double.isNaN(bytes))
                .max()
                .orElse(Double.NaN);
    }

    /** Those of the kinds whose queries allocate. */
    List<String> allocating(List<String> kinds) {
        return kinds.stream()
                .filter(kind -> scores.stream().anyMatch(score -> allocatedBytes(kind, score.n()) >= NOTHING_BYTES))
                .toList();
    }
}
