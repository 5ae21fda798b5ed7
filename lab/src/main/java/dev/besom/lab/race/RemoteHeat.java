package dev.besom.lab.race;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A contender's part of a race, in a JVM of its own that is started with the same Java, flags and classes as this one
 * and lives until the heat is closed. Each call is one line to {@link RemoteHeatMain} and one line back.
 */
final class RemoteHeat implements Heat {

    private final String kind;
    private final Process process;
    private final Writer commands;
    private final BufferedReader answers;

    /** A JVM with the flags of this one, and more. */
    RemoteHeat(RaceSpec spec, String kind, long limitBits, String... flags) {
        this.kind = kind;
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(RemoteHeat::isInherited)
                .forEach(command::add);
        command.addAll(List.of(flags));
        Optional.ofNullable(System.getProperty(Pace.PROPERTY))
                .ifPresent(sample -> command.add("-D" + Pace.PROPERTY + "=" + sample));
        command.addAll(classes());
        command.add(Long.toString(limitBits));
        command.addAll(RemoteSpec.words(spec, kind));
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a JVM for kind " + kind, e);
        }
        commands = process.outputWriter(StandardCharsets.UTF_8);
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Memory, compiler and access flags, but not agents, ports or files that two JVMs cannot share. */
    private static boolean isInherited(String flag) {
        return flag.startsWith("-Xm")
                || flag.startsWith("-Xs")
                || (flag.startsWith("-XX:") && !flag.contains("File") && !flag.contains("Path"))
                || flag.startsWith("--add-opens")
                || flag.startsWith("--add-exports")
                || flag.startsWith("--enable-native-access")
                || flag.startsWith("--sun-misc-unsafe");
    }

    private static List<String> classes() {
        List<String> words = new ArrayList<>();
        String classPath = System.getProperty("java.class.path", "");
        if (!classPath.isEmpty()) {
            words.add("-cp");
            words.add(classPath);
        }
        Module module = RemoteHeat.class.getModule();
        if (module.isNamed()) {
            words.add("-p");
            words.add(System.getProperty("jdk.module.path", "."));
            words.add("-m");
            words.add(module.getName() + "/" + RemoteHeatMain.class.getName());
        } else {
            words.add(RemoteHeatMain.class.getName());
        }
        return words;
    }

    @Override
    public Filled prepare() {
        return request("prepare", Filled.class);
    }

    @Override
    public Times time() {
        return request("time", Times.class);
    }

    @Override
    public Tally play() {
        return request("play", Tally.class);
    }

    @Override
    public void close() {
        process.destroy();
    }

    private <R extends Record> R request(String request, Class<R> type) {
        try {
            commands.write(request + "\n");
            commands.flush();
            String answer = answers.readLine();
            if (answer == null) {
                throw new UncheckedIOException(
                        new IOException("the JVM of kind " + kind + " ended with exit code " + process.waitFor()));
            }
            if (answer.equals(RemoteHeatMain.OUT_OF_MEMORY)) {
                throw new OutOfMemoryError("in the JVM of kind " + kind);
            }
            if (answer.startsWith(RemoteHeatMain.REFUSED)) {
                throw new IllegalArgumentException(answer.substring(RemoteHeatMain.REFUSED.length()));
            }
            return RecordText.read(answer, type);
        } catch (IOException e) {
            throw new UncheckedIOException("lost the JVM of kind " + kind, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for kind " + kind, e);
        }
    }
}
