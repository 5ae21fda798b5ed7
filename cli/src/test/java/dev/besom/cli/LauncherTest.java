package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script at the project's root, beside a build that is there already and with a Java that prints its arguments. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class LauncherTest {

    @TempDir
    Path folder = Path.of("");

    private Path library = Path.of("");

    @BeforeEach
    void prepare() throws IOException {
        Files.copy(Documents.root().resolve("besom"), folder.resolve("besom"));
        library = Files.createFile(
                Files.createDirectories(folder.resolve(".besom/lib")).resolve("library.jar"));
        Files.createFile(folder.resolve(".besom/built"));
        Path java = Files.createDirectories(folder.resolve("jdk/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
        Files.createFile(folder.resolve("a kind.jar"));
        Files.createFile(folder.resolve("another.jar"));
    }

    private record Result(int code, List<String> lines) {}

    private Result run(Map<String, String> environment, String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("bash", folder.resolve("besom").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().remove("BESOM_CLASS_PATH");
        builder.environment().remove("BESOM_JAVA_OPTIONS");
        builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), out.lines().toList());
    }

    @Test
    void jarsOfTheUsersOwnComeBehindTheLibraries() throws Exception {
        Result result =
                run(Map.of("BESOM_CLASS_PATH", "another.jar"), "--classpath", "a kind.jar", "info", "--classpath", "f");

        assertThat(result.code).isZero();
        assertThat(result.lines)
                .containsSubsequence(
                        "-cp", library + ":another.jar:a kind.jar", "dev.besom.cli.Main", "info", "--classpath", "f");
        assertThat(run(Map.of(), "--classpath=another.jar", "kinds").lines)
                .containsSubsequence(library + ":another.jar", "dev.besom.cli.Main", "kinds");
        assertThat(run(Map.of(), "kinds").lines)
                .containsSubsequence("-cp", library.toString(), "dev.besom.cli.Main", "kinds");
    }

    @Test
    void thoseWhoNamePostgresAloneHaveItsServer() throws Exception {
        Path server = Files.createFile(
                Files.createDirectories(folder.resolve(".besom/postgres")).resolve("server.jar"));
        for (String[] words : new String[][] {
            {"race", "--store", "postgres"},
            {"race", "--store=postgres", "--json"},
            {"demo", "--store", "postgres"},
            {"demo", "--store=postgres", "--scenario", "api-keys"}
        }) {
            assertThat(run(Map.of(), words).lines).contains(library + ":" + server);
        }
        for (String[] words : new String[][] {{"race", "--store", "rocksdb"}, {"demo"}, {"query", "postgres"}, {}}) {
            assertThat(run(Map.of(), words).lines).contains(library.toString());
        }
    }

    @Test
    void aJarThatIsNotThereIsBadUsage() throws Exception {
        Result absent = run(Map.of(), "--classpath", "absent.jar", "kinds");
        assertThat(absent.code).isEqualTo(1);
        assertThat(absent.lines).containsExactly("besom: --classpath: there is no absent.jar");
        assertThat(run(Map.of(), "--classpath").code).isEqualTo(1);
    }

    @Test
    void aScenarioFetchesItsDatabaseOnceUnlessAnotherOneIsNamed() throws Exception {
        Path tools = Files.createDirectories(folder.resolve("tools"));
        Path maven = tools.resolve("mvn");
        Files.writeString(maven, """
                #!/bin/sh
                echo "$@" >>calls
                for argument in "$@"; do
                  case $argument in
                    -DoutputDirectory=*) : >"${argument#*=}/postgres.jar" ;;
                  esac
                done
                """);
        Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwx------"));
        Map<String, String> path = Map.of("PATH", tools + ":" + System.getenv("PATH"));
        Path fetched = folder.resolve(".besom/postgres/postgres.jar");

        assertThat(run(path, "demo", "--scenario", "api-keys", "--store", "jdbc:x").lines)
                .containsSubsequence("-cp", library.toString(), "dev.besom.cli.Main", "demo");
        assertThat(run(path, "demo").lines).containsSubsequence("-cp", library.toString());
        assertThat(fetched).doesNotExist();
        for (int i = 0; i < 2; i++) {
            assertThat(run(path, "demo", "--scenario=api-keys", "--json").lines)
                    .containsSubsequence("-cp", library + ":" + fetched, "dev.besom.cli.Main", "demo");
        }
        assertThat(Files.readAllLines(folder.resolve("calls"))).hasSize(1);
        try (Stream<Path> left = Files.list(folder.resolve(".besom"))) {
            assertThat(left.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("built", "lib", "postgres", "postgres.log");
        }
    }
}
