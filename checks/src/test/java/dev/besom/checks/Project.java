package dev.besom.checks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The project's folder and what its build files say. */
final class Project {

    /** Tests run in the folder of their module. */
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private Project() {}

    static String read(String file) {
        try {
            return Files.readString(ROOT.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The folders of all modules, in the order of the build. */
    static List<String> modules() {
        return matches("<module>(.*?)</module>", read("pom.xml"));
    }

    /** The modules whose jars users get. */
    static List<String> shippedModules() {
        return modules().stream()
                .filter(module -> !module.equals("bom"))
                .filter(module -> !pomOf(module).contains("<maven.deploy.skip>true"))
                .toList();
    }

    static String pomOf(String module) {
        return read(module + "/pom.xml");
    }

    static String artifactOf(String module) {
        return matches("</parent>\\s*<artifactId>(.*?)</artifactId>", pomOf(module))
                .get(0);
    }

    /**
     * Whether a module's jar is for the class path alone, which its name in the manifest says: what it stands on cannot be
     * read by a named module.
     */
    static boolean isOfClassPath(String module) {
        return pomOf(module).contains("<Automatic-Module-Name>dev.besom." + module + "<");
    }

    static String moduleInfoOf(String module) {
        return read(module + "/src/main/java/module-info.java");
    }

    /** The packages that a module exports to all; of one for the class path, the one with its name. */
    static List<String> exportsOf(String module) {
        if (isOfClassPath(module)) {
            return List.of("dev.besom." + module);
        }
        return matches("exports\\s+([\\w.]+)\\s*;", moduleInfoOf(module));
    }

    /** The packages of a module. */
    static List<String> packagesOf(String module) {
        Path sources = ROOT.resolve(module).resolve("src/main/java");
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.endsWith("package-info.java"))
                    .map(file -> sources.relativize(file.getParent())
                            .toString()
                            .replace('/', '.')
                            .replace('\\', '.'))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The first group of each match. */
    static List<String> matches(String pattern, String text) {
        return Pattern.compile(pattern, Pattern.DOTALL)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .toList();
    }
}
