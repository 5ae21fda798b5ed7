package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"demo", "build", "query", "add", "remove", "info", "merge", "kinds", "race", "report", "advise"})
    void everyCommandHasHelpAndAVersion(String command) {
        Shell.Result result = Shell.run(command, "--help");

        assertThat(result.code()).isZero();
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).startsWith("Usage: besom " + command).contains("--json", "--help");
        assertThat(Shell.run("--help").out()).contains("\n  " + command + " ");
        assertThat(Shell.run(command, "--version")).isEqualTo(Shell.run("--version"));
    }

    @Test
    void theVersionIsTold() {
        assertThat(Shell.run("--version").out()).matches("besom \\d+\\.\\d+\\.\\d+(-\\w+)?\n");
    }

    @Test
    void badUsageIsOneLineAndExitCode1() {
        for (Object[] words : new Object[][] {
            {},
            {"sweep"},
            {"--sweep"},
            {"kinds", "--sweep"},
            {"kinds", "more"},
            {"info"},
            {"@file"},
            {"info", "a\nb"},
            {"build\nx"}
        }) {
            Shell.Result result = Shell.run(words);
            assertThat(result.code()).isEqualTo(1);
            result.refusal();
        }
        assertThat(Shell.run("sweep").refusal())
                .contains("'sweep'", "build, query, add, remove, exclude, info, merge, delta, patch, kinds");
        assertThat(Shell.run("info", "@file").refusal()).contains("@file: no such file");
    }

    @Test
    void anUnknownOptionIsNamedAlsoWhereSomethingElseIsMissing() {
        assertThat(Shell.run("build", "--knd", "bloom", "-o", "x", "keys").refusal())
                .contains("Unknown option: '--knd'");
        assertThat(Shell.run("race", "--kind", "bloom").refusal()).contains("Unknown option: '--kind'");
        assertThat(Shell.run("info", "-x.besom").refusal()).contains("Unknown option: '-x.besom'");
        assertThat(Shell.run("info", "--json").refusal()).contains("'FILE'");
    }

    @Test
    void kindsTellsWhatTheTypesTell() {
        Map<String, Object> json = Json.parse(Shell.run("kinds", "--json").out());

        assertThat(Json.array(json.get("kinds"))).hasSameSizeAs(Filters.kinds());
        for (Object row : Json.array(json.get("kinds"))) {
            Map<String, Object> fields = Json.object(row);
            Kind kind = Filters.kind(String.valueOf(fields.get("kind")));
            assertThat(fields)
                    .containsEntry("family", kind.family())
                    .containsEntry("insert", Boolean.toString(kind.isInsertable()))
                    .containsEntry("delete", Boolean.toString(kind.isDeletable()))
                    .containsEntry("merge", Boolean.toString(kind.isMergeable()))
                    .containsEntry("static", Boolean.toString(kind.isStatic()))
                    .containsEntry("grow", Boolean.toString(kind.isGrowable()))
                    .containsEntry("falseNegatives", Boolean.toString(kind.hasFalseNegatives()))
                    .containsEntry("adaptive", kind.adaptivity().label())
                    .containsEntry("paper", kind.paper())
                    .containsEntry("values", Boolean.toString(kind.holdsValues()));
            double budget = kind.adaptiveBudget();
            assertThat(fields.get("adaptiveBudget"))
                    .as(kind.name())
                    .isEqualTo(Double.isNaN(budget) ? "null" : Double.isInfinite(budget) ? "unbounded" : budget);
            assertThat(Json.number(fields, "bitsPerKeyAt1Percent"))
                    .as(kind.name())
                    .isBetween(6.64, 100.0);
        }
    }

    @Test
    void kindsPrintsALineForEach() {
        // What does not fit into its column goes on in the next line.
        assertThat(Shell.run("kinds").out().lines().filter(line -> !line.startsWith(" ")))
                .hasSize(Filters.kinds().size() + 1);
    }
}
