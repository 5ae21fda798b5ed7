package dev.besom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.guard.Guard;
import dev.besom.guard.LoaderGuard;
import dev.besom.guard.local.LocalKeys;
import dev.besom.guard.store.Loader;
import dev.besom.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.api.java.function.ReduceFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people do with filters on Spark. */
class JoinReductionTest {

    @TempDir
    Path folder = Path.of("");

    private static SparkSession spark() {
        return Session.get();
    }

    @BeforeEach
    void shuffleJoins() {
        spark().conf().set("spark.sql.autoBroadcastJoinThreshold", "-1");
        large().createOrReplaceTempView("large");
        small().createOrReplaceTempView("small");
    }

    @AfterEach
    void resetSettings() {
        for (String name : List.of(
                "spark.sql.autoBroadcastJoinThreshold",
                "spark.sql.optimizer.runtime.bloomFilter.enabled",
                "spark.sql.optimizer.runtime.bloomFilter.applicationSideScanSizeThreshold",
                "spark.besom.joinReduction.enabled",
                "spark.besom.joinReduction.mostCreationBytes",
                "spark.besom.joinReduction.leastRatio")) {
            spark().conf().unset(name);
        }
    }

    private static Dataset<Row> large() {
        return spark().sql("SELECT IF(id % 100 = 0, null, id) AS k, CONCAT('n', id) AS n FROM range(20000)");
    }

    private static Dataset<Row> small() {
        return spark().sql("SELECT id * 50 + 1 AS k, CONCAT('n', id * 50 + 1) AS n, id AS v FROM range(100)");
    }

    @Test
    void theHelperKeepsEveryRowWithAPartnerAndFewOthers() {
        Dataset<Row> reduced = JoinReduction.by(small(), "k").fpp(0.01).reduce(large());
        assertThat(reduced.count()).isBetween(100L, 600L);
        assertThat(reduced.join(small(), "k").count()).isEqualTo(100);
        Dataset<Row> byTwo =
                JoinReduction.by(small(), "k", "n").expectedKeys(100).reduce(large().where("k >= 0"));
        assertThat(byTwo.count()).isBetween(100L, 600L);
        assertThat(byTwo.join(small(), "k").count()).isEqualTo(100);
    }

    /** Spark pads the shorter one of two such columns with blanks before it compares them. */
    @Test
    void textsOfDifferentLengthsThatArePaddedFindTheirPartners() {
        String place = "USING parquet LOCATION '" + folder.toUri();
        spark().sql("CREATE TABLE short_texts (c CHAR(3), v INT) " + place + "short'");
        spark().sql("CREATE TABLE long_texts (c CHAR(5), w INT) " + place + "long'");
        try {
            spark().sql("INSERT INTO short_texts VALUES ('ab', 1), ('abc', 2)");
            spark().sql("INSERT INTO long_texts VALUES ('ab', 1), ('abc', 2), ('abcd', 3), ('x', 4)");
            Dataset<Row> small = spark().table("short_texts");
            Dataset<Row> large = spark().table("long_texts");
            assertThat(large.join(small, "c").count()).isEqualTo(2);
            assertThat(JoinReduction.by(small, "c")
                            .fpp(0.0001)
                            .reduce(large)
                            .join(small, "c")
                            .count())
                    .isEqualTo(2);
            assertThat(JoinReduction.by(large, "c")
                            .reduce(small)
                            .join(large, "c")
                            .count())
                    .isEqualTo(2);
        } finally {
            spark().sql("DROP TABLE short_texts");
            spark().sql("DROP TABLE long_texts");
        }
    }

    @Test
    void theRuleIsOffUntilItIsSwitchedOn() {
        assertThat(plan("SELECT * FROM large JOIN small USING (k)")).doesNotContain("besom_might_contain");
        switchOn();
        assertThat(plan("SELECT * FROM large JOIN small USING (k)")).contains("besom_might_contain");
    }

    private static void switchOn() {
        spark().conf().set("spark.besom.joinReduction.enabled", "true");
    }

    private static String plan(String query) {
        return ((org.apache.spark.sql.classic.Dataset<Row>) spark().sql(query))
                .queryExecution()
                .optimizedPlan()
                .toString();
    }

