package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RaceCommandTest {

    @TempDir
    Path folder = Path.of("");

    @Test
    void theJsonDocumentHasTheAgreedNames() {
        Shell.Result result = Shell.run(
                "race",
                "--kinds",
                "bloom,peer:guava",
                "--n",
                2000,
                "--workload",
                "adversary:3",
                "--repeat",
                1,
                "--no-isolate",
                "--json");

        assertThat(result.code()).isZero();
        assertThat(result.err()).isEmpty();
        List<Object> kinds = Json.array(Json.parse(result.out()).get("kinds"));
        assertThat(kinds).hasSize(2);
        for (Object element : kinds) {
            Map<String, Object> kind = Json.object(element);
            assertThat(kind)
                    .containsKeys(
                            "kind",
                            "n",
                            "bitsPerKey",
                            "insertNs",
                            "hitNs",
                            "missNs",
                            "queries",
                            "falsePositives",
                            "falsePositiveRate",
                            "distinctFalsePositives",
                            "repairs",
                            "forgot",
                            "remoteReads",
                            "falseNegatives",
                            "lastRoundRate");
            assertThat(Json.number(kind, "n")).isEqualTo(2000);
            assertThat(Json.number(kind, "falseNegatives")).isZero();
            assertThat(Json.number(kind, "missNs")).isPositive();
            assertThat(Json.number(kind, "lastRoundRate")).isEqualTo(1);
        }
    }

    @Test
    void timesAreTakenWithTextsToo() {
        Shell.Result result = Shell.run(
                "race",
                "--kinds",
                "bloom,peer:guava",
                "--n",
                2000,
                "--key-type",
                "text",
                "--repeat",
                1,
                "--no-isolate",
                "--json");

        assertThat(result.code()).isZero();
        for (Object element : Json.array(Json.parse(result.out()).get("kinds"))) {
            assertThat(Json.number(Json.object(element), "missNs")).isPositive();
            assertThat(Json.number(Json.object(element), "hitNs")).isPositive();
            assertThat(Json.number(Json.object(element), "insertNs")).isPositive();
        }
        assertThat(Shell.run("race", "--kinds", "bloom,fuse", "--n", 100, "--key-type", "text")
                        .refusal())
                .contains("kind fuse takes no texts");
        assertThat(Shell.run("race", "--kinds", "bloom", "--n", 100, "--key-type", "text", "--aged")
                        .refusal())
                .contains("--key-type");
    }

    @Test
    void whatRepairsTakeOfTheStoreIsShown() {
        String[] arguments = {
            "race",
            "--kinds",
            "broom,broom:moves=0,telescoping,bloom",
            "--n",
            "2000",
            "--fpp",
            "0.05",
            "--queries",
            "20000",
            "--repeat",
            "0",
            "--no-isolate"
        };
        String[] json = Arrays.copyOf(arguments, arguments.length + 1);
        json[arguments.length] = "--json";
        List<Object> kinds =
                Json.array(Json.parse(Shell.run((Object[]) json).out()).get("kinds"));
        Map<String, Object> moving = Json.object(kinds.get(0));
        assertThat(Json.number(moving, "movedKeys")).isGreaterThan(Json.number(moving, "repairs"));
        assertThat(Json.number(moving, "storeWrites")).isPositive();
        Map<String, Object> fixed = Json.object(kinds.get(1));
        assertThat(fixed).containsEntry("kind", "broom:moves=0");
        assertThat(Json.number(fixed, "movedKeys")).isZero();
        assertThat(Json.number(fixed, "rangeReads")).isLessThan(Json.number(moving, "rangeReads"));
        Map<String, Object> telescoping = Json.object(kinds.get(2));
        assertThat(Json.number(telescoping, "rangeReads")).isGreaterThanOrEqualTo(Json.number(telescoping, "repairs"));
        assertThat(Json.number(telescoping, "storeWrites")).isZero();

        String out = Shell.run((Object[]) arguments).out();
        assertThat(out).contains("a repair of").contains("moved keys");
        assertThat(out.lines()).allMatch(line -> line.length() <= 80);
        String repairs = out.substring(out.indexOf("a repair of"));
        assertThat(repairs).contains("broom:moves=0").doesNotContain("bloom");
    }

    @Test
    void rivalsAndKindsAreRacedInTheMemoryOfTheFirstWhileKeysChange() {
        Object[] arguments = {
            "race",
            "--kinds",
            "telescoping,bloom,rival:cached-quotient:cache=0.2,rival:stacked,rival:break-even",
            "--n",
            2000,
            "--queries",
            20_000,
            "--workload",
            "churn",
            "--equal-memory",
            "--repeat",
            0,
            "--no-isolate"
        };
        Object[] json = Arrays.copyOf(arguments, arguments.length + 1);
        json[arguments.length] = "--json";
        Map<String, Object> document = Json.parse(Shell.run(json).out());
        assertThat(document).containsEntry("equalMemory", "true");
        List<Object> kinds = Json.array(document.get("kinds"));
        double bits = Json.number(Json.object(kinds.get(0)), "bitsPerKey");
        for (Object kind : kinds) {
            assertThat(Json.number(Json.object(kind), "bitsPerKey")).isBetween(0.85 * bits, bits);
            assertThat(Json.number(Json.object(kind), "insertedKeys")).isEqualTo(2000);
        }
        assertThat(Json.number(Json.object(kinds.get(1)), "deletedKeys")).isZero();
        assertThat(Json.number(Json.object(kinds.get(2)), "deletedKeys")).isEqualTo(2000);

        String out = Shell.run(arguments).out();
        assertThat(out).contains("2,000 of 2,000").contains("0 of 2,000");
        assertThat(out.lines()).allMatch(line -> line.length() <= 80);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "rocksdb", "jdbc:h2:mem:race;DB_CLOSE_DELAY=-1"})
    void whatAMissCostsBeforeARealStoreIsShown(String store) {
        Object[] arguments = {
            "race",
            "--store",
            store,
            "--kinds",
            "telescoping,broom,bloom,rival:cached-bloom",
            "--n",
            2000,
            "--queries",
            20_000,
            "--workload",
            "zipf:1.1",
        };
        String out = Shell.run(arguments).out();
        assertThat(out)
                .contains("by the model")
                .contains("99.9 %")
                .containsPattern("adaptivity\\s+pays\\s+here|is\\s+enough|are\\s+alike\\s+here");
        assertThat(out.lines()).allMatch(line -> line.length() <= 80);

        Object[] json = Arrays.copyOf(arguments, arguments.length + 1);
        json[arguments.length] = "--json";
        Map<String, Object> document = Json.parse(Shell.run(json).out());
        assertThat(document).containsEntry("store", store);
        Map<String, Object> telescoping =
                Json.object(Json.array(document.get("kinds")).get(0));
        double accesses = Json.number(telescoping, "accessesPerMiss");
        assertThat(accesses)
                .isCloseTo(
                        Json.number(telescoping, "wastedReadsPerMiss") + Json.number(telescoping, "repairReadsPerMiss"),
                        within(1e-12));
        assertThat(Json.number(telescoping, "modelAccessesPerMiss")).isBetween(accesses / 3, accesses * 3);
        assertThat(Json.number(telescoping, "meanMissNs")).isPositive();
        if (store.equals("rocksdb")) {
            assertThat(Json.number(telescoping, "storeBytesPerMiss")).isPositive();
        } else {
            assertThat(telescoping).containsEntry("storeBytesPerMiss", "null");
        }
    }

    @Test
    void aServerOfItsOwnTellsWhatItTouched() {
        Shell.Result result = Shell.run(
                "race",
                "--store",
                "postgres",
                "--kinds",
                "telescoping,bloom",
                "--n",
                1000,
                "--queries",
                10_000,
                "--fpp",
                0.05,
                "--json");
        Assumptions.assumeFalse(result.err().contains("PostgreSQL does not start"), result.err());
        for (Object kind : Json.array(Json.parse(result.out()).get("kinds"))) {
            assertThat(Json.number(Json.object(kind), "storeBytesPerMiss")).isGreaterThan(100);
            assertThat(Json.number(Json.object(kind), "falseNegatives")).isZero();
        }
    }

    @Test
    void optionsInAKindsNameAreChecked() {
        assertThat(Shell.run("race", "--kinds", "broom:noses=0", "--n", 100).err())
                .contains("broom has no option 'noses'");
        assertThat(Shell.run("race", "--kinds", "broom:moves", "--n", 100).err())
                .contains("is not option=value");
    }

    @Test
    void eachKindHasALineOfAnswersAndOneOfTimesIfTheyWereTaken() {
        for (int repeat = 0; repeat < 2; repeat++) {
            String out = Shell.run(
                            "race",
                            "--kinds",
                            "bloom,quotient",
                            "--n",
                            500,
                            "--repeat",
                            repeat,
                            "--no-isolate",
                            "--wide")
                    .out();
            assertThat(out.lines().filter(line -> line.startsWith("bloom "))).hasSize(1 + repeat);
            assertThat(out.lines().filter(line -> line.startsWith("quotient "))).hasSize(1 + repeat);
        }
    }

    @Test
    void theUsersOwnFilesAreRaced() throws IOException {
        Path keys = Files.writeString(folder.resolve("keys"), "a\nb\nc\n");
        Path queries = Files.writeString(folder.resolve("queries"), "a\nx\nb\nb\n");
        Shell.Result result = Shell.run(
                "race",
                "--kinds",
                "bloom",
                "--fpp",
                "1e-9",
                "--keys",
                keys,
                "--queries-file",
                queries,
                "--repeat",
                0,
                "--json");

        Map<String, Object> kind =
                Json.object(Json.array(Json.parse(result.out()).get("kinds")).get(0));
        assertThat(Json.number(kind, "n")).isEqualTo(3);
        assertThat(Json.number(kind, "queries")).isEqualTo(4);
        assertThat(Json.number(kind, "remoteReads")).isEqualTo(3);
    }

    @Test
    void anUnknownKindListsAllThatCanBeRaced() {
        assertThat(Shell.run("race", "--kinds", "nope").refusal())
                .contains("telescoping")
                .contains("peer:guava")
                .contains("limit:memory");
    }

    @Test
    void whatFilesOverruleIsTold() throws IOException {
        Path keys = Files.writeString(folder.resolve("keys"), "a\nb\nc\n");
        Shell.Result result = Shell.run(
                "race",
                "--kinds",
                "bloom",
                "--repeat",
                0,
                "--keys",
                keys,
                "--n",
                2,
                "--queries-file",
                keys,
                "--workload",
                "zipf:1",
                "--json");
        assertThat(result.code()).isZero();
        assertThat(result.err().lines())
                .containsExactly(
                        "besom: --n: does not count, the stored keys are those of --keys",
                        "besom: --workload: does not count, the queries are those of --queries-file");
        assertThat(Json.parse(result.out())).containsKey("kinds");
    }

    @Test
    void whatIsWrongIsRefusedInOneLineThatNamesIt() {
        refused("--kinds: unknown kind 'nope'", "race", "--kinds", "nope");
        refused("--kinds: unknown kind 'peer:nope'", "race", "--kinds", "bloom,peer:nope");
        refused("--kinds: unknown kind ''", "race", "--kinds", "bloom,,quotient");
        for (String workload : List.of("zipf", "zipf:x", "zipf:-1", "zipf:NaN", "uniform:0", "adversary:nope", "")) {
            refused("--workload: ", "race", "--kinds", "bloom", "--workload", workload);
        }
        refused("'--format': unknown format 'nope'", "race", "--kinds", "bloom", "--format", "nope");
        Map<String, List<Object>> badValues = Map.of(
                "--n", List.of(0, -1),
                "--fpp", List.of(0, 1, 1.5, -0.1, "NaN", "Infinity"),
                "--load", List.of(0, 1.01, -1, "NaN"),
                "--queries", List.of(-1),
                "--hits", List.of(-0.1, 1.1, "NaN"),
                "--repeat", List.of(-1, 1001));
        badValues.forEach((option, values) ->
                values.forEach(value -> refused(option + ": must", "race", "--kinds", "bloom", option, value)));
        for (String option : badValues.keySet()) {
            refused("'" + option + "'", "race", "--kinds", "bloom", option, "nope");
        }
        refused(
                "'--n': '2147483648' is not a whole number up to 2,147,483,647",
                "race",
                "--kinds",
                "bloom",
                "--n",
                1L << 31);
        refused("-: not a file; keys are read several times", "race", "--kinds", "bloom,quotient", "--keys", "-");
        refused("--sample-keys: ", "race", "--kinds", "daisy", "--sample-keys", folder.resolve("absent"));
        refused("'nope'", "race", "--kinds", "bloom", "--option", "nope=1");
        refused(folder + ": not a file", "race", "--kinds", "bloom", "--keys", folder);
        refused("absent: no such file", "race", "--kinds", "bloom", "--keys", folder.resolve("absent"));
        refused("--store: unknown store 'disk'", "race", "--kinds", "bloom", "--store", "disk");
        refused("churn", "race", "--kinds", "bloom", "--store", "memory", "--workload", "churn");
        refused("--kinds", "race");
    }

    private static void refused(String culprit, Object... arguments) {
        Shell.Result result = Shell.run(arguments);
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.refusal()).contains(culprit);
    }
}
