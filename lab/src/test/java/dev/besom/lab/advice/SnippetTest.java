package dev.besom.lab.advice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code to paste is really pasted, compiled and run. */
class SnippetTest {

    @TempDir
    Path folder = Path.of("");

    @Test
    void theCodeForEveryKindCompilesWithoutWarningsAndRuns() throws Exception {
        Map<String, String> snippets = new LinkedHashMap<>();
        for (Kind kind : Filters.kinds()) {
            for (boolean areNumbers : new boolean[] {false, true}) {
                for (Need extra : new Need[] {Need.INSERT, Need.DELETE, Need.WITHSTAND}) {
                    if (extra.isMetBy(kind) && kind.isInsertable()) {
                        snippets.put("Pasted" + snippets.size(), code(kind, areNumbers, extra));
                    }
                }
            }
        }
        assertThat(snippets).hasSizeGreaterThan(Filters.kinds().size());

        compile(snippets);

        try (URLClassLoader loader = new URLClassLoader(urls(), ClassLoader.getPlatformClassLoader())) {
            for (String name : snippets.keySet()) {
                loader.loadClass(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
            }
        }
    }

    @Test
    void kindsThatAGuardTakesAreGivenWithAGuardAndNoHashesInMemory() {
        for (Kind kind : Filters.kinds()) {
            String code = code(kind, false, Need.INSERT);
            assertThat(code.contains("Guard.builder"))
                    .as(kind.name())
                    .isEqualTo(kind.isAdaptive() && kind.isGrowable());
            assertThat(code.contains("Guard.builder") && code.contains("MemoryHashes"))
                    .as(kind.name())
                    .isFalse();
        }
    }

    @Test
    void keysThatExpireAreInTwoFiltersInTurnAndListsAreBuiltFromBothSides() throws IOException {
        Candidate bloom =
                new Candidate(Filters.kind("bloom"), 1234, new Trial(0.005, 0.01, 20, 0), new Candidate.Loss(5, 5, 20));
        String rotated = Snippet.of(wishes(Need.INSERT, Wishes.Setting.USUAL.withExpiry(true)), bloom);
        assertThat(rotated).contains("older = filter;");
        Candidate list =
                new Candidate(Filters.kind("exact-list"), 1234, new Trial(0.5, 0.5, 9, 0), new Candidate.Loss(5, 5, 9));
        String listed = Snippet.of(wishes(Need.TELL_APART, Wishes.Setting.USUAL.withKnownOthers(5000)), list);
        assertThat(listed).contains("--yes KEYS --no OTHERS");
        compile(Map.of("Rotated", rotated, "Listed", listed));
    }

    @Test
    void theCodeForAKindThatTakesAllKeysAtOnceReadsItsFile() throws IOException {
        Kind bloom = Filters.kind("bloom");
        Kind frozen = Kind.of("frozen", PersistentFilter.class)
                .builds((spec, hashes, stored) -> bloom.make(spec, stored))
                .reads(bloom.form(), bloom::read)
                .toKind();
        String code = code(frozen, false, Need.MERGE);
        assertThat(code).contains("besom build --kind frozen --fpp 0.01", "Filters.read(Path.of(\"keys.besom\")");
        compile(Map.of("Frozen", code));
    }

    @Test
    void aSecretIsUsedAgainstAnAdversary() {
        assertThat(code(Filters.kind("cascade"), false, Need.WITHSTAND))
                .contains("KeyHasher.secretUtf8(HashSecret.random())");
        assertThat(code(Filters.kind("cascade"), true, Need.WITHSTAND))
                .contains("KeyHasher.secretLongs(HashSecret.random())");
        assertThat(code(Filters.kind("telescoping"), true, Need.WITHSTAND))
                .contains("Guard.builder(store, KeyHasher.longs()); // makes its own secret");
    }

    private static String code(Kind kind, boolean areNumbers, Need need) {
        Wishes wishes = wishes(need, Wishes.Setting.USUAL.withNumbers(areNumbers));
        return Snippet.of(
                wishes, new Candidate(kind, 1234, new Trial(0.01, 0.01, 10, 0), new Candidate.Loss(5, 5, 10)));
    }

    private static Wishes wishes(Need need, Wishes.Setting setting) {
        return new Wishes(
                1234, Wishes.Limits.ofRate(0.01), EnumSet.of(need), setting, Traffic.withoutRepeats(1000, 0.5));
    }

    private void compile(Map<String, String> snippets) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "-proc:none",
                "-Xlint:all",
                "-Werror",
                "-d",
                folder.toString(),
                "-cp",
                classPath().collect(Collectors.joining(File.pathSeparator))));
        for (Map.Entry<String, String> snippet : snippets.entrySet()) {
            Path file = folder.resolve(snippet.getKey() + ".java");
            Files.writeString(file, wrap(snippet.getKey(), snippet.getValue()));
            arguments.add(file.toString());
        }
        StringWriter said = new StringWriter();
        ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
        int code = javac.run(new PrintWriter(said), new PrintWriter(said), arguments.toArray(String[]::new));
        assertThat(code).as(said.toString()).isZero();
    }

    /** As somebody would paste it: imports on top, the rest into a method. */
    private static String wrap(String name, String code) {
        int end = code.indexOf("\n\n");
        return code.substring(0, end) + "\npublic final class " + name
                + " {\n    public static void main(String[] arguments) throws Exception {\n" + code.substring(end)
                + "    }\n}\n";
    }

    private URL[] urls() throws IOException {
        List<URL> urls = new ArrayList<>();
        urls.add(folder.toUri().toURL());
        for (String entry : classPath().toList()) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }

    /** Whatever this test runs on, modules and not. */
    private static Stream<String> classPath() {
        Set<String> properties = Set.of("java.class.path", "jdk.module.path");
        return properties.stream()
                .flatMap(property -> Stream.of(System.getProperty(property, "").split(File.pathSeparator, -1)))
                .filter(entry -> !entry.isEmpty() && Files.exists(Path.of(entry)));
    }
}
