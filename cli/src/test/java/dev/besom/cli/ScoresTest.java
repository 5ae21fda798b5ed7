package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters for keys that a model of the user's own has scored. */
class ScoresTest {

    private static final int KEYS = 20_000;

    /** Nine of ten keys of a kind have a score above one half, of the others one in ten. */
    private static double score(String key) {
        int number = Integer.parseInt(key.substring(key.indexOf('-') + 1));
        boolean isHigh = key.startsWith("bad") == (number % 10 != 0);
        return isHigh ? 0.5 + number % 500 / 1001.0 : number % 500 / 1001.0;
    }

    @TempDir
    Path folder = Path.of("");

    private String write(String name, Stream<String> lines) throws IOException {
        Files.write(folder.resolve(name), lines.toList());
        return folder.resolve(name).toString();
    }

    private String keys(String name, String prefix, int from, int to) throws IOException {
        return write(name, IntStream.range(from, to).mapToObj(i -> prefix + i));
    }

    private String scores(String keys) throws IOException {
        Path file = Path.of(keys);
        return write(
                file.getFileName() + ".scores",
                Files.readAllLines(file).stream().map(key -> Double.toString(score(key))));
    }

    private static double maybe(Object... words) {
        return Json.number(Json.parse(Shell.run(words).out()), "maybe");
    }

    @ParameterizedTest
    @ValueSource(strings = {"partitioned-learned", "daisy", "daisy-fingerprint", "weighted-bloom"})
    void aFilterOfScoredKeysLosesNoneAndIsSmallerWhereTheModelIsGood(String kind) throws IOException {
        String stored = keys("stored", "bad-", 0, KEYS);
        String asked = keys("asked", "good-", 0, KEYS);
        String others = keys("others", "good-", KEYS, 3 * KEYS);
        String filter = folder.resolve("urls.besom").toString();
        Map<String, Object> built = Json.parse(Shell.run(
                        "build",
                        "--json",
                        "--kind",
                        kind,
                        "--fpp",
                        "0.01",
                        "--scores",
                        scores(stored),
                        "--sample-queries",
                        asked,
                        "--sample-scores",
                        scores(asked),
                        "--model-size",
                        "100",
                        "-o",
                        filter,
                        stored)
                .out());
        assertThat(Json.number(built, "bitsPerKey")).isLessThan(kind.equals("daisy-fingerprint") ? 10.3 : 9.6);
        assertThat(maybe("query", "--json", "--scores", scores(stored), filter, stored))
                .isEqualTo(KEYS);
        assertThat(maybe("query", "--json", "--scores", scores(others), filter, others))
                .isBetween(0.5 * 0.01 * 2 * KEYS, 1.5 * 0.01 * 2 * KEYS);
        assertThat(maybe("query", "--json", filter, stored))
                .as("without scores")
                .isEqualTo(KEYS);
    }

    @Test
    void theModelsMemoryCountsAndACommandGivesTheSameScoresAsAFile() throws IOException {
        String stored = write("stored", Stream.of("0.9", "0.8", "0.7", "0.1"));
        String asked = write("asked", IntStream.range(0, 500).mapToObj(i -> Double.toString(i / 1000.0)));
        String byFile = folder.resolve("file.besom").toString();
        String byCommand = folder.resolve("command.besom").toString();
        Shell.run(
                "build",
                "--kind",
                "daisy",
                "--scores",
                stored,
                "--sample-queries",
                asked,
                "--sample-scores",
                asked,
                "--model-size",
                "1K",
                "-o",
                byFile,
                stored);
        Map<String, Object> built = Json.parse(Shell.run(
                        "build",
                        "--json",
                        "--kind",
                        "daisy",
                        "--model",
                        "cat",
                        "--sample-queries",
                        asked,
                        "--model-size",
                        "1K",
                        "-o",
                        byCommand,
                        stored)
                .out());
        assertThat(Files.readAllBytes(Path.of(byCommand))).isEqualTo(Files.readAllBytes(Path.of(byFile)));
        assertThat(Json.number(built, "sizeInBits")).isGreaterThan(8 * 1024);
        assertThat(maybe("query", "--json", "--model", "cat", byCommand, stored))
                .isEqualTo(4);
        assertThat(Shell.run("query", "--model", "exit 3", byCommand, stored).err())
                .contains("--model");
        assertThat(Shell.run("query", "--model", "cat > /dev/null; echo 1", byCommand, stored)
                        .err())
                .contains("there are more keys");
    }

