package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files as people have them: compressed, with a byte-order mark, keys in a column, a log with counts. */
class KeyColumnsTest {

    @TempDir
    Path folder = Path.of("");

    @Test
    void aFilterIsBuiltFromAColumnAndQueriedWithAnother() throws IOException {
        Path users = folder.resolve("users.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(users))) {
            out.write("\uFEFFid,email\n1,a@b.c\n2,\"d,e@f\"\n".getBytes(StandardCharsets.UTF_8));
        }
        Path file = folder.resolve("f");
        assertThat(Shell.run("build", "--kind", "bloom", "--fpp", "1e-9", "--column", "email", "-o", file, users)
                        .out())
                .contains("keys           2\n");
        assertThat(Shell.runWith(
                                "a@b.c\tx\nd,e@f\ty\nemail\tz\n",
                                "query",
                                "--column",
                                1,
                                "--separator",
                                "tab",
                                file,
                                "-")
                        .out())
                .isEqualTo("maybe\ta@b.c\nmaybe\td,e@f\nno\temail\n");
        Shell.Result numbers = Shell.run(
                "build",
                "--kind",
                "bloom",
                "--format",
                "long-text",
                "--column",
                "id",
                "-o",
                folder.resolve("n"),
                users);
        assertThat(numbers.code()).isZero();
        assertThat(Shell.runWith("2\n3\n", "query", "--only", "maybe", folder.resolve("n"), "-")
                        .out())
                .isEqualTo("2\n");
    }

    @Test
    void aLogWithCountsIsRaced() throws IOException {
        Path keys = Files.writeString(folder.resolve("keys.csv"), "name\na\nb\n");
        Path log = Files.writeString(folder.resolve("log.tsv"), "3\ta\n4\tx\n");
        Shell.Result result = Shell.run(
                "race",
                "--kinds",
                "bloom,quotient",
                "--fpp",
                "1e-9",
                "--keys",
                keys,
                "--column",
                "name",
                "--queries-file",
                log,
                "--query-column",
                2,
                "--count-column",
                1,
                "--repeat",
                0,
                "--json");

        assertThat(result.code()).as(result.err()).isZero();
        for (Object row : Json.array(Json.parse(result.out()).get("kinds"))) {
            assertThat(Json.object(row))
                    .containsEntry("n", 2.0)
                    .containsEntry("queries", 7.0)
                    .containsEntry("remoteReads", 3.0);
        }
    }

    @Test
    void adviceCountsWhatALogCounts() throws IOException {
        Path keys = Files.writeString(
                folder.resolve("keys"),
                IntStream.range(0, 1000).mapToObj(i -> "k" + i + "\n").collect(Collectors.joining()));
        Path log = Files.writeString(folder.resolve("log.csv"), "key,n\nk1,100\nx,300\ny,600\n");
        Map<String, Object> advice = Json.parse(Shell.run(
                        "advise",
                        "--keys",
                        keys,
                        "--queries-file",
                        log,
                        "--query-column",
                        "key",
                        "--count-column",
                        "n",
                        "--json")
                .out());
        Map<String, Object> traffic = Json.object(advice.get("traffic"));
        assertThat(traffic)
                .containsEntry("queries", 1000.0)
                .containsEntry("misses", 900.0)
                .containsEntry("distinctMisses", 2.0);
    }

    @Test
    void columnsThatMakeNoSenseAreRefused() throws IOException {
        Path keys = Files.writeString(folder.resolve("keys"), "a\n");
        Path out = folder.resolve("f");
        assertThat(Shell.run("build", "--kind", "bloom", "--column", 0, "-o", out, keys)
                        .refusal())
                .contains("--column");
        assertThat(Shell.run("build", "--kind", "bloom", "--column", 1, "--format", "long-le", "-o", out, keys)
                        .refusal())
                .contains("long-le have no columns");
        assertThat(Shell.run("build", "--kind", "bloom", "--column", "x", "-o", out, keys)
                        .refusal())
                .contains("no column 'x'");
        assertThat(Shell.run("build", "--kind", "bloom", "--column", 1, "--separator", "xx", "-o", out, keys)
                        .refusal())
                .contains("'xx' is no separator");
        assertThat(Shell.run("race", "--kinds", "bloom", "--queries-file", keys, "--count-column", 1)
                        .refusal())
                .contains("--query-column");
        assertThat(out).doesNotExist();
    }
}
