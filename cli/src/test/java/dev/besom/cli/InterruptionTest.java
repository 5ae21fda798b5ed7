package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What Ctrl-C leaves behind, at whatever moment it comes. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class InterruptionTest {

    private static final long PATIENCE_SECONDS = 120;

    @TempDir
    Path folder;

    /** Starts a command, with a folder of its own for what is temporary. */
    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(unblockedInterrupts());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx512m"));
        command.add("-Djava.io.tmpdir=" + temporary());
        command.add("-cp");
        command.add(Stream.of("jdk.module.path", "surefire.test.class.path", "java.class.path")
                .map(name -> System.getProperty(name, ""))
                .filter(path -> !path.isEmpty())
                .collect(Collectors.joining(File.pathSeparator)));
        command.add(Main.class.getName());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /** Somebody in the background does not get Ctrl-C, and nor do those whom he starts, unless they ask for it. */
    private static List<String> unblockedInterrupts() throws IOException {
        List<String> wrapper = List.of("env", "--default-signal=INT");
        List<String> trial = new ArrayList<>(wrapper);
        trial.add("true");
        Process process = new ProcessBuilder(trial).start();
        try {
            return process.waitFor() == 0 ? wrapper : List.of();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Path temporary() throws IOException {
        return Files.createDirectories(folder.resolve("temporary"));
    }

    /** Sends Ctrl-C when a file of that kind is there and the while is over, and returns what the command said. */
    private static String interruptWhen(Process process, Path place, Predicate<Path> file, long millis)
            throws Exception {
        try {
            while (count(place, file) == 0) {
                assertThat(process.isAlive())
                        .as("the command has begun its work before it ends")
                        .isTrue();
                Thread.sleep(0, 100_000);
            }
            Thread.sleep(millis);
            new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                    .start()
                    .waitFor();
            String said;
            try (BufferedReader reader =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                said = String.join("\n", reader.lines().toList());
            }
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("the command ends")
                    .isTrue();
            return said;
        } finally {
            process.destroyForcibly();
        }
    }

    private static long count(Path place, Predicate<Path> which) throws IOException {
        try (Stream<Path> files = Files.list(place)) {
            return files.filter(which).count();
        }
    }

    private static Predicate<Path> named(String beginning) {
        return file -> file.getFileName().toString().startsWith(beginning);
    }

    @Test
    void interruptedBuildLeavesNoPartOfAFile() throws Exception {
        Path keys = Files.write(folder.resolve("keys"), List.of("besom", "broom"));
        Path filters = Files.createDirectory(folder.resolve("filters"));
        Path target = filters.resolve("large.besom");
        boolean wasInTime = false;
        for (int trial = 0; trial < 10 && !wasInTime; trial++) {
            // Two keys in 120 megabytes, which take a while to write.
            Process build =
                    start("build", "--kind", "bloom", "--n", "100000000", "-o", target.toString(), keys.toString());
            interruptWhen(build, filters, file -> true, 0);
            wasInTime = !Files.deleteIfExists(target);
            assertThat(count(filters, file -> true)).isZero();
        }
        assertThat(wasInTime).as("interrupted before the file was whole").isTrue();
    }

    @Test
    void interruptedDemoLeavesNoFolder() throws Exception {
        for (int trial = 0; trial < 3; trial++) {
            Process demo = start("demo", "--n", "300000");
            String said = interruptWhen(demo, temporary(), named("besom-demo"), trial * 400L);
            assertThat(said).doesNotContain("besom:", "Exception");
            assertThat(count(temporary(), named("besom-demo"))).isZero();
        }
    }

    @Test
    void interruptedDemoLeavesNoTable() throws Exception {
        String url = "jdbc:h2:file:" + folder.resolve("database");
        for (int trial = 0; trial < 2; trial++) {
            Process demo = start("demo", "--n", "100000", "--store", url);
            String said = interruptWhen(demo, folder, named("database"), 600 + trial * 600L);
            assertThat(said).doesNotContain("besom:", "Exception");
            try (Connection connection = DriverManager.getConnection(url)) {
                assertThat(tables(connection)).isEmpty();
            }
        }
    }

    private static List<String> tables(Connection connection) throws SQLException {
        List<String> names = new ArrayList<>();
        try (ResultSet tables = connection.getMetaData().getTables(null, "PUBLIC", "%", new String[] {"TABLE"})) {
            while (tables.next()) {
                names.add(tables.getString("TABLE_NAME"));
            }
        }
        return names;
    }
}