    @Test
    void otherModelsAndScoresThatDoNotFitAreRefused() throws IOException {
        String stored = write("stored", Stream.of("0.9", "0.8"));
        String asked = write("asked", Stream.of("0.1", "0.3"));
        String filter = folder.resolve("f.besom").toString();
        List<String> good =
                List.of("build", "--kind", "daisy", "--model", "cat", "--sample-queries", asked, "-o", filter);
        assertThat(Shell.run(with(good, stored)).err()).contains("needs --model-size");
        assertThat(Shell.run(with(good, "--model-size", "10", "--thresholds", "0.5,0.2", stored))
                        .err())
                .contains("--thresholds", "ascend");
        assertThat(Shell.run(with(good, "--model-size", "10", "--thresholds", "0.2,0.5", stored))
                        .code())
                .isZero();
        assertThat(Shell.run("query", "--model", "cat", filter, stored).code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(Shell.run(
                                "query",
                                "--model",
                                "cat",
                                "--thresholds",
                                "0.2,0.5",
                                "--model-name",
                                "other",
                                filter,
                                stored)
                        .code())
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(Shell.run("query", "--model", "cat", "--thresholds", "0.2,0.5", filter, stored)
                        .code())
                .isZero();
        String words = write("words", Stream.of("a", "b"));
        assertThat(Shell.run("query", "--model", "cat", "--thresholds", "0.2,0.5", filter, words)
                        .err())
                .contains("line 1 is no number");
        assertThat(Shell.run("build", "--kind", "bloom", "--model", "cat", "-o", filter + "2", stored)
                        .err())
                .contains("kind bloom cannot use scores");
    }

    /** A race of a filter that a model tells keys apart for, and its options before the files of scores. */
    private List<String> race(String... kinds) throws IOException {
        return List.of(
                "race",
                "--json",
                "--kinds",
                String.join(",", kinds),
                "--keys",
                keys("stored", "bad-", 0, KEYS),
                "--queries-file",
                keys("later", "good-", KEYS, 3 * KEYS),
                "--sample-queries",
                keys("asked", "good-", 0, KEYS));
    }

    private static List<Map<String, Object>> raced(Object... words) {
        return Json.array(Json.parse(Shell.run(words).out()).get("kinds")).stream()
                .map(Json::object)
                .toList();
    }

    @Test
    void aRaceCountsTheModelAndWhatItsScoresAreGoodFor() throws IOException {
        List<String> race = race("bloom", "daisy", "partitioned-learned");
        String stored = folder.resolve("stored").toString();
        String[] scores = {
            "--scores", scores(stored),
            "--query-scores", scores(folder.resolve("later").toString()),
            "--sample-scores", scores(folder.resolve("asked").toString())
        };
        List<Map<String, Object>> small = raced(with(all(race, scores), "--model-size", "100"));
        List<Map<String, Object>> large = raced(with(all(race, scores), "--model-size", "10K"));
        assertThat(Json.number(small.get(0), "bitsPerKey")).isBetween(9.7, 9.85);
        for (int i = 1; i < 3; i++) {
            assertThat(Json.number(small.get(i), "bitsPerKey"))
                    .as("%s", small.get(i))
                    .isLessThan(9.55);
            assertThat(Json.number(large.get(i), "bitsPerKey") - Json.number(small.get(i), "bitsPerKey"))
                    .as("bits a key of %s for the model", small.get(i))
                    .isCloseTo(8.0 * (10 * 1024 - 100) / KEYS, within(0.01));
            assertThat(Json.number(small.get(i), "falseNegatives")).isZero();
            assertThat(Json.number(small.get(i), "falsePositiveRate")).isBetween(0.005, 0.015);
        }
    }

    @Test
    void anAdviceTellsWhatAModelIsWorth() throws IOException {
        String stored = keys("stored", "bad-", 0, KEYS);
        String asked = keys("asked", "good-", 0, 2 * KEYS);
        List<String> advise = List.of(
                "advise",
                "--keys",
                stored,
                "--queries-file",
                asked,
                "--scores",
                scores(stored),
                "--query-scores",
                scores(asked));
        Map<String, Object> small = Json.parse(
                Shell.run(with(advise, "--json", "--model-size", "100")).out());
        assertThat(Json.object(small.get("distribution")).get("worthUsing")).hasToString("true");
        assertThat(Json.number(Json.object(small.get("distribution")), "bitsPerKey"))
                .isLessThan(Json.number(Json.object(small.get("distribution")), "bitsPerKeyWithout"));
        Map<String, Object> large = Json.parse(
                Shell.run(with(advise, "--json", "--model-size", "1M")).out());
        assertThat(Json.object(large.get("distribution")).get("worthUsing")).hasToString("false");
    }

    @Test
    void whatARaceOrAnAdviceCannotDoWithAModelIsRefused() throws IOException {
        List<String> race = race("bloom", "daisy");
        String model = "sed s/.*/0.5/";
        String[] good = {"--model", model, "--model-size", "10"};
        assertThat(Shell.run(with(all(race, good), "--queries", "100")).code()).isZero();
        assertRefused(with(race, "--model", model), "--model: needs --model-size");
        assertRefused(with(race, "--model-size", "10"), "go with --scores or --model");
        assertRefused(with(race, "--sample-scores", "f"), "--sample-scores: goes with --scores");
        assertRefused(with(all(race, good), "--repeat", "3"), "--repeat: no times can be taken with --model");
        assertRefused(with(all(race, good), "--store", "memory"), "--store: does not go with --model");
        assertRefused(with(all(race, good), "--query-scores", "f"), "--query-scores: is needed with --scores");
        assertRefused(
                with(List.of("race", "--kinds", "daisy"), good),
                "--model: needs --keys, --queries-file and --sample-queries");
        assertRefused(with(List.of("advise", "--n", "1000"), good), "--model: needs --keys and --queries-file");
        String twice = write("twice", Stream.of("a", "a"));
        String two = write("two", Stream.of("0.1", "0.9"));
        assertRefused(
                with(
                        List.of("advise", "--keys", twice, "--queries-file", twice),
                        "--scores",
                        two,
                        "--query-scores",
                        two,
                        "--model-size",
                        "10"),
                "--scores: a key has the scores 0.1 and 0.9, in different classes");
    }

    private static void assertRefused(Object[] words, String complaint) {
        Shell.Result result = Shell.run(words);
        assertThat(result.err()).contains(complaint).hasLineCount(1);
        assertThat(result.code()).isEqualTo(ExitCode.BAD_INPUT);
    }

    private static List<String> all(List<String> words, String... more) {
        return Stream.concat(words.stream(), Stream.of(more)).toList();
    }

    private static Object[] with(List<String> words, String... more) {
        return Stream.concat(words.stream(), Stream.of(more)).toArray();
    }
}
