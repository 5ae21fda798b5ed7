package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.distribution.ClassifiedFilter;
import dev.besom.filters.FilterFile;
import dev.besom.filters.Filters;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filters that learn the distribution from samples. */
class SamplesTest {

    private static final int KEYS = 40_000;

    /** As many for advice, which replays a log against dozens of filters of each kind. */
    private static final int FEWER_KEYS = 12_000;

    private static final int HOT = 300;

    @TempDir
    Path folder = Path.of("");

    private Path keys = Path.of("");
    private Path filter = Path.of("");
    private Path sampleKeys = Path.of("");
    private Path sampleQueries = Path.of("");
    private Path queries = Path.of("");

    /** Keys; nineteen of twenty queries are for 300 others. */
    @BeforeEach
    void writeFiles() throws IOException {
        keys = folder.resolve("keys");
        filter = folder.resolve("keys.besom");
        String text = keys(KEYS);
        Files.writeString(keys, text);
        sampleKeys = Files.writeString(folder.resolve("sample-keys"), text.substring(0, text.length() / 10));
        sampleQueries = Files.writeString(folder.resolve("sample-queries"), log(20_000, 1));
        queries = Files.writeString(folder.resolve("queries"), log(100_000, 2));
    }

    private static String keys(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append("key-").append(i).append('\n');
        }
        return text.toString();
    }

    private static String log(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(random.nextInt(20) > 0 ? "hot-" + random.nextInt(HOT) : "other-" + random.nextInt(1 << 30))
                    .append('\n');
        }
        return text.toString();
    }

    @Test
    void aSampleMakesTheFilterSmallerAndLosesNoKey() throws IOException {
        Map<String, Object> plain = built("daisy");
        for (String kind : List.of("daisy", "daisy-fingerprint", "weighted-bloom", "partitioned-learned")) {
            Map<String, Object> learned = built(kind, "--sample-keys", sampleKeys, "--sample-queries", sampleQueries);
            assertThat(Json.number(learned, "sizeInBits")).as(kind).isLessThan(0.85 * Json.number(plain, "sizeInBits"));
            assertThat(Json.number(learned, "distributionBits")).isPositive();
            FilterFile read = Filters.readHashFilter(filter);
            assertThat(read.filter()).isInstanceOf(ClassifiedFilter.class);
            for (int i = 0; i < KEYS; i++) {
                assertThat(read.filter().mightContainHash(KeyHasher.utf8().hash("key-" + i)))
                        .isTrue();
            }
        }
    }

    private Map<String, Object> built(String kind, Object... more) {
        Object[] words = new Object[more.length + 8];
        Object[] first = {"build", "--kind", kind, "-o", filter, "--force", "--json"};
        System.arraycopy(first, 0, words, 0, first.length);
        System.arraycopy(more, 0, words, first.length, more.length);
        words[words.length - 1] = keys;
        Shell.Result result = Shell.run(words);
        assertThat(result.err()).isEmpty();
        assertThat(result.code()).isZero();
        return Json.parse(result.out());
    }

    @Test
    void theKeysThemselvesAreTheSampleWhereNoneIsGiven() {
        assertThat(Json.number(built("daisy", "--sample-queries", sampleQueries), "sizeInBits"))
                .isLessThan(0.85 * Json.number(built("daisy"), "sizeInBits"));
    }

    @Test
    void aRaceLearnsFromTheSameFiles() {
        Shell.Result result = Shell.run(
                "race",
                "--kinds",
                "bloom,daisy,daisy-fingerprint,weighted-bloom,partitioned-learned",
                "--keys",
                keys,
                "--queries-file",
                queries,
                "--sample-queries",
                sampleQueries,
                "--sample-keys",
                sampleKeys,
                "--repeat",
                0,
                "--no-isolate",
                "--json");
        assertThat(result.code()).isZero();
        List<Object> kinds = Json.array(Json.parse(result.out()).get("kinds"));
        double bloom = Json.number(Json.object(kinds.get(0)), "bitsPerKey");
        for (Object kind : kinds.subList(1, kinds.size())) {
            assertThat(Json.number(Json.object(kind), "bitsPerKey")).isLessThan(0.85 * bloom);
            assertThat(Json.number(Json.object(kind), "falseNegatives")).isZero();
            assertThat(Json.number(Json.object(kind), "falsePositiveRate")).isLessThan(0.03);
        }
    }

    @Test
    void samplesThatNobodyCanUseAreRefused() {
        assertThat(Shell.run("build", "--kind", "bloom", "--sample-queries", queries, "-o", filter, keys)
                        .refusal())
                .contains("--sample-queries: kind bloom");
        assertThat(Shell.run("build", "--kind", "daisy", "--sample-keys", keys, "-o", filter, keys)
                        .refusal())
                .contains("--sample-keys");
        assertThat(Shell.run("build", "--kind", "daisy", "--sample-queries", "absent", "-o", filter, keys)
                        .refusal())
                .contains("absent: no such file");
        assertThat(Shell.runWith("a\n", "build", "--kind", "daisy", "--sample-queries", queries, "-o", filter, "-")
                        .refusal())
                .contains("needs --sample-keys");
        assertThat(Shell.runWith("a\n", "build", "--kind", "daisy", "--sample-queries", "-", "-o", filter, keys)
                        .refusal())
                .contains("standard input");
        assertThat(Shell.run("race", "--kinds", "daisy", "--sample-keys", keys, "--no-isolate")
                        .refusal())
                .contains("--sample-keys: says nothing without --sample-queries");
        assertThat(Shell.run("race", "--kinds", "bloom,quotient", "--sample-queries", queries)
                        .refusal())
                .contains("none of the raced kinds");
    }

    @Test
    void samplesWithNothingOrNoTextInThemAreRefusedByNameWhereverTheyAreGiven() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty"), "");
        Path broken = Files.write(folder.resolve("broken"), new byte[] {'a', '\n', (byte) 0xFF, '\n'});
        Path absent = folder.resolve("absent");
        Map<Path, String> complaints = Map.of(
                empty, "empty: no keys",
                broken, "broken: line 2 is not valid UTF-8",
                absent, "absent: no such file");
        complaints.forEach((sample, complaint) -> {
            Object[][] options = {
                {"--sample-queries", sample},
                {"--sample-queries", sampleQueries, "--sample-keys", sample}
            };
            for (Object[] option : options) {
                assertThat(Shell.run(words(option, "build", "--kind", "daisy", "-o", filter, keys))
                                .refusal())
                        .contains(complaint);
                if (sample.equals(broken)) {
                    // To the lab a key is whatever bytes a line has.
                    continue;
                }
                assertThat(Shell.run(words(option, "race", "--kinds", "daisy", "--n", 1000, "--repeat", 0))
                                .refusal())
                        .contains(complaint);
            }
        });
        assertThat(Shell.run("advise", "--keys", keys, "--queries-file", empty).refusal())
                .contains("empty: no queries");
        assertThat(Shell.run("advise", "--keys", keys, "--queries-file", absent).refusal())
                .contains("absent: no such file");
        assertThat(filter).doesNotExist();
    }

    private static Object[] words(Object[] last, Object... first) {
        return Stream.concat(Stream.of(first), Stream.of(last)).toArray();
    }

    /** The text of an advice in one line. */
    private String adviceIn(Path queries) {
        return Shell.run("advise", "--keys", keys, "--queries-file", queries)
                .out()
                .replaceAll("\\s+", " ");
    }

    @Test
    void aSampleOfAFewQueriesIsNotBelieved() throws IOException {
        Files.writeString(keys, keys(FEWER_KEYS));
        Path few = Files.writeString(folder.resolve("few-queries"), log(1_000, 3));
        Shell.Result result = Shell.run("build", "--kind", "daisy", "--sample-queries", few, "-o", filter, keys);
        assertThat(result.code()).isZero();
        assertThat(result.err()).contains("note: a sample of fewer than 1,024 keys or misses tells too little");
        assertThat(advised(few).get("worthUsing")).hasToString("false");
        assertThat(adviceIn(few))
                .containsPattern(
                        "distribution +cannot be told: a sample of fewer than 1,024 keys or misses tells too little");
    }

    @Test
    void aSampleThatTellsNothingIsSaidToBeLeftOut() {
        Shell.Result result = Shell.run("build", "--kind", "daisy", "--sample-queries", keys, "-o", filter, keys);
        assertThat(result.code()).isZero();
        assertThat(result.err()).contains("note: a sample of fewer than 1,024 keys or misses tells too little");
        assertThat(result.out()).containsPattern("distribution +all keys alike");
    }

    @Test
    void adviceSaysThatTheDistributionIsWorthUsingWhereItIsAndWhatItSaves() throws IOException {
        Files.writeString(keys, keys(FEWER_KEYS));
        Map<String, Object> worth = advised(sampleQueries);
        assertThat(worth.get("worthUsing")).hasToString("true");
        assertThat(Json.number(worth, "bitsPerKeyWithout")).isBetween(9.5, 9.7);
        double promised = Json.number(worth, "bitsPerKey");
        assertThat(promised).isLessThan(0.75 * Json.number(worth, "bitsPerKeyWithout"));
        assertThat(Json.number(built("daisy", "--sample-queries", sampleQueries), "sizeInBits") / FEWER_KEYS)
                .as("what is built as advised")
                .isBetween(0.98 * promised, 1.02 * promised);
        assertThat(adviceIn(sampleQueries))
                .containsPattern(
                        "distribution +daisy takes [4-7]\\.\\d\\d bits a key where it takes 9\\.\\d\\d without, and is wrong in"
                                + " .* of misses unlike those of the log: worth using only if they stay as they are; besom"
                                + " build --kind daisy --sample-queries .*sample-queries ");
    }

    /** Every query for another key: nothing to learn. And hot queries before so few keys that a sketch is larger. */
    @Test
    void adviceSaysThatTheDistributionIsNotWorthUsingWhereItIsNot() throws IOException {
        Files.writeString(keys, keys(FEWER_KEYS));
        StringBuilder spread = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            spread.append("other-").append(i).append('\n');
        }
        Path even = Files.writeString(folder.resolve("even"), spread);
        Map<String, Object> worth = advised(even);
        assertThat(worth.get("worthUsing")).hasToString("false");
        assertThat(Json.number(worth, "bitsPerKey")).isEqualTo(Json.number(worth, "bitsPerKeyWithout"));
        assertThat(adviceIn(even))
                .containsPattern("distribution +not worth using: what the sample tells does not pay for its own size");
        keys = Files.writeString(folder.resolve("few"), "key-1\nkey-2\nkey-3\n");
        assertThat(advised(sampleQueries).get("worthUsing")).hasToString("false");
    }

    private Map<String, Object> advised(Path asked) {
        Shell.Result result = Shell.run("advise", "--keys", keys, "--queries-file", asked, "--fpp", "0.01", "--json");
        assertThat(result.code()).as(result.err()).isZero();
        return Json.object(Json.parse(result.out()).get("distribution"));
    }

    @Test
    void aUniverseThatIsTooSmallIsWarnedOf() {
        Shell.Result result =
                Shell.run("build", "--kind", "daisy", "--option", "universe=" + 2 * KEYS, "-o", filter, keys);
        assertThat(result.code()).isZero();
        assertThat(result.err()).contains("warning: n * sum(p q) is 0.500, above the rate 0.0100");
        assertThat(result.err()).containsPattern("the rate becomes about 0\\.\\d+ and is promised only below 1\\.0");
    }

    /** Their numbers of probes are not the Daisy paper's, nor is its condition. */
    @Test
    void kindsOfAnotherPaperAreNotWarnedOfThatCondition() {
        for (String kind : List.of("weighted-bloom", "partitioned-learned")) {
            Shell.Result result =
                    Shell.run("build", "--kind", kind, "--option", "universe=200000", "--force", "-o", filter, keys);
            assertThat(result.code()).isZero();
            assertThat(result.err()).isEmpty();
        }
    }
}
