package dev.besom.cli;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs command lines in a JVM of their own. */
final class OwnProcess {

    private OwnProcess() {}

    /** What this test runs on, modules and not. */
    static String classPath() {
        return Stream.of("jdk.module.path", "surefire.test.class.path", "java.class.path")
                .map(name -> System.getProperty(name, ""))
                .filter(path -> !path.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Runs a command with more on the class path, behind what this test runs on. */
    static Shell.Result run(Path more, Object... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "-cp",
                classPath() + File.pathSeparator + more,
                Main.class.getName()));
        Stream.of(arguments).map(Object::toString).forEach(command::add);
        Path err = Files.createTempFile("besom-", ".err");
        try {
            Process process =
                    new ProcessBuilder(command).redirectError(err.toFile()).start();
            process.getOutputStream().close();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Shell.Result(process.waitFor(), out, Files.readString(err));
        } finally {
            Files.deleteIfExists(err);
        }
    }
}
