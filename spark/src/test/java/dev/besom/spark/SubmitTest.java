package dev.besom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.LongKeyFilter;
import dev.besom.filters.ShardFolder;
import dev.besom.hash.KeyHasher;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The line of {@code docs/scale.md} for {@code spark-submit}, run by a shell in a folder that has the jars that the build puts
 * there. The command is what Spark's script calls, with Spark's jars and nothing of Besom.
 */
@Tag("cluster")
class SubmitTest {

    private static final String JAR = "spark/target/besom-spark-0.1.0-SNAPSHOT.jar";
    private static final List<String> TAKEN_ALONG = List.of("besom-", "hash4j-", "jspecify-");

    @TempDir
    Path folder = Path.of("");

    @Test
    void theLineOfTheDocumentWorksAsPasted() throws Exception {
        Path output = folder.resolve("ids");
        String line = Files.readAllLines(Path.of("../docs/scale.md")).stream()
                .map(String::strip)
                .filter(text -> text.startsWith("spark-submit "))
                .findFirst()
                .orElseThrow();
        assertThat(line).contains(JAR);
        writeCommand(collectJars());
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", line.replace("/tmp/ids", output.toString()))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output.txt").toFile());
        builder.environment().merge("PATH", folder + File.pathSeparator, (old, first) -> first + old);
        Process process = builder.start();
        try {
            assertThat(process.waitFor())
                    .as(() -> read(folder.resolve("output.txt")))
                    .isZero();
        } finally {
            process.destroyForcibly();
        }
        LongKeyFilter filter = ShardFolder.open(output).read(KeyHasher.longs());
        assertThat(LongStream.range(0, 1_000_000).allMatch(filter::mightContain))
                .isTrue();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Puts Besom's jars where the build does, and returns the others. */
    private List<String> collectJars() throws IOException {
        Path lib = Files.createDirectories(folder.resolve("spark/target/lib"));
        List<String> others = new ArrayList<>();
        int made = 0;
        for (String entry : Cluster.classPathEntries()) {
            Path file = Path.of(entry);
            String name = file.getFileName().toString();
            if (Files.isDirectory(file)) {
                boolean isMain = Files.exists(file.resolve("dev/besom/spark/BuildFilter.class"));
                zip(file, isMain ? folder.resolve(JAR) : lib.resolve(made++ + ".jar"));
            } else if (TAKEN_ALONG.stream().anyMatch(name::startsWith)) {
                Files.copy(file, lib.resolve(name));
            } else {
                others.add(entry);
            }
        }
        return others;
    }

    private static void zip(Path classes, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream out = new ZipOutputStream(file);
                Stream<Path> files = Files.walk(classes)) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new ZipEntry(classes.relativize(each).toString()));
                Files.copy(each, out);
            }
        }
    }

    private void writeCommand(List<String> jars) throws IOException {
        List<String> command = new ArrayList<>(Cluster.javaCommand(String.join(File.pathSeparator, jars), "-Xmx640m"));
        command.add("org.apache.spark.deploy.SparkSubmit");
        Path script = Files.writeString(
                folder.resolve("spark-submit"), "#!/bin/sh\nexec " + String.join(" ", command) + " \"$@\"\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }
}
