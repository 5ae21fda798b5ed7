package dev.besom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server and a client of Spark Connect as processes. They have class paths of their own, as the client's jars bring other
 * classes of the same names as Spark's: the server has Spark, Besom and the jar of the server; the client its own jars, Besom
 * and what Spark depends on.
 */
@Tag("cluster")
class ConnectTest {

    private static final Path JARS = Path.of(System.getProperty("besom.connectJars", ""));

    @TempDir
    Path folder = Path.of("");

    @Test
    void functionsAndJoinsWorkThroughConnectAndTheRestSaysThatItDoesNot() throws Exception {
        int port = Ports.free();
        Process server = start(
                "server",
                jar("spark-connect_") + File.pathSeparator + Cluster.classPath(),
                "-Dspark.master=local[2]",
                "-Dspark.ui.enabled=false",
                "-Dspark.driver.host=" + Ports.HOST,
                "-Dspark.driver.bindAddress=" + Ports.HOST,
                "-Dspark.sql.shuffle.partitions=2",
                "-Dspark.sql.artifact.isolation.enabled=false",
                "-Dspark.connect.grpc.binding.address=" + Ports.HOST,
                "-Dspark.connect.grpc.binding.port=" + port,
                "org.apache.spark.sql.connect.service.SparkConnectServer");
        try {
            Ports.await(port, server);
            Process client =
                    start("client", clientClassPath(), ConnectClient.class.getName(), "" + port, folder.toString());
            try {
                assertThat(client.waitFor()).as(output()).isZero();
            } finally {
                client.destroyForcibly();
            }
        } finally {
            server.destroyForcibly();
        }
        List<String> printed = Files.readAllLines(folder.resolve("client.txt"));
        assertThat(printed.subList(0, 7))
                .containsExactly(
                        "SQL: [2000]",
                        "call_function: [2000]",
                        "BesomFunctions: [2000]",
                        "asked in the client: 2000",
                        "JoinReduction drops most rows: true",
                        "joined: 2000",
                        "GuardKeys: 2000");
        assertThat(printed.get(7)).startsWith("foreign bytes: ").contains("look like one of Spark's bloom_filter_agg");
        assertThat(printed.subList(8, printed.size()))
                .containsExactly(
                        "FilterBuild: a filter is built by a session of its own, not through Spark Connect: there"
                                + " besom_agg makes one",
                        "open: a folder is opened by a session of its own, not through Spark Connect: there"
                                + " ShardFolder.open reads it");
    }

    private Process start(String name, String classPath, String... arguments) throws IOException {
        // Arrow in Spark's client needs what Netty leaves alone on Java 25 by itself.
        List<String> command = new ArrayList<>(Cluster.javaCommand(
                classPath, "-Xmx640m", "-Dio.netty.noUnsafe=false", "-Dorg.sparkproject.io.netty.noUnsafe=false"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectOutput(folder.resolve(name + ".txt").toFile())
                .redirectError(folder.resolve(name + "-errors.txt").toFile())
                .start();
    }

    private static String jar(String prefix) throws IOException {
        try (Stream<Path> files = Files.list(JARS)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no " + prefix + "*.jar in " + JARS))
                    .toString();
        }
    }

    private static String clientClassPath() throws IOException {
        return jar("spark-connect-client-jvm_")
                + File.pathSeparator
                + jar("spark-connect-shims_")
                + Cluster.classPathEntries().stream()
                        .filter(entry ->
                                !Path.of(entry).getFileName().toString().matches("spark-(sql|catalyst|core)_.*"))
                        .map(entry -> File.pathSeparator + entry)
                        .collect(Collectors.joining());
    }

    private String output() throws IOException {
        return Files.readString(folder.resolve("client-errors.txt"))
                + Files.readString(folder.resolve("server-errors.txt"));
    }
}
