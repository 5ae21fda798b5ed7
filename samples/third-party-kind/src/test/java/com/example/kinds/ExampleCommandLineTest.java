package com.example.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The command line, which runs on the class path, with the kinds as one more entry of it. */
@EnabledIfSystemProperty(named = "sample.path", matches = "class")
class ExampleCommandLineTest {

    @TempDir
    Path folder = Path.of("");

    @Test
    void aFilterIsBuiltQueriedAndDescribed() throws Exception {
        assertBuiltQueriedAndDescribed("example-sliced");
    }

    @Test
    void aStaticFilterIsBuiltQueriedAndDescribed() throws Exception {
        assertBuiltQueriedAndDescribed("example-sorted");
    }

    private void assertBuiltQueriedAndDescribed(String kind) throws Exception {
        Path keys = folder.resolve("keys.txt");
        Path queries = folder.resolve("queries.txt");
        String filter = folder.resolve("keys.besom").toString();
        writeLines(keys, 0, 2_000);
        writeLines(queries, 1_990, 2_010);
        besom("build", "--kind", kind, "--fpp", "0.0001", "-o", filter, keys.toString());
        assertThat(besom("query", "--only", "maybe", filter, queries.toString()).lines())
                .containsExactlyElementsOf(
                        LongStream.range(1_990, 2_000).mapToObj(i -> "key " + i).toList());
        assertThat(besom("info", filter)).contains(kind);
    }

    @Test
    void aKindTakesPartInARace() throws Exception {
        assertRaced("example-sliced");
    }

    @Test
    void aStaticKindTakesPartInARace() throws Exception {
        assertRaced("example-sorted");
    }

    private void assertRaced(String kind) throws Exception {
        String race = besom(
                "race", "--kinds", "bloom," + kind, "--n", "2000", "--queries", "20000", "--repeat", "0", "--json");
        assertThat(race).contains("\"kind\":\"" + kind + "\"").contains("\"falseNegatives\":0");
    }

    @Test
    void kindsListsThemLast() throws Exception {
        assertThat(besom("kinds").lines().map(line -> line.replaceAll(" .*", "")))
                .startsWith("kind", "bloom")
                .endsWith("example-sliced", "example-sorted");
        assertThat(besom("kinds", "--json")).contains("\"kind\":\"example-sorted\"", "\"kind\":\"example-sliced\"");
    }

    private static void writeLines(Path file, long from, long to) throws IOException {
        Files.writeString(
                file,
                LongStream.range(from, to).mapToObj(i -> "key " + i + "\n").collect(Collectors.joining()));
    }

    /** What a command prints. */
    private String besom(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                "dev.besom.cli.Main"));
        command.addAll(List.of(arguments));
        Path errors = folder.resolve("errors.txt");
        Process process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as("exit code of %s, which says: %s", List.of(arguments), Files.readString(errors))
                .isZero();
        return output;
    }
}
