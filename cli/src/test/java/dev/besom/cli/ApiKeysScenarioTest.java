package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scenario of API keys, in processes that share an H2 database. */
class ApiKeysScenarioTest {

    /** H2 serves the processes from the one that opens the file first, until nobody has it any more. */
    private static String url(Path folder) {
        return "jdbc:h2:" + folder.resolve("keys") + ";AUTO_SERVER=TRUE;DB_CLOSE_DELAY=-1";
    }

    @Test
    void guardsRefuseNoNewKeyAndOthersDo(@TempDir Path folder) throws Exception {
        Shell.Result result = Shell.run(
                "demo", "--scenario", "api-keys", "--store", url(folder), "--n", 500, "--queries", 400, "--json");
        assertThat(result.code()).as(result.err()).isZero();
        Map<String, Map<String, Object>> ways = new LinkedHashMap<>();
        for (Object each : Json.array(Json.parse(result.out()).get("contenders"))) {
            Map<String, Object> way = Json.object(each);
            ways.put((String) Objects.requireNonNull(way.get("contender")), way);
        }
        assertThat(ways.keySet())
                .containsExactly("no filter", "cache of misses, 1 min", "Bloom filter", "guards, a fleet");
        long lookups = 3 * 400;
        assertThat(ways.values())
                .allSatisfy(way -> assertThat(number(way, "found")).isEqualTo(lookups / 10));
        assertThat(number(ways, "no filter", "reads")).isEqualTo(lookups);
        assertThat(number(ways, "no filter", "newKeysRefused")).isZero();
        // Two of three processes have not made the key, and know of it as little as before.
        assertThat(number(ways, "cache of misses, 1 min", "newKeysRefused")).isEqualTo(40);
        assertThat(number(ways, "Bloom filter", "newKeysRefused")).isBetween(30L, 40L);
        assertThat(number(ways, "guards, a fleet", "newKeysRefused")).isZero();
        assertThat(number(ways, "guards, a fleet", "wastedReads"))
                .isLessThan(number(ways, "cache of misses, 1 min", "wastedReads"));
        try (Connection connection = DriverManager.getConnection(url(folder));
                ResultSet tables = connection.getMetaData().getTables(null, null, "BESOM_DEMO%", null)) {
            assertThat(tables.next()).as("a table is left").isFalse();
        }
    }

    @Test
    void theTableFitsATerminalAndTellsWhatIsWrong() throws IOException {
        List<ApiKeysScenario.Outcome> outcomes = Stream.of(ApiKeys.Way.values())
                .map(way -> new ApiKeysScenario.Outcome(
                        way,
                        new ApiKeysScenario.Lookups(
                                way == ApiKeys.Way.GUARD_FLEET ? 1 : 2, 100_000_000, 90_000_000, 1_000),
                        60,
                        99_000_000_000L))
                .toList();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Console console = new Console(InputStream.nullInputStream(), out, OutputStream.nullOutputStream(), false);
        new ApiKeysReport("PostgreSQL", new ApiKeysScenario.Size(9_999_999, 9_999_999, 1), outcomes).print(console);
        console.finish();
        String text = out.toString(StandardCharsets.UTF_8);
        assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(81));
        assertThat(text).contains("60 of 60").contains("Wrong: guards, a fleet found 1 keys, not 2.");
    }

    private static long number(Map<String, Map<String, Object>> ways, String way, String name) {
        return number(Objects.requireNonNull(ways.get(way)), name);
    }

    private static long number(Map<String, Object> way, String name) {
        return (long) Json.number(way, name);
    }

    @Test
    void whatAScenarioDoesNotTakeIsRefused() {
        assertThat(Shell.run("demo", "--scenario", "passwords").err()).contains("known: api-keys");
        assertThat(Shell.run("demo", "--scenario", "api-keys", "--workload", "uniform"))
                .satisfies(result -> assertThat(result.code()).isEqualTo(1))
                .satisfies(result -> assertThat(result.err()).contains("--workload: not with --scenario"));
        assertThat(Shell.run("demo", "--scenario", "api-keys", "--store", "rocksdb")
                        .err())
                .contains("--store: several processes share a database only");
    }
}
