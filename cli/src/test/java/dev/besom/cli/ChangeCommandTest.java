package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.AdaptiveFilter;
import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code besom add} and {@code besom remove}. */
class ChangeCommandTest {

    @TempDir
    Path folder = Path.of("");

    private static String text(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "key-" + i + "\n").collect(Collectors.joining());
    }

    private Path build(String kind, int keys, int planned) {
        Path file = folder.resolve(kind);
        assertThat(Shell.runWith(text(0, keys), "build", "--kind", kind, "--n", planned, "-o", file, "-")
                        .code())
                .isZero();
        return file;
    }

    private static double maybes(Path file, int from, int to) {
        return Json.number(
                Json.parse(Shell.runWith(text(from, to), "query", "--json", file, "-")
                        .out()),
                "maybe");
    }

    /** Adaptive cuckoo filters cannot move keys whose hashes they do not know, and have room for few more then. */
    static Stream<String> insertableKinds() {
        return Filters.kinds().stream()
                .filter(kind -> kind.isInsertable() && !kind.isStatic())
                .filter(kind -> kind.adaptivity() != Kind.Adaptivity.HEURISTIC)
                .map(Kind::name);
    }

    static Stream<String> deletableKinds() {
        return Filters.kinds().stream()
                .filter(kind -> kind.isDeletable() && !AdaptiveFilter.class.isAssignableFrom(kind.type()))
                .map(Kind::name);
    }

    @ParameterizedTest
    @MethodSource("insertableKinds")
    void addedKeysAreThereBesideTheOthers(String kind) {
        Path file = build(kind, 500, 1000);

        Map<String, Object> said = Json.parse(
                Shell.runWith(text(500, 1000), "add", "--json", file, "-").out());

        assertThat(said).containsEntry("kind", kind).containsEntry("keys", 500.0);
        assertThat(Json.number(said, "new")).isBetween(450.0, 500.0);
        assertThat(maybes(file, 0, 1000)).isEqualTo(1000);
        assertThat(maybes(file, 5000, 6000)).isLessThan(60);
    }

    @ParameterizedTest
    @MethodSource("deletableKinds")
    void removedKeysAreGoneAndTheOthersAreNot(String kind) {
        Path file = build(kind, 1000, 1000);

        Map<String, Object> said = Json.parse(
                Shell.runWith(text(0, 500), "remove", "--json", file, "-").out());

        assertThat(said).containsEntry("keys", 500.0).containsEntry("removed", 500.0);
        assertThat(maybes(file, 500, 1000)).isEqualTo(500);
        assertThat(maybes(file, 0, 500)).isLessThan(50);
    }

    @Test
    void whatCannotBeRemovedIsRefusedAndTheFileStays() throws IOException {
        Path bloom = build("bloom", 100, 100);
        Path adaptive = build("telescoping", 100, 100);
        for (Path file : List.of(bloom, adaptive)) {
            byte[] before = Files.readAllBytes(file);
            Shell.Result result = Shell.runWith("key-1\n", "remove", file, "-");
            assertThat(result.code()).isEqualTo(1);
            assertThat(result.refusal())
                    .contains(file.toString(), file.getFileName().toString());
            assertThat(file).hasBinaryContent(before);
        }
    }

    @Test
    void aFullFilterAndABadKeyLeaveTheFileAsItWas() throws IOException {
        Path file = build("quotient", 100, 100);
        byte[] before = Files.readAllBytes(file);

        assertThat(Shell.runWith(text(100, 5000), "add", file, "-").refusal()).contains("no room", "unchanged");
        assertThat(Shell.runWith(new byte[] {'a', '\n', (byte) 0xFF, '\n'}, "add", file, "-")
                        .refusal())
                .contains("not valid UTF-8");

        assertThat(file).hasBinaryContent(before);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void removalsOfALossyKindSayWhatTheyCost() {
        Path file = build("composite-bloom", 1000, 1000);
        Shell.Result result = Shell.runWith("key-1\n", "remove", file, "-");
        assertThat(result.code()).isZero();
        assertThat(result.err()).contains("warning", "for a key that is there");
        assertThat(maybes(file, 1, 2)).isZero();
    }

    @Test
    void whatIsNoFilterFileIsRefused() throws IOException {
        Path text = Files.writeString(folder.resolve("text"), "no filter at all, but long enough for one\n");
        for (String command : new String[] {"add", "remove"}) {
            assertThat(Shell.run(command, folder.resolve("absent"), text).refusal())
                    .contains("no such file");
            assertThat(Shell.run(command, folder, text).refusal()).contains("not a regular file");
            assertThat(Shell.runWith("a\n", command, text, "-").refusal()).contains("not a whole filter file");
            assertThat(Shell.run(command, text, text).refusal()).contains("is one of the key files");
        }
    }

    /** In processes of their own, as locks are between processes. */
    @Test
    void commandsAtOnceLoseNothing() throws Exception {
        Path file = build("bloom", 1, 10_000);
        int writers = 4;
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        try {
            List<Callable<Integer>> runs = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                Path keys =
                        Files.writeString(folder.resolve("keys-" + writer), text(1000 * writer, 1000 * writer + 1000));
                runs.add(() -> OwnProcess.run(folder, "add", file, keys).code());
            }
            for (Future<Integer> run : threads.invokeAll(runs)) {
                assertThat(run.get()).isZero();
            }
        } finally {
            threads.shutdown();
        }
        assertThat(maybes(file, 0, 1000 * writers)).isEqualTo(1000 * writers);
    }
}
