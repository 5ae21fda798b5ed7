package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What commands print, as a real terminal of 80 columns shows it: no line is broken by the terminal, none is cut off, and no
 * progress is left behind. Skipped where there is no tmux.
 */
class TerminalCaptureTest {

    private static final String MARK = "###";

    @TempDir
    Path folder = Path.of("");

    /** Runs command lines of a file one after the other on the terminal that it stands in; a mark and a number before each. */
    static final class OnTerminal {

        private OnTerminal() {}

        public static void main(String[] arguments) throws IOException {
            FileOutputStream out = new FileOutputStream(FileDescriptor.out);
            List<String> lines = Files.readAllLines(Path.of(arguments[0]));
            for (int i = 0; i < lines.size(); i++) {
                out.write((MARK + i + "\n").getBytes(StandardCharsets.UTF_8));
                Main.execute(
                        lines.get(i).split(" ", -1),
                        new FileInputStream(FileDescriptor.in),
                        out,
                        new FileOutputStream(FileDescriptor.err),
                        true);
            }
            out.write((MARK + "end\n").getBytes(StandardCharsets.UTF_8));
            Files.createFile(Path.of(arguments[0] + ".done"));
        }
    }

    @Test
    void aTerminalShowsEveryHelpAndOutputAsItWasPrinted() throws Exception {
        assumeTrue(hasTmux(), "skipped: no tmux on the PATH");
        Files.writeString(folder.resolve("keys"), "besom\nbroom\nmop\n".repeat(50));
        Path filter = folder.resolve("f");
        assertThat(Shell.run("build", "--kind", "bloom", "-o", filter, folder.resolve("keys"))
                        .code())
                .isZero();
        List<String> commands = new ArrayList<>(List.of("--help"));
        Main.commandLine(new Console(
                        new FileInputStream(FileDescriptor.in),
                        OutputStream.nullOutputStream(),
                        OutputStream.nullOutputStream(),
                        false))
                .getSubcommands()
                .keySet()
                .forEach(command -> commands.add(command + " --help"));
        commands.addAll(List.of(
                "kinds",
                "kinds telescoping",
                "report --list",
                "info " + filter,
                "query " + filter + " " + folder.resolve("keys"),
                "advise --n 2000",
                "advise --n 2000 --static --values",
                "advise --n 2000 --skew 1.1"));

        Map<String, List<String>> shown = capture(commands);

        for (String command : commands) {
            Shell.Result printed = Shell.run((Object[]) command.split(" ", -1));
            List<String> lines = printed.out().lines().toList();
            assertThat(shown.get(command)).as(command).isNotNull();
            // Commands and paths to be copied stand in one line however long they are.
            List<String> expected = lines.stream()
                    .flatMap(line -> line.matches("(\\./|// )besom .*") || line.contains(folder.toString())
                            ? brokenByTerminal(line).stream()
                            : Stream.of(line))
                    // A terminal has a stop at every eighth column.
                    .map(line -> line.replace("maybe\t", "maybe   ").stripTrailing())
                    .toList();
            assertThat(shown.get(command)).as(command).isEqualTo(withoutEmptyEnd(expected));
        }
    }

    private static List<String> brokenByTerminal(String line) {
        List<String> pieces = new ArrayList<>();
        for (int from = 0; from < line.length() || from == 0; from += Table.TERMINAL_WIDTH) {
            pieces.add(line.substring(from, Math.min(line.length(), from + Table.TERMINAL_WIDTH)));
        }
        return pieces;
    }

    private static List<String> withoutEmptyEnd(List<String> lines) {
        int end = lines.size();
        while (end > 0 && lines.get(end - 1).isEmpty()) {
            end--;
        }
        return lines.subList(0, end);
    }

    /** By command, the lines that the terminal shows of it. */
    private Map<String, List<String>> capture(List<String> commands) throws Exception {
        Path list = Files.write(folder.resolve("commands"), commands);
        Path options = Files.write(
                folder.resolve("options"),
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx512m",
                        "-cp",
                        "\"" + OwnProcess.classPath() + "\"",
                        OnTerminal.class.getName(),
                        list.toString()));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String socket = folder.resolve("tmux").toString();
        String text;
        try {
            run("tmux", "-f", "/dev/null", "-S", socket, "new-session", "-d", "-x", "80", "-y", "50", "sleep 600");
            run("tmux", "-S", socket, "set-option", "-g", "history-limit", "20000");
            run("tmux", "-S", socket, "set-option", "-g", "remain-on-exit", "on");
            // The size of a window's history is that of the time when it is made.
            run("tmux", "-S", socket, "new-window", "-d", "-n", "besom", "LC_ALL=C.UTF-8 " + java + " @" + options);
            for (int i = 0; i < 3000 && !Files.exists(Path.of(list + ".done")); i++) {
                Thread.sleep(100);
            }
            assertThat(Path.of(list + ".done")).exists();
            text = run("tmux", "-u", "-S", socket, "capture-pane", "-p", "-S", "-", "-t", "besom");
        } finally {
            run("tmux", "-S", socket, "kill-server");
        }
        Map<String, List<String>> shown = new LinkedHashMap<>();
        String[] parts = text.split("(?m)^" + MARK, -1);
        for (String part : Arrays.asList(parts).subList(1, parts.length)) {
            List<String> lines = part.lines().map(String::stripTrailing).toList();
            if (!lines.get(0).equals("end")) {
                shown.put(
                        commands.get(Integer.parseInt(lines.get(0))), withoutEmptyEnd(lines.subList(1, lines.size())));
            }
        }
        return shown;
    }

    private static boolean hasTmux() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .anyMatch(place -> Files.isExecutable(Path.of(place, "tmux")));
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return said;
    }
}
