package dev.besom.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScoreTableTest {

    private static final List<Score> SCORES = List.of(
            new Score("bloom", 1000, "miss", new Score.Time(1.234, 0.056), 1e-4),
            new Score("bloom", 1000, "hit", new Score.Time(12.34, 0.56), 1e-4),
            new Score("bloom", 1000, "build", new Score.Time(20_000, 1000), Double.NaN),
            new Score("peer:guava", 1000, "miss", new Score.Time(100, Double.NaN), 216.2),
            new Score("bloom", 2000, "save", new Score.Time(3000, Double.NaN), Double.NaN));

    @Test
    void aRowHoldsWhatWasMeasuredOfAContender() {
        assertThat(new ScoreTable(SCORES).markdown())
                .contains("n = 1,000\n")
                .contains("| bloom | 1.23 ± 0.06 | 12.3 ± 0.6 |  | 0 |  |  |  | 20.0 ± 1.0 |  |  |\n")
                .contains("| peer:guava | 100.0 |  |  | 216 |  |  |  |  |  |  |\n")
                .contains("n = 2,000\n")
                .contains("| bloom |  |  |  |  |  |  |  |  | 1.50 |  |\n");
    }

    @Test
    void contendersWhoseQueriesAllocateAreFound() {
        assertThat(new ScoreTable(SCORES).allocating(List.of("bloom", "peer:guava", "quotient")))
                .containsExactly("peer:guava");
    }

    @Test
    void theCommandAndTheMachineAreWrittenAlong() {
        assertThat(Refresh.content(new ScoreTable(SCORES), "bench/refresh --quick"))
                .contains("Command: `bench/refresh --quick`.")
                .contains("Java " + System.getProperty("java.runtime.version"))
                .contains("| bloom |");
    }

    @Test
    void onlyTheMarkedPartOfADocumentChanges() {
        String document = "before\n<!-- jmh: begin -->\nold\n<!-- jmh: end -->\nafter\n";
        String changed = MarkedPart.replace(document, "jmh", "new");
        assertThat(changed).isEqualTo("before\n<!-- jmh: begin -->\nnew\n<!-- jmh: end -->\nafter\n");
        assertThat(MarkedPart.replace(changed, "jmh", "old\n")).isEqualTo(document);
    }

    @Test
    void aDocumentWithoutTheMarksIsLeftAlone() {
        assertThatThrownBy(() -> MarkedPart.replace("text\n", "jmh", "new")).hasMessageContaining("jmh: begin");
        assertThatThrownBy(() -> MarkedPart.replace("<!-- jmh: begin -->\n", "jmh", "new"))
                .hasMessageContaining("jmh: end");
        assertThatThrownBy(() -> MarkedPart.replace("<!-- jmh: end -->\n<!-- jmh: begin -->\n", "jmh", "new"))
                .hasMessageContaining("before");
        assertThatThrownBy(() -> MarkedPart.replace(
                        "<!-- jmh: begin -->\n<!-- jmh: begin -->\n<!-- jmh: end -->\n", "jmh", "new"))
                .hasMessageContaining("once");
    }
}
