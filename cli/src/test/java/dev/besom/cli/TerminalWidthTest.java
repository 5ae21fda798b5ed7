package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Everything that commands print for people fits a terminal of 80 columns. */
class TerminalWidthTest {

    @TempDir
    Path folder = Path.of("");

    private static void assertFits(Object... arguments) {
        Shell.Result result = Shell.run(arguments);
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.out().lines())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line.codePointCount(0, line.length()))
                        .as(line)
                        .isLessThanOrEqualTo(Table.TERMINAL_WIDTH));
    }

    private static Map<String, CommandLine> commands() {
        Console nowhere = new Console(
                new ByteArrayInputStream(new byte[0]),
                OutputStream.nullOutputStream(),
                OutputStream.nullOutputStream(),
                false);
        return Main.commandLine(nowhere).getSubcommands();
    }

    @Test
    void helpFits() {
        assertFits("--help");
        assertThat(commands().keySet()).allSatisfy(command -> assertFits(command, "--help"));
    }

    /** The terminal wraps a paragraph. One that is wrapped in the source would be wrapped twice. */
    @Test
    void helpIsWrappedOnce() {
        commands().forEach((name, command) -> {
            List<String> lines = new ArrayList<>(
                    List.of(command.getCommandSpec().usageMessage().description()));
            assertThat(lines).as(name + ": the list of commands shows one line").hasSize(1);
            lines.add("");
            lines.addAll(List.of(command.getCommandSpec().usageMessage().footer()));
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                boolean isParagraph = !line.isEmpty() && !line.startsWith(" ");
                if (isParagraph && !line.endsWith(":") && i + 1 < lines.size()) {
                    assertThat(lines.get(i + 1))
                            .as(name + ": after '" + line + "'")
                            .isEmpty();
                }
                if (!isParagraph) {
                    assertThat(line).as(name).hasSizeLessThanOrEqualTo(Table.TERMINAL_WIDTH);
                }
            }
        });
    }

    @Test
    void listsFit() {
        assertFits("kinds");
        assertFits("report", "--list");
        assertFits("kinds", "tinyset");
        assertFits(
                "race",
                "--kinds",
                "bloom,peer:fastfilter-blocked-bloom,telescoping-compact",
                "--n",
                2000,
                "--queries",
                10_000,
                "--repeat",
                1,
                "--no-isolate");
    }

    @Test
    void whatIsSaidOfAFilterFits() throws Exception {
        Path keys = Files.writeString(folder.resolve("keys"), "a\nb\nc\n");
        for (String kind : List.of("bloom", "broom", "telescoping")) {
            Path file = Path.of(folder.resolve(kind).toString());
            assertThat(Shell.run("build", "--kind", kind, "-o", file, keys).code())
                    .isZero();
            Shell.Result info = Shell.run("info", file);
            assertThat(info.out().lines().skip(1))
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(Table.TERMINAL_WIDTH));
        }
    }

    @Test
    void wideTablesHaveAllColumns() {
        assertThat(Shell.run("kinds", "--wide").out().lines().findFirst().orElseThrow())
                .contains("family", "bits/key at 1 %", "paper");
        assertThat(Shell.run("report", "--list", "--wide")
                        .out()
                        .lines()
                        .findFirst()
                        .orElseThrow())
                .contains("figure", "paper");
        String race = Shell.run("race", "--kinds", "bloom", "--n", 500, "--queries", "1k", "--repeat", 1, "--wide")
                .out();
        assertThat(race.lines().filter(line -> line.startsWith("bloom "))).hasSize(2);
        assertThat(race).containsPattern("\\d \\(\\d+\\.\\d-\\d+\\.\\d\\)");
    }

    @Test
    void oneKindIsShownWholeWithItsOptions() {
        String text = Shell.run("kinds", "bloom").out();
        assertThat(text).contains("kind           bloom\n", "can            insert", "probes=...", "paper");
        assertThat(Json.array(
                        Json.parse(Shell.run("kinds", "bloom", "--json").out()).get("kinds")))
                .hasSize(1);
        assertThat(Shell.run("kinds", "nope").refusal()).contains("'nope'", "telescoping");
    }
}
