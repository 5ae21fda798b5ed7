package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCommandTest {

    @Test
    void guardWastesSeveralTimesFewerReadsThanABloomFilterOfItsMemory() {
        Shell.Result result = Shell.run("demo", "--n", "50000", "--json", "--store", "memory");
        assertThat(result.code()).isZero();
        Map<String, Map<String, Object>> contenders = contenders(result.out());
        assertThat(contenders.keySet())
                .containsExactly(
                        "no filter",
                        "cache of misses",
                        "Bloom filter",
                        "Bloom and cache",
                        "telescoping guard",
                        "telescoping-compact guard",
                        "broom guard");
        @Nullable Map<String, Object> guard = contenders.get("telescoping guard");
        @Nullable Map<String, Object> bloom = contenders.get("Bloom filter");
        @Nullable Map<String, Object> both = contenders.get("Bloom and cache");
        @Nullable Map<String, Object> none = contenders.get("no filter");
        assertThat(number(bloom, "bitsPerKey")).isBetween(number(guard, "bitsPerKey") * 0.97, 20.0);
        assertThat(number(guard, "wastedReads")).isPositive().isLessThan(number(bloom, "medianWastedReads"));
        assertThat(number(guard, "worstWastedReads")).isLessThan(number(bloom, "worstWastedReads") / 3);
        assertThat(number(guard, "wastedReads")).isLessThan(number(both, "wastedReads"));
        @Nullable Map<String, Object> compact = contenders.get("telescoping-compact guard");
        assertThat(number(compact, "bitsPerKey")).isLessThan(number(guard, "bitsPerKey") - 0.5);
        for (Map<String, Object> adaptive : List.of(Objects.requireNonNull(compact), contenders.get("broom guard"))) {
            assertThat(number(adaptive, "wastedReads"))
                    .isPositive()
                    .isLessThan(number(bloom, "medianWastedReads"))
                    .isLessThan(number(both, "wastedReads"));
        }
        assertThat(number(none, "storeReads")).isEqualTo(1_000_000);
        List<Object> rivals = Json.array(Json.parse(result.out()).get("rivals"));
        assertThat(rivals)
                .hasSize(DemoRivals.COUNT)
                .allSatisfy(rival -> assertThat(number(Json.object(rival), "medianWastedReads"))
                        .isPositive()
                        .isLessThan(number(bloom, "worstWastedReads")));
        // A bit more of each fingerprint halves what comes once, and the cache has room for what comes again.
        assertThat(number(Json.object(rivals.get(0)), "medianWastedReads"))
                .isLessThan(number(guard, "medianWastedReads"));
        assertThat(number(bloom, "draws")).isEqualTo(100);
        for (Map<String, Object> each : contenders.values()) {
            assertThat(number(each, "worstWastedReads")).isGreaterThanOrEqualTo(number(each, "medianWastedReads"));
            assertThat(number(each, "meanNs")).isGreaterThan(0);
            assertThat(number(each, "found")).isEqualTo(number(none, "found"));
            assertThat(number(each, "storeReads") - number(each, "wastedReads")).isEqualTo(number(none, "found"));
        }
    }

    @Test
    void ownKeysAndQueriesInRocksDbLeaveNoFolderBehind(@TempDir Path folder) throws IOException {
        Path keys = Files.write(folder.resolve("keys"), List.of("besom", "broom", "mop", "besom"));
        Path queries = Files.write(folder.resolve("queries"), List.of("besom", "whisk", "whisk", "mop"));
        List<Path> before = demoFolders();
        Shell.Result result = Shell.run("demo", "--keys", keys, "--queries-file", queries);
        assertThat(result.code()).isZero();
        assertThat(result.out())
                .startsWith("3 keys in rocksdb, 4 lookups")
                .contains("telescoping guard")
                .contains("broom guard");
        assertThat(demoFolders()).isEqualTo(before);
    }

    @Test
    void databaseIsLeftAsItWas() throws SQLException {
        String url = "jdbc:h2:mem:demo;DB_CLOSE_DELAY=-1;USER=me;PASSWORD=secret";
        Shell.Result result = Shell.run("demo", "--n", "500", "--queries", "20000", "--json", "--store", url);
        assertThat(result.out()).contains("jdbc:h2:mem:demo").doesNotContain("secret");
        assertThat(result.code()).isZero();
        assertThat(number(contenders(result.out()).get("telescoping guard"), "found"))
                .isPositive();
        try (Connection connection = DriverManager.getConnection(url);
                ResultSet tables = connection.getMetaData().getTables(null, null, "%", new String[] {"TABLE"})) {
            while (tables.next()) {
                assertThat(tables.getString("TABLE_NAME")).doesNotContainIgnoringCase("besom");
            }
        }
    }

    @Test
    void aPostgresOfItsOwnIsAStore() {
        Shell.Result result = Shell.run("demo", "--n", "500", "--queries", "20000", "--json", "--store", "postgres");
        assertThat(result.code()).isZero();
        assertThat(result.out()).contains("\"store\":\"postgres\"", "\"readMicros\":0");
        assertThat(number(contenders(result.out()).get("telescoping guard"), "found"))
                .isPositive();
    }

    @Test
    void senselessOptionsAreRefusedInOneLine() {
        assertThat(Shell.run("demo", "--n", "0").refusal()).contains("--n");
        assertThat(Shell.run("demo", "--store", "tape").refusal())
                .contains("--store")
                .contains("rocksdb, postgres, memory, jdbc:URL");
        assertThat(Shell.run("demo", "--store", "jdbc:nonsense:x").refusal()).contains("--store");
        assertThat(Shell.run("demo", "--n", "10", "--workload", "adversary:1").refusal())
                .contains("--workload", "adversary:1");
        assertThat(Shell.run("demo", "--n", "10", "--workload", "nope").refusal())
                .contains("--workload", "'nope'");
        assertThat(Shell.run("demo", "--n", "10", "--format", "nope").refusal()).contains("--format", "'nope'");
        assertThat(Shell.run("demo", "--keys", "no-such-file").refusal()).contains("no-such-file");
    }

    @Test
    void everyLineFitsIntoATerminalAndEveryNumberWasCounted() {
        Shell.Result result = Shell.run("demo", "--n", "20000", "--store", "memory", "--read-us", "50");
        assertThat(result.code()).isZero();
        assertThat(result.out().lines()).allMatch(line -> line.length() <= 80);
        assertThat(result.out())
                .contains("by the median of 100 draws")
                .contains("Times with 50 us added for each read")
                .containsAnyOf("it pays where a read takes more than", "The guard pays whatever")
                .contains("quotient and cache", "a cache is enough");
        assertThat(Shell.run("demo", "--n", "10", "--read-us", "-1").refusal()).contains("--read-us");
    }

    @Test
    void aBloomFiltersLuckIsItsWasteOverTheDrawsOfItsHashFunctions() {
        long[] keys = LongStream.range(0, 2000).toArray();
        long[] asked = LongStream.range(0, 40_000).map(i -> 10_000 + i % 4000).toArray();
        DemoLuck luck = new DemoLuck(keys, asked, 7);
        DemoResult.Luck bloom = luck.ofBloom(2000 * 8);
        // About 2 % of 4000 missing keys are false positives, ten times each.
        assertThat(bloom.median()).isBetween(600L, 1200L);
        assertThat(bloom.worst()).isGreaterThan(bloom.median());
        assertThat(bloom.median() % 10).isZero();
        DemoResult.Luck adaptive = luck.ofAdaptive("telescoping", 1.0 / 64);
        assertThat(adaptive.median()).isBetween(20L, 150L);
        assertThat(luck.ofBloom(2000 * 8)).isEqualTo(bloom);
    }

    @Test
    void aRivalIsPlayedAsItWouldBeAskedOneLookupAfterTheOther() {
        long[] keys = LongStream.range(0, 2000).toArray();
        long[] asked = LongStream.range(0, 40_000).map(i -> 10_000 + i % 4000).toArray();
        DemoLuck luck = new DemoLuck(keys, asked, 7);
        // 4000 keys are asked for ten times each, in turn.
        assertThat(luck.ofRival("stacked", 2000 * 12, true)).isEqualTo(luck.ofRival("stacked", 2000 * 12, false));
        assertThat(luck.ofRival("cached-quotient", 2000 * 16, true).worst()).isBetween(1L, 40L);
        assertThat(luck.ofRival("break-even", 2000 * 13, false).median()).isBetween(8L, 120L);
    }

    private static List<Path> demoFolders() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith("besom-demo"))
                    .sorted()
                    .toList();
        }
    }

    private static Map<String, Map<String, Object>> contenders(String json) {
        Map<String, Map<String, Object>> byName = new LinkedHashMap<>();
        for (Object each : Json.array(Json.parse(json).get("contenders"))) {
            byName.put(String.valueOf(Json.object(each).get("contender")), Json.object(each));
        }
        return byName;
    }

    private static double number(@Nullable Map<String, Object> contender, String field) {
        return Json.number(Objects.requireNonNull(contender), field);
    }
}