    @Test
    void resultsAreTheSameWithTheRuleForEveryTypeOfJoin() {
        for (String sides : List.of(
                "large l JOIN small r",
                "small l JOIN large r",
                "large l LEFT SEMI JOIN small r",
                "small l LEFT SEMI JOIN large r",
                "large l RIGHT JOIN small r",
                "small l LEFT JOIN large r")) {
            String query = "SELECT count(*), sum(hash(l.k, l.n)) FROM " + sides + " ON l.k = r.k AND l.n = r.n";
            spark().conf().unset("spark.besom.joinReduction.enabled");
            Row without = spark().sql(query).first();
            switchOn();
            assertThat(plan(query)).contains("besom_might_contain");
            assertThat(spark().sql(query).first()).as(query).isEqualTo(without);
        }
    }

    @Test
    void theRuleFiltersOnlyTheSideThatMayLoseRows() {
        switchOn();
        assertThat(plan("SELECT * FROM large l LEFT JOIN small r ON l.k = r.k")).doesNotContain("besom_might_contain");
        assertThat(plan("SELECT * FROM large l RIGHT JOIN small r ON l.k = r.k"))
                .contains("besom_might_contain");
        assertThat(plan("SELECT * FROM small l LEFT JOIN large r ON l.k = r.k")).contains("besom_might_contain");
        assertThat(plan("SELECT * FROM large l LEFT ANTI JOIN small r ON l.k = r.k"))
                .doesNotContain("besom_might_contain");
        assertThat(plan("SELECT * FROM large l FULL JOIN small r ON l.k = r.k")).doesNotContain("besom_might_contain");
    }

    @Test
    void theRuleLeavesAloneWhatDoesNotPay() {
        switchOn();
        String query = "SELECT * FROM large JOIN small USING (k)";
        spark().conf().set("spark.besom.joinReduction.mostCreationBytes", "10");
        assertThat(plan(query)).doesNotContain("besom_might_contain");
        spark().conf().unset("spark.besom.joinReduction.mostCreationBytes");
        spark().conf().set("spark.besom.joinReduction.leastRatio", "100000");
        assertThat(plan(query)).doesNotContain("besom_might_contain");
        spark().conf().unset("spark.besom.joinReduction.leastRatio");
        spark().conf().unset("spark.sql.autoBroadcastJoinThreshold");
        assertThat(plan(query)).doesNotContain("besom_might_contain");
    }

