package dev.besom.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The drawings of CONTRIBUTING.md are those of the code. A run with {@code -Dbesom.drawing.write=true} draws them anew.
 *
 * <p>An arrow goes from a package to one that it uses. An arrow that a longer way implies is left out, so that the
 * drawing can be read.
 */
class PackageDrawingTest {

    private static final String FILE = "CONTRIBUTING.md";
    private static final String ROOT_PACKAGE = "dev.besom";

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT_PACKAGE);

    @Test
    void theDrawingOfModulesIsThatOfTheCode() throws IOException {
        Map<String, String> moduleOf = new TreeMap<>();
        for (String module : Project.shippedModules()) {
            Project.packagesOf(module).forEach(name -> moduleOf.put(name, module));
        }
        assertDrawing("modules", arrows(moduleOf));
    }

    @Test
    void theDrawingOfTheCoresPackagesIsThatOfTheCode() throws IOException {
        Map<String, String> nameOf = new TreeMap<>();
        Project.packagesOf("core").forEach(name -> nameOf.put(name, shortName(name)));
        assertDrawing("core", arrows(nameOf));
    }

    private static String shortName(String name) {
        return name.equals(ROOT_PACKAGE) ? "besom" : name.substring(ROOT_PACKAGE.length() + 1);
    }

    /** Who uses whom, by the names that packages are drawn with. */
    private static Map<String, Set<String>> arrows(Map<String, String> nameOf) {
        Map<String, Set<String>> arrows = new TreeMap<>();
        nameOf.values().forEach(name -> arrows.put(name, new TreeSet<>()));
        for (JavaClass origin : CLASSES) {
            String from = nameOf.get(origin.getPackageName());
            if (from == null) {
                continue;
            }
            for (Dependency dependency : origin.getDirectDependenciesFromSelf()) {
                String to = nameOf.get(dependency.getTargetClass().getPackageName());
                if (to != null && !to.equals(from)) {
                    arrows.computeIfAbsent(from, name -> new TreeSet<>()).add(to);
                }
            }
        }
        return arrows;
    }

    private static void assertDrawing(String name, Map<String, Set<String>> arrows) throws IOException {
        assertThat(arrows.values().stream().mapToInt(Set::size).sum()).isPositive();
        String start = "<!-- drawing of " + name + ", made by PackageDrawingTest -->\n";
        String end = "<!-- end of drawing -->";
        String text = Project.read(FILE);
        int from = text.indexOf(start) + start.length();
        assertThat(from).as("place of the drawing of %s", name).isGreaterThan(start.length());
        int to = text.indexOf(end, from);
        String drawing = mermaid(arrows);
        if (Boolean.getBoolean("besom.drawing.write")) {
            Files.writeString(Project.ROOT.resolve(FILE), text.substring(0, from) + drawing + text.substring(to));
            return;
        }
        assertThat(text.substring(from, to))
                .as("the drawing of %s in %s; -Dbesom.drawing.write=true draws it anew", name, FILE)
                .isEqualTo(drawing);
    }

    private static String mermaid(Map<String, Set<String>> arrows) {
        List<String> lines = new ArrayList<>(List.of("```mermaid", "graph TD"));
        arrows.forEach((from, used) -> {
            Set<String> direct = new TreeSet<>(used);
            used.forEach(middle -> direct.removeAll(reachedFrom(middle, arrows)));
            if (direct.isEmpty()) {
                lines.add("  " + from);
            } else {
                lines.add("  " + from + " --> " + direct.stream().collect(Collectors.joining(" & ")));
            }
        });
        lines.add("```");
        return String.join("\n", lines) + "\n";
    }

    /** What a node uses, also by others. */
    private static Set<String> reachedFrom(String start, Map<String, Set<String>> arrows) {
        Set<String> reached = new TreeSet<>();
        List<String> open = new ArrayList<>(arrows.getOrDefault(start, Set.of()));
        while (!open.isEmpty()) {
            String next = open.remove(open.size() - 1);
            if (reached.add(next)) {
                open.addAll(arrows.getOrDefault(next, Set.of()));
            }
        }
        return reached;
    }
}
