package dev.besom.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The project's documents, and what can be tried of them. */
final class Documents {

    private static final Pattern FENCED =
            Pattern.compile("^```(\\w*)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern INDENTED = Pattern.compile("^ {4}(.*)$", Pattern.MULTILINE);
    private static final Pattern QUOTED = Pattern.compile("(?<!`)`([^`]+)`(?!`)");
    private static final Pattern COMMAND = Pattern.compile("(?:^|\\| )(?:\\./)?besom ([a-z]+ .*)$");

    private Documents() {}

    /** A command line after the word besom, and whether all of it is there. */
    record CommandText(String document, String words, boolean isWhole) {}

    /** The folder of the project. */
    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("README.md"))) {
            folder = Objects.requireNonNull(folder.getParent(), "no README.md in any folder above");
        }
        return folder;
    }

    /** All documents by their names from the root. */
    static Map<String, String> all() throws IOException {
        Map<String, String> texts = new TreeMap<>();
        for (Path folder : List.of(root(), root().resolve("docs"))) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".md")).toList()) {
                    texts.put(root().relativize(file).toString(), Files.readString(file));
                }
            }
        }
        return texts;
    }

    /** The blocks of code in that language. */
    static List<String> blocks(String text, String language) {
        List<String> blocks = new ArrayList<>();
        Matcher fenced = FENCED.matcher(text);
        while (fenced.find()) {
            if (fenced.group(1).equals(language)) {
                blocks.add(fenced.group(2));
            }
        }
        return blocks;
    }

    /** What links may name after a number sign: the headings, as pages of GitHub call them. */
    static List<String> anchors(String text) {
        return FENCED.matcher(text)
                .replaceAll("")
                .lines()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("#+ +", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .toList();
    }

    /** The command lines, in blocks and between back quotes. */
    static List<CommandText> commands(String document, String text) {
        List<CommandText> commands = new ArrayList<>();
        String plain = FENCED.matcher(text).replaceAll("");
        List<String> lines = new ArrayList<>();
        blocks(text, "sh").forEach(block -> block.lines().forEach(lines::add));
        INDENTED.matcher(plain).results().forEach(line -> lines.add(line.group(1)));
        lines.forEach(line -> add(commands, document, line.replaceFirst("\\s+#.*", ""), true));
        QUOTED.matcher(plain)
                .results()
                .forEach(quoted -> add(commands, document, quoted.group(1).replaceAll("\\s+", " "), false));
        return commands;
    }

    private static void add(List<CommandText> commands, String document, String line, boolean isWhole) {
        Matcher command = COMMAND.matcher(line);
        if (command.find()) {
            commands.add(new CommandText(document, command.group(1).replaceFirst(" *>\\S+", ""), isWhole));
        }
    }
}
