package dev.besom.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How many of Besom's classes run when users do the usual things: what a reader of the code has to walk through at most.
 * The bounds are there to be lowered.
 */
class WalksTest {

    private static final Pattern INITIALIZED = Pattern.compile("Initializing '?(dev[./]besom[./][\\w./$]+)");

    private static final int MOST_OF_QUERY = 104;
    private static final int MOST_OF_REPAIR = 140;
    private static final int MOST_OF_SAVE = 56;

    @TempDir
    Path folder = Path.of("");

    @Test
    void queryOfAFile() throws Exception {
        Path filter = folder.resolve("filter.besom");
        Walk.save(filter);
        Path keys = Files.writeString(folder.resolve("keys.txt"), "key 1\nkey 1000\n");
        assertClasses(MOST_OF_QUERY, "query", filter.toString(), keys.toString());
    }

    @Test
    void lookupWithARepair() throws Exception {
        assertClasses(MOST_OF_REPAIR, "repair");
    }

    @Test
    void saveOfAFilter() throws Exception {
        assertClasses(MOST_OF_SAVE, "save", folder.resolve("filter.besom").toString());
    }

    private void assertClasses(int most, String... walk) throws Exception {
        Path log = folder.resolve("classes.txt");
        Path output = folder.resolve("output.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xlog:class+init=info:file=" + log,
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Walk.class.getName()));
        command.addAll(List.of(walk));
        int code = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
        assertThat(code).as(Files.readString(output)).isZero();
        List<String> classes = initialized(log);
        System.out.println("besom: " + classes.size() + " classes run for: " + walk[0]);
        assertThat(classes).hasSizeBetween(10, most);
    }

    private static List<String> initialized(Path log) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.map(INITIALIZED::matcher)
                    .filter(Matcher::find)
                    .map(found -> found.group(1))
                    .filter(name -> !name.contains("$$") && !name.startsWith("dev.besom.checks"))
                    .distinct()
                    .sorted()
                    .toList();
        }
    }
}
