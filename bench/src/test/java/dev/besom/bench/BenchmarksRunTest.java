package dev.besom.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Each benchmark runs for each contender: once, in this JVM, on few keys. That says nothing about speed. */
class BenchmarksRunTest {

    private static final Map<Suite, List<String>> OPERATIONS = Map.of(
            Suite.QUERY, List.of("hit", "miss", "bulkMiss"),
            Suite.INSERT, List.of("insert"),
            Suite.DELETE, List.of("delete"),
            Suite.REPAIR, List.of("repair"),
            Suite.BUILD, List.of("build"),
            Suite.FILE, List.of("save", "load"));

    @BeforeAll
    static void othersMayMeasureAtTheSameTime() {
        System.setProperty("jmh.ignoreLock", "true");
    }

    @ParameterizedTest
    @EnumSource
    void everyContenderThatCanTakePartIsMeasured(Suite suite) throws RunnerException {
        List<String> contenders = suite.contenders(Suite.everybody());
        Options options = new OptionsBuilder()
                .include(suite.pattern())
                .param("kind", contenders.toArray(String[]::new))
                .param("n", "2000")
                .mode(Mode.SingleShotTime)
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();

        List<Score> scores = Score.of(new Runner(options).run());

        Map<String, List<String>> measured = scores.stream()
                .collect(Collectors.groupingBy(Score::kind, Collectors.mapping(Score::operation, Collectors.toList())));
        assertThat(measured.keySet()).containsExactlyInAnyOrderElementsOf(contenders);
        measured.values()
                .forEach(operations -> assertThat(operations)
                        .containsExactlyInAnyOrderElementsOf(OPERATIONS.getOrDefault(suite, List.of())));
        assertThat(scores).allSatisfy(score -> {
            assertThat(score.time().nanos()).isPositive();
            assertThat(score.n()).isEqualTo(2000);
        });
        assertThat(new ScoreTable(scores).markdown()).contains(contenders);
    }

    @Test
    void kindsTakePartInWhatTheyCanDoAndPeersInQueriesAndBuilding() {
        List<String> all = Suite.everybody();
        assertThat(Suite.QUERY.contenders(all)).isEqualTo(all);
        assertThat(Suite.BUILD.contenders(all)).contains("bloom", "peer:guava").doesNotContain("limit:memory");
        assertThat(Suite.DELETE.contenders(all))
                .contains("quotient", "telescoping")
                .doesNotContain("bloom", "composite-bloom", "peer:guava");
        assertThat(Suite.REPAIR.contenders(all))
                .contains("telescoping", "broom", "broom:moves=0")
                .doesNotContain("quotient", "limit:memory");
        assertThat(Suite.FILE.contenders(all))
                .isEqualTo(Filters.kinds().stream().map(Kind::name).toList());
    }
}
