package dev.besom.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.LongKeyFilter;
import dev.besom.filters.Filters;
import dev.besom.hash.KeyHasher;
import dev.besom.testkit.Rates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlFunctionsTest {

    private static final String KEYS =
            "SELECT id * 3 AS k, CONCAT('t', id) AS t, encode(CONCAT('t', id), 'UTF-8') AS b,"
                    + " struct(id, CONCAT('t', id)) AS s FROM range(0, 2000, 1, 3)";

    @TempDir
    Path folder = Path.of("");

    private static SparkSession spark() {
        return Session.get();
    }

    @AfterEach
    void resetSettings() {
        spark().conf().unset("spark.sql.codegen.wholeStage");
        spark().conf().unset("spark.sql.codegen.factoryMode");
    }

    private static byte[] filter(String column, String more) {
        return spark().sql("SELECT besom_agg(" + column + ", 0.01" + more + ") FROM (" + KEYS + ")")
                .first()
                .getAs(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void noKeyOfAnyTypeIsLostWithAndWithoutGeneratedCode(String generated) {
        spark().conf().set("spark.sql.codegen.wholeStage", generated);
        spark().conf().set("spark.sql.codegen.factoryMode", generated.equals("true") ? "CODEGEN_ONLY" : "NO_CODEGEN");
        StringBuilder query = new StringBuilder("WITH keys AS (" + KEYS + ") SELECT count(*)");
        for (String column : List.of("k", "t", "b", "s")) {
            for (String more : List.of("", ", 2000")) {
                query.append(", count_if(besom_might_contain((SELECT besom_agg(")
                        .append(column + ", 0.01" + more)
                        .append(") FROM keys), " + column + "))");
            }
        }
        Row row = spark().sql(query + " FROM keys").first();
        for (int i = 0; i < row.size(); i++) {
            assertThat(row.getLong(i)).as("column %d", i).isEqualTo(2000);
        }
    }

    @Test
    void theRateIsTheOneAskedFor() throws IOException {
        byte[] bytes = filter("k", "");
        spark().conf().set("spark.sql.codegen.factoryMode", "CODEGEN_ONLY");
        long maybe = spark().range(1_000_000, 1_100_000)
                .where(BesomFunctions.besomMightContain(
                        lit(bytes), col("id").multiply(3).plus(1)))
                .count();
        Path file = Files.write(folder.resolve("f"), bytes);
        LongKeyFilter filter = Filters.read(file, KeyHasher.longs());
        Rates.assertRate(0, maybe, 100_000, filter.expectedFpp());
        assertThat(filter.expectedFpp()).isLessThanOrEqualTo(0.01);
    }

    @Test
    void theSameKeysGiveTheSameBytesWhateverThePartitions() {
        for (String more : List.of("", ", 2000")) {
            byte[] first = filter("k", more);
            byte[] second = spark().sql(KEYS)
                    .repartition(7)
                    .union(spark().sql(KEYS))
                    .selectExpr("besom_agg(k, 0.01" + more + ")")
                    .first()
                    .getAs(0);
            assertThat(second).isEqualTo(first);
        }
    }

    @Test
    void groupsHaveFiltersOfTheirOwn() {
        Row counts = spark().sql("WITH keys AS (SELECT id, id % 3 AS g FROM range(3000)),"
                        + " filters AS (SELECT g, besom_agg(id, 0.001) AS f FROM keys GROUP BY g)"
                        + " SELECT count_if(besom_might_contain(f, id)), count(*) FROM filters JOIN keys USING (g)")
                .first();
        assertThat(counts.getLong(0)).isEqualTo(3000);
        assertThat(counts.getLong(1)).isEqualTo(3000);
    }

    @Test
    void nullsAreNoKeys() {
        byte[] bytes = spark().sql("SELECT besom_agg(IF(id < 5, null, id), 0.01) FROM range(10)")
                .first()
                .getAs(0);
        Row row = spark().range(1)
                .select(
                        BesomFunctions.besomMightContain(lit(bytes), lit(null)),
                        BesomFunctions.besomMightContain(lit(bytes), lit(7L)),
                        BesomFunctions.besomMightContain(lit(null), lit(7L)))
                .first();
        assertThat(row.isNullAt(0)).isTrue();
        assertThat(row.getBoolean(1)).isTrue();
        assertThat(row.isNullAt(2)).isTrue();
        assertThat(spark().sql("SELECT besom_might_contain(besom_agg(id, 0.01), 1L) FROM range(0)")
                        .first()
                        .getBoolean(0))
                .isFalse();
    }

    /** SQL finds such structs equal, so a filter must not rule them out. */
    @Test
    void aStructWithANullInItIsNeverRuledOut() {
        String answer = "SELECT besom_might_contain((SELECT besom_agg(struct(id, id AS j), 0.01) FROM range(10)),"
                + " struct(100L, CAST(null AS BIGINT)))";
        assertThat(spark().sql(answer).first().getBoolean(0)).isTrue();
    }

    @Test
    void theFiltersOfSparkAreAnError() {
        String spark = "SELECT bloom_filter_agg(id, 100L, 1000L) FROM range(10)";
        byte[] foreign = spark().sql(spark).first().getAs(0);
        assertThatThrownBy(() -> spark().range(5)
                        .where(BesomFunctions.besomMightContain(lit(foreign), col("id")))
                        .count())
                .isInstanceOf(AnalysisException.class)
                .hasMessageContaining("look like one of Spark's bloom_filter_agg");
        assertThatThrownBy(() -> spark().sql("SELECT count_if(besom_might_contain((" + spark + "), id)) FROM range(5)")
                        .collectAsList())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("look like one of Spark's bloom_filter_agg");
        assertThatThrownBy(() -> spark().sql("SELECT count_if(might_contain((SELECT besom_agg(id, 0.1) FROM range(9)),"
                                + " id)) FROM range(5)")
                        .collectAsList())
                .hasStackTraceContaining("version");
    }

    @Test
    void filtersOfOtherKeysAndBytesThatAreCutAreErrors() {
        byte[] texts = filter("t", "");
        assertThatThrownBy(() -> spark().range(5)
                        .where(BesomFunctions.besomMightContain(lit(texts), col("id")))
                        .count())
                .isInstanceOf(AnalysisException.class)
                .hasMessageContaining("bytes:")
                .hasMessageContaining("bigint");
        byte[] cut = java.util.Arrays.copyOf(texts, texts.length - 1);
        assertThatThrownBy(() -> spark().range(5)
                        .where(BesomFunctions.besomMightContain(lit(cut), lit("a")))
                        .count())
                .isInstanceOf(AnalysisException.class)
                .hasMessageContaining("no whole Besom filter");
    }

    @Test
    void argumentsThatCannotBeAreRefused() {
        for (String call : List.of(
                "besom_agg(id, 0)",
                "besom_agg(id, 1.5)",
                "besom_agg(id, id)",
                "besom_agg(id, 0.1, 0)",
                "besom_agg(CAST(id AS DOUBLE), 0.1)",
                "besom_agg(id)",
                "besom_might_contain('a', id)",
                "besom_might_contain(null, array(id))")) {
            assertThatThrownBy(() ->
                            spark().sql("SELECT " + call + " FROM range(3)").collectAsList())
                    .as(call)
                    .hasMessageContaining(call.substring(0, call.indexOf('(')));
        }
    }

    @Test
    void anExpectedNumberMakesABloomFilterOfThatSize() throws IOException {
        Path file = Files.write(folder.resolve("f"), filter("k", ", 10000"));
        LongKeyFilter filter = Filters.read(file, KeyHasher.longs());
        assertThat((double) filter.sizeInBits() / 10_000).isBetween(9.0, 14.0);
        assertThat(filter.count()).isBetween(1900L, 2100L);
    }

    @Test
    void sparkFindsTheExtensionByItself() {
        assertThat(ServiceLoader.load(SparkSessionExtensionsProvider.class).stream()
                        .anyMatch(provider -> provider.type() == BesomExtensions.class))
                .isTrue();
    }
}
