package dev.besom.lab.race;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What measurements were made on. */
public final class Machine {

    private static final Path LINUX_PROCESSORS = Path.of("/proc/cpuinfo");

    private Machine() {}

    /** The processor, the operating system and the Java that this JVM runs on. */
    public static String description() {
        return "Machine: " + processor() + ", " + Runtime.getRuntime().availableProcessors() + " cores, "
                + System.getProperty("os.name") + " " + System.getProperty("os.arch") + "; Java "
                + System.getProperty("java.runtime.version") + " (" + System.getProperty("java.vm.name") + ").";
    }

    /** The processor's name where the system tells it. */
    private static String processor() {
        if (!Files.isReadable(LINUX_PROCESSORS)) {
            return "processor unknown";
        }
        try (Stream<String> lines = Files.lines(LINUX_PROCESSORS, StandardCharsets.UTF_8)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("processor unknown");
        } catch (IOException e) {
            return "processor unknown";
        }
    }
}
