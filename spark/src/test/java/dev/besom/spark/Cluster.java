package dev.besom.spark;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A Master and two Workers as processes of this machine, started from the jars on the class path; what Spark's scripts do
 * with a distribution. Their executors are processes too, and are found as children of the Workers.
 */
final class Cluster implements AutoCloseable {

    private static final String HOST = Ports.HOST;
    private static final int WORKERS = 2;

    private final Path folder;
    private final int port;
    private final List<Process> processes = new ArrayList<>();

    private Cluster(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    static Cluster start(Path folder) throws IOException, InterruptedException {
        Cluster cluster = new Cluster(folder, Ports.free());
        try {
            cluster.startMaster();
            for (int i = 0; i < WORKERS; i++) {
                cluster.startWorker(i);
            }
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    String master() {
        return "spark://" + HOST + ":" + port;
    }

    private void startMaster() throws IOException, InterruptedException {
        Process master = start(
                "master",
                "org.apache.spark.deploy.master.Master",
                "--host",
                HOST,
                "--port",
                "" + port,
                "--webui-port",
                "0");
        Ports.await(port, master);
    }

    private void startWorker(int number) throws IOException {
        start(
                "worker-" + number,
                "org.apache.spark.deploy.worker.Worker",
                "--host",
                HOST,
                "--cores",
                "1",
                "--memory",
                "1g",
                "--work-dir",
                folder.resolve("work-" + number).toString(),
                "--webui-port",
                "0",
                master());
    }

    private Process start(String name, String type, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(javaCommand(
                classPath(),
                "-Xmx256m",
                "-Dspark.deploy.maxExecutorRetries=-1",
                // Who is late on a busy machine is not dead.
                "-Dspark.worker.timeout=3600"));
        command.add(type);
        command.addAll(List.of(arguments));
        Path output = folder.resolve(name + ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("SPARK_LOCAL_IP", HOST);
        // A distribution has its jars there; here executors get the class path of the tests.
        Path home = folder.resolve("home");
        Files.createDirectories(home.resolve("jars"));
        builder.environment().put("SPARK_HOME", home.toString());
        builder.environment().put("SPARK_SCALA_VERSION", "2.13");
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    /** Java with a class path and {@linkplain #javaOptions() options} for all processes. */
    static List<String> javaCommand(String classPath, String... options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Arrays.asList(javaOptions().split(" ")));
        command.addAll(List.of(options));
        command.add("-cp");
        command.add(classPath);
        return command;
    }

    /** What Spark opens of the JDK, and what makes processes that live shortly start fast. */
    static String javaOptions() {
        return "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC " + System.getProperty("besom.sparkOpens", "");
    }

    /** The class path of the tests. */
    static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** The folders and jars of the class path. */
    static List<String> classPathEntries() {
        return List.of(classPath().split(File.pathSeparator, -1));
    }

    /** The executors that run now: nothing else is started by a Worker. */
    List<ProcessHandle> executors() {
        return processes.stream()
                .flatMap(process -> process.toHandle().descendants())
                .filter(ProcessHandle::isAlive)
                .toList();
    }

    /** The output of all processes, for messages. */
    String output() {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".txt") || name.equals("stderr")) {
                    all.append(file).append('\n').append(Files.readString(file)).append('\n');
                }
            }
        } catch (IOException e) {
            all.append(e);
        }
        return all.toString();
    }

    @Override
    public void close() {
        for (Process process : processes) {
            process.toHandle().descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        for (Process process : processes) {
            try {
                process.waitFor(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
