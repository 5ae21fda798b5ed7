package dev.besom.testkit;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Starts one program over and over in Java machines that live for less than a second, so that to start them is most of
 * the work: with the options that make a start quick, and with an archive of the classes that a first process loaded.
 *
 * <p>A Java machine makes no archive of classes from folders, so the folders of the class path are packed into jars first.
 * Where there is no archive after all, processes start without it.
 */
final class QuickStart {

    private static final List<String> OPTIONS = List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "-Xlog:disable",
            "-Xmx128m",
            "-XX:-UsePerfData",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote");

    private final Path archive;
    private final List<String> program;

    /**
     * @param folder for the jars and the archive
     * @param options of the Java machine, beside those that make it start quickly
     */
    QuickStart(Path folder, Class<?> program, List<String> options) throws IOException {
        this.archive = folder.resolve("classes.jsa");
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        this.program = Stream.concat(options.stream(), Stream.of("-cp", jarsOf(classPath, folder), program.getName()))
                .toList();
    }

    /** Starts a process that leaves an archive of its classes when it ends, unless it is killed. */
    Process startFirst(String... arguments) throws IOException {
        return start("-XX:ArchiveClassesAtExit=" + archive, arguments);
    }

    Process start(String... arguments) throws IOException {
        return start(Files.exists(archive) ? "-XX:SharedArchiveFile=" + archive : "-Xshare:auto", arguments);
    }

    private Process start(String option, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(OPTIONS);
        command.add(option);
        command.addAll(program);
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String jarsOf(String classPath, Path folder) throws IOException {
        List<Path> jars = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path)) {
                jars.add(pack(path, folder.resolve(jars.size() + ".jar")));
            } else if (Files.exists(path)) {
                jars.add(path);
            }
        }
        return jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private static Path pack(Path classes, Path jar) throws IOException {
        try (Stream<Path> files = Files.walk(classes);
                OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                String name = classes.relativize(file).toString().replace(File.separatorChar, '/');
                entries.putNextEntry(new JarEntry(name));
                Files.copy(file, entries);
            }
        }
        return jar;
    }
}
