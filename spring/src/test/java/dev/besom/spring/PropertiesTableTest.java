package dev.besom.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** What the page about guards says of properties and code in Spring is what there is. */
class PropertiesTableTest {

    private static final Path PAGE = Path.of("..", "docs", "guard.md");
    private static final Path APPLICATION = Path.of("src", "test", "java", "dev", "besom", "spring", "app");
    private static final String METADATA =
            "/META-INF/spring/configuration-metadata/dev.besom.spring.GuardProperties.json";

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z-]+)` \\| (.*?) \\|(?: `(.*?)` | )\\|$");
    private static final Pattern FIRST_CELL = Pattern.compile("(?m)^\\| `([a-z]+)` \\|");
    private static final Pattern JAVA = Pattern.compile("(?ms)^```java\\n(.*?)^```");

    /** The metadata that editors read; JSON is YAML too. */
    private static Map<String, Map<String, Object>> metadata(String file) throws IOException {
        Map<String, Map<String, Object>> properties = new LinkedHashMap<>();
        try (InputStream stream = Objects.requireNonNull(BesomProperties.class.getResourceAsStream(file), file)) {
            Map<String, List<Map<String, Object>>> document = new Yaml().load(stream);
            for (Map<String, Object> each : Objects.requireNonNull(document.get("properties"))) {
                properties.put(String.valueOf(each.get("name")), each);
            }
        }
        return properties;
    }

    /** The part of the page that is about Spring. */
    private static String section() throws IOException {
        String page = Files.readString(PAGE);
        int from = page.indexOf("\n## In Spring Boot\n");
        return page.substring(from, page.indexOf("\n## ", from + 1));
    }

    private static List<MatchResult> rowsBelow(String heading) throws IOException {
        String section = section();
        return ROW.matcher(section.substring(section.indexOf(heading)))
                .results()
                .toList();
    }

    @Test
    void theTableHasEachPropertyWithItsMeaningAndDefault() throws IOException {
        Map<String, Map<String, Object>> metadata = metadata(METADATA);
        List<MatchResult> rows = rowsBelow("## Properties");
        assertThat(rows.stream().map(row -> row.group(1))).containsExactlyInAnyOrderElementsOf(metadata.keySet());
        for (MatchResult row : rows) {
            Map<String, Object> property = Objects.requireNonNull(metadata.get(row.group(1)));
            assertThat(row.group(2)).isEqualTo(property.get("description"));
            assertThat(row.group(3))
                    .as(row.group(1))
                    .isEqualTo(
                            property.containsKey("defaultValue") ? String.valueOf(property.get("defaultValue")) : null);
        }
    }

    @Test
    void editorsKnowTheGuards() throws IOException {
        assertThat(metadata("/META-INF/spring-configuration-metadata.json"))
                .containsOnlyKeys("besom.enabled", "besom.guards")
                .allSatisfy((name, property) -> assertThat(property).containsKey("description"));
    }

    @Test
    void theTableOfContractsHasEachOfThem() throws IOException {
        String section = section();
        String contracts =
                section.substring(section.indexOf("## How a guard learns"), section.indexOf("## Properties"));
        assertThat(FIRST_CELL
                        .matcher(contracts)
                        .results()
                        .map(row -> row.group(1).toUpperCase(Locale.ROOT)))
                .containsExactlyElementsOf(
                        Stream.of(GuardContract.values()).map(Enum::name).toList());
    }

    @Test
    void theCodeOfThePageIsThatOfTheApplicationOfTheTests() throws IOException {
        List<String> code = new ArrayList<>();
        try (Stream<Path> files = Files.list(APPLICATION)) {
            for (Path file : files.toList()) {
                Files.readString(file, StandardCharsets.UTF_8)
                        .lines()
                        .map(String::strip)
                        .forEach(code::add);
            }
        }
        List<String> lines = JAVA.matcher(section())
                .results()
                .flatMap(block -> block.group(1).lines().map(String::strip))
                .filter(line -> !line.isEmpty())
                .toList();
        assertThat(lines).hasSizeGreaterThan(10);
        assertThat(code).containsAll(lines);
    }
}