    /** The filter of other rows than those that are joined would lose some that have a partner. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM small LIMIT 50",
                "SELECT * FROM small TABLESAMPLE (50 PERCENT)",
                "SELECT * FROM small WHERE rand() < 0.5",
                "SELECT * FROM small WHERE v > (SELECT v FROM small LIMIT 1)",
                "SELECT k, v FROM (SELECT k, v, row_number() OVER (ORDER BY n) AS r FROM small) WHERE r < 50",
                "SELECT max_by(k, v % 2) AS k, v % 10 AS g FROM small GROUP BY v % 10",
                "SELECT mode(k) AS k, v % 10 AS g FROM small GROUP BY v % 10",
                "SELECT percentile_approx(k, 0.5) AS k, v % 10 AS g FROM small GROUP BY v % 10",
                "SELECT CAST(sum(k / 3.0D) AS BIGINT) AS k, v % 10 AS g FROM small GROUP BY v % 10",
                "SELECT CAST(max(IF(k % 2 = 0, -0.0D, 0.0D)) AS STRING) AS n, v % 10 AS k FROM small GROUP BY v % 10",
                "SELECT bigint(string(s)) AS k FROM (SELECT DISTINCT string(k) COLLATE UTF8_LCASE AS s FROM small)",
                "SELECT first(k) AS k, v % 10 AS g FROM small GROUP BY v % 10"
            })
    void theRuleLeavesAloneASideThatMayGiveOtherRowsNextTime(String side) {
        switchOn();
        assertThat(plan("SELECT * FROM large JOIN (" + side + ") USING (k)")).doesNotContain("besom_might_contain");
    }

    @Test
    void theRuleLeavesAloneASideThatAFunctionTakesFromItsRows() {
        switchOn();
        Dataset<Long> firsts = small().select("k")
                .as(Encoders.LONG())
                .groupByKey((MapFunction<Long, Long>) key -> key % 3, Encoders.LONG())
                .reduceGroups((ReduceFunction<Long>) (one, other) -> one)
                .map((MapFunction<scala.Tuple2<Long, Long>, Long>) scala.Tuple2::_2, Encoders.LONG());
        firsts.toDF("k").createOrReplaceTempView("firsts");
        assertThat(plan("SELECT * FROM large JOIN firsts USING (k)")).doesNotContain("besom_might_contain");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT DISTINCT k FROM small",
                "SELECT max(k) AS k, min(n), count(v), sum(v), v % 10 AS g FROM small GROUP BY v % 10",
                "SELECT k FROM small UNION ALL SELECT k + 1 FROM small ORDER BY k",
                "SELECT k, x FROM small LATERAL VIEW explode(array(v, v + 1)) AS x",
                "SELECT /*+ REPARTITION(3) */ k FROM small WHERE v > (SELECT min(v) FROM small)",
                "SELECT a.k FROM small a LEFT SEMI JOIN small b ON a.v = b.v + 1"
            })
    void theRuleUsesASideThatGivesTheSameRowsAgain(String side) {
        switchOn();
        assertThat(plan("SELECT * FROM large JOIN (" + side + ") USING (k)")).contains("besom_might_contain");
    }

    /** Creation sides of 4 and 80 MB by Spark's estimate; nothing of them is computed. */
    @Test
    void theRuleWorksBeyondTheLimitsOfSparksOwn() {
        spark().conf().set("spark.sql.optimizer.runtime.bloomFilter.enabled", "true");
        spark().conf().set("spark.sql.optimizer.runtime.bloomFilter.applicationSideScanSizeThreshold", "1");
        String query = "SELECT * FROM (SELECT id AS k FROM range(1000000000)) JOIN"
                + " (SELECT id AS k, id AS v FROM range(%d) WHERE id %% 2 = 0) USING (k)";
        assertThat(plan(query.formatted(250_000))).contains("might_contain");
        assertThat(plan(query.formatted(5_000_000))).doesNotContain("might_contain");
        switchOn();
        assertThat(plan(query.formatted(5_000_000))).contains("besom_might_contain");
    }

    @Test
    void aGuardIsPrimedFromATable() throws IOException {
        AtomicLong reads = new AtomicLong();
        Loader<Long, String> loader = key -> {
            reads.incrementAndGet();
            return key % 50 == 1 && key < 5000 ? "v" + key : null;
        };
        try (LocalKeys<Long> keys = LocalKeys.open(folder, KeyHasher.longs(), false)) {
            Dataset<Long> table = small().select("k")
                    .union(small().select("k"))
                    .union(spark().sql("SELECT CAST(null AS BIGINT)"))
                    .toDF("a `key`.")
                    .as(Encoders.LONG());
            assertThat(GuardKeys.addAll(table, keys)).isEqualTo(100);
            LoaderGuard<Long, String> guard = Guard.over(loader, keys);
            for (long key = 0; key < 5000; key++) {
                assertThat(guard.get(key)).isEqualTo(key % 50 == 1 ? "v" + key : null);
            }
            assertThat(reads.get()).isBetween(100L, 200L);
            guard.close();
        }
    }

    @Test
    void aGuardIsPrimedWithTextsThatACollationTakesForEqual() throws IOException {
        try (LocalKeys<String> keys = LocalKeys.open(folder, KeyHasher.utf8(), false)) {
            GuardKeys.addAll(
                    spark().sql("SELECT s COLLATE UTF8_LCASE AS s FROM VALUES ('key'), ('KEY'), ('Key') AS t(s)")
                            .as(Encoders.STRING()),
                    keys);
            Loader<String, String> loader = key -> key;
            LoaderGuard<String, String> guard = Guard.over(loader, keys);
            for (String key : List.of("key", "KEY", "Key")) {
                assertThat(guard.get(key)).isEqualTo(key);
            }
            guard.close();
        }
    }

    @Test
    void aGuardIsPrimedWithBothZeros() throws IOException {
        KeyHasher<Double> hasher = KeyHasher.of("double", (key, sink) -> sink.putLong(Double.doubleToRawLongBits(key)));
        try (LocalKeys<Double> keys = LocalKeys.open(folder, hasher, false)) {
            GuardKeys.addAll(
                    spark().sql("SELECT d FROM VALUES (0.0D), (-0.0D) AS t(d)").as(Encoders.DOUBLE()), keys);
            Loader<Double, String> loader = String::valueOf;
            LoaderGuard<Double, String> guard = Guard.over(loader, keys);
            assertThat(guard.get(0.0)).isEqualTo("0.0");
            assertThat(guard.get(-0.0)).isEqualTo("-0.0");
            guard.close();
        }
    }
}
