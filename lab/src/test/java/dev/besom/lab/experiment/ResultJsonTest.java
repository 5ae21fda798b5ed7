package dev.besom.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultJsonTest {

    /** A result with all that is awkward in it. */
    private static final ExperimentResult AWKWARD = new ExperimentResult(
            new Description("a-b-1", "Title </script> \"quoted\"", "Pàper\n2", "Figure\t2", "See \\ this \u2028."),
            new ExperimentResult.Provenance(Scale.FULL, Long.MIN_VALUE, "besom report 'x'", "machine", 1.5),
            new Findings(
                    Map.of("n", "1,000"),
                    List.of(new Plot(
                            "",
                            Plot.Axis.linear("x"),
                            Plot.Axis.logarithmic("y"),
                            List.of(
                                    Series.ours(
                                            "kind",
                                            List.of(new Series.Point(1, 1e-300), new Series.Point(0.1, Double.NaN))),
                                    Series.paper("kind", 1, 2, 3, 4)),
                            List.of(new Plot.Mark(20, "here")))),
                    ResultTable.columns("a", "b").row("text", 0.25).row("", 12).end()));

    @Test
    void whatIsReadEqualsWhatWasWritten() {
        String text = JsonText.write(ResultJson.document(List.of(AWKWARD, AWKWARD)));
        assertThat(text).doesNotContain("</script");
        assertThat(ResultJson.read(text)).isEqualTo(List.of(AWKWARD, AWKWARD));
    }

    @Test
    void everyCutOfADocumentIsRefused() {
        String text = JsonText.write(ResultJson.document(List.of(AWKWARD)));
        for (int length = 0; length < text.length(); length++) {
            String cut = text.substring(0, length);
            assertThatThrownBy(() -> ResultJson.read(cut)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void documentsOfAnotherFormAreRefused() {
        for (String text : List.of("[]", "{}", "{\"experiments\":1}", "{\"experiments\":[{}]}", "nul", "{\"a\":1}x")) {
            assertThatThrownBy(() -> ResultJson.read(text)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> ResultJson.read("[".repeat(100_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nesting");
    }

    @Test
    void jsonTextReadsWhatOthersWrite() {
        assertThat(JsonText.read(" { \"a\" : [ 1 , -2.5e3, true, false, null, \"\\u0041\\/\" ] } "))
                .isEqualTo(Map.of("a", Arrays.asList(1.0, -2500.0, true, false, null, "A/")));
    }
}
