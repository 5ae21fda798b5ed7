package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdviseCommandTest {

    @TempDir
    Path folder = Path.of("");

    @Test
    void theJsonDocumentSaysWhatToUseAndWhy() {
        Shell.Result result = Shell.run("advise", "--n", 5000, "--fpp", 0.01, "--deletes", "--json");

        assertThat(result.code()).isZero();
        assertThat(result.err()).isEmpty();
        Map<String, Object> advice = Json.parse(result.out());
        assertThat(advice)
                .containsKeys(
                        "kind",
                        "n",
                        "fpp",
                        "expectedFpp",
                        "bitsPerKey",
                        "sizeInBits",
                        "why",
                        "remoteReads",
                        "traffic",
                        "runnerUp",
                        "others",
                        "code");
        assertThat(Filters.kind(String.valueOf(advice.get("kind"))).isDeletable())
                .isTrue();
        assertThat(Json.number(Json.object(advice.get("remoteReads")), "withoutFilter"))
                .isEqualTo(500_000);
        assertThat(String.valueOf(advice.get("code"))).contains("FilterSpec.of(5_000L, 0.01)");
    }

    @Test
    void theTextNamesTheKindTheRunnerUpAndTheCode() {
        String out = Shell.run("advise", "--n", 5000, "--memory", "8K", "--skew", 1.1)
                .out();
        assertThat(out).contains("kind  ", "size  ", "expected rate", "remote reads", "why  ", "runner-up", "import ");
    }

    @Test
    void whereNearlyAllLookupsFindSomethingItIsSaidThatAFilterSavesLittle() {
        String saves = "note           a filter saves ";
        assertThat(Shell.run("advise", "--n", 2000, "--misses", 0).out()).contains(saves + "0.00 %");
        assertThat(Shell.run("advise", "--n", 2000, "--misses", 0.05).out()).contains(saves + "4.9");
        assertThat(Shell.run("advise", "--n", 2000, "--misses", 0.2).out()).doesNotContain(saves);
    }

    @Test
    void theBudgetOfAnAdaptiveKindIsHeldAgainstTheTraffic() {
        Object[] arguments = {"advise", "--n", 2000, "--skew", 1.3, "--queries", 10_000_000, "--fpp", 0.02};
        Object[] json = Arrays.copyOf(arguments, arguments.length + 1);
        json[arguments.length] = "--json";
        Map<String, Object> advice = Json.parse(Shell.run(json).out());
        Kind kind = Filters.kind(String.valueOf(advice.get("kind")));
        assertThat(kind.isAdaptive()).isTrue();
        Map<String, Object> traffic = Json.object(advice.get("traffic"));
        assertThat(Json.number(advice, "uniqueMissesPerKey"))
                .isCloseTo(Json.number(traffic, "distinctMisses") / 2000, within(0.001));
        String out = Shell.run(arguments).out();
        if (Double.isNaN(kind.adaptiveBudget())) {
            assertThat(advice).containsEntry("adaptiveBudget", "null");
            assertThat(out).doesNotContain("keeps its rate");
        } else if (Double.isInfinite(kind.adaptiveBudget())) {
            assertThat(advice).containsEntry("adaptiveBudget", "unbounded");
            assertThat(out).contains("keeps its rate for any number of queries");
        } else {
            assertThat(Json.number(advice, "adaptiveBudget"))
                    .isCloseTo(kind.adaptiveBudget() * 0.01 / Json.number(advice, "fpp"), within(1e-9));
            assertThat(out).contains("budget  ").contains("keeps its rate up to");
        }
    }

    @Test
    void aSampleOfKeysAndQueriesIsMeasured() throws IOException {
        StringBuilder stored = new StringBuilder();
        StringBuilder asked = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            stored.append(i).append('\n');
            asked.append(i).append('\n').append("5000\n").append(7000 + i % 10).append('\n');
        }
        Path keys = Files.writeString(folder.resolve("keys"), stored);
        Path queries = Files.writeString(folder.resolve("queries"), asked);

        Shell.Result result =
                Shell.run("advise", "--keys", keys, "--queries-file", queries, "--format", "long-text", "--json");

        assertThat(result.err()).isEmpty();
        Map<String, Object> advice = Json.parse(result.out());
        Map<String, Object> traffic = Json.object(advice.get("traffic"));
        assertThat(Json.number(advice, "n")).isEqualTo(1000);
        assertThat(Json.number(traffic, "queries")).isEqualTo(3000);
        assertThat(Json.number(traffic, "misses")).isEqualTo(2000);
        assertThat(Json.number(traffic, "distinctMisses")).isEqualTo(11);
        assertThat(Json.number(traffic, "hottestShare")).isEqualTo(0.5);
        assertThat(Json.object(advice.get("sample"))).containsEntry("exact", "true");
        assertThat(Filters.kind(String.valueOf(advice.get("kind"))).isAdaptive())
                .isTrue();
        assertThat(String.valueOf(advice.get("code"))).contains("KeyHasher.longs()");

        String text =
                Shell.run("advise", "--keys", keys, "--queries-file", queries).out();
        assertThat(text.replaceAll("\\s+", " "))
                .contains("1,000 different keys; 3,000 queries, 66.7 % of them misses, for 11 different keys");
    }

    @Test
    void kindsAreJudgedByTheLaterPartOfALogAndByWhatItsReadsCost() throws IOException {
        StringBuilder stored = new StringBuilder();
        StringBuilder asked = new StringBuilder("key,ms\n");
        for (int i = 0; i < 3000; i++) {
            stored.append("key-").append(i).append('\n');
            for (int k = 0; k < 3; k++) {
                asked.append("ghost-").append((7 * i + k) % 1500).append(",4\n");
            }
        }
        Path keys = Files.writeString(folder.resolve("keys"), stored);
        Path log = Files.writeString(folder.resolve("log.csv"), asked);
        Object[] arguments = {
            "advise",
            "--keys",
            keys,
            "--queries-file",
            log,
            "--query-column",
            "key",
            "--cost-column",
            "ms",
            "--fp-cost",
            10,
            "--fpp",
            0.02
        };
        Object[] json = Arrays.copyOf(arguments, arguments.length + 1);
        json[arguments.length] = "--json";

        Map<String, Object> advice = Json.parse(Shell.run(json).out());
        Map<String, Object> judged = Json.object(advice.get("log"));
        assertThat(Json.number(judged, "newMisses")).isZero();
        List<Object> kinds = Json.array(judged.get("kinds"));
        assertThat(kinds).hasSizeGreaterThan(20);
        double last = 0;
        for (Object each : kinds) {
            Map<String, Object> kind = Json.object(each);
            assertThat(Json.number(kind, "cost")).isGreaterThanOrEqualTo(last);
            assertThat(Json.number(kind, "cost")).isCloseTo(40 * Json.number(kind, "wasted"), within(21.0));
            last = Json.number(kind, "cost");
        }
        assertThat(Filters.kind(String.valueOf(Json.object(kinds.get(0)).get("kind")))
                        .isAdaptive())
                .isTrue();
        assertThat(Filters.kind(String.valueOf(advice.get("kind"))).isAdaptive())
                .isTrue();
    }

    @Test
    void whatKindsWasteOfALogIsATable() throws IOException {
        Path keys = Files.writeString(folder.resolve("keys"), "1\n2\n3\n4\n");
        Path queries = Files.writeString(folder.resolve("queries"), "9\n8\n7\n6\n5\n1\n10\n11\n12\n");
        assertThat(Shell.run("advise", "--keys", keys, "--queries-file", queries)
                        .out())
                .contains("later third", "wasted", "all new");
    }

    @Test
    void anExactArrayIsProposedWhereThereAreFewNumbers() {
        assertThat(Shell.run("advise", "--n", 5000, "--universe", 30_000).out().replaceAll("\\s+", " "))
                .contains("an array of 30,000 bits")
                .contains("6.00 bits a key");
        assertThat(Shell.run("advise", "--n", 5000, "--universe", 5_000_000).out())
                .doesNotContain("an array of");
        assertThat(Shell.run("advise", "--n", 5000, "--universe", 4999).err())
                .contains("--universe: there cannot be 5000 keys below 4999");
    }

    @Test
    void aLogThatTellsHitsFromMissesNeedsNoKeys() throws IOException {
        StringBuilder asked = new StringBuilder("key,count,found\n");
        for (int i = 0; i < 100; i++) {
            asked.append("a").append(i).append(",3,hit\nb").append(i).append(",2,miss\n");
        }
        Path log = Files.writeString(folder.resolve("log.csv"), asked);
        Shell.Result result = Shell.run(
                "advise",
                "--n",
                5000,
                "--queries-file",
                log,
                "--query-column",
                "key",
                "--count-column",
                "count",
                "--hit-column",
                "found",
                "--json");
        assertThat(result.err()).isEmpty();
        Map<String, Object> traffic = Json.object(Json.parse(result.out()).get("traffic"));
        assertThat(Json.number(traffic, "queries")).isEqualTo(500);
        assertThat(Json.number(traffic, "misses")).isEqualTo(200);
        assertThat(Json.number(traffic, "distinctMisses")).isEqualTo(100);
        assertThat(Shell.run("advise", "--n", 5000, "--queries-file", log).err())
                .contains("--queries-file: needs --keys");
    }

    @Test
    void keysAloneAreCounted() throws IOException {
        Path keys = Files.writeString(folder.resolve("keys"), "a\nb\nb\nc\n");
        Map<String, Object> advice =
                Json.parse(Shell.run("advise", "--keys", keys, "--json").out());
        assertThat(Json.number(advice, "n")).isEqualTo(3);
    }

    @Test
    void memoryIsReadInTheUsualUnits() {
        MemorySize.Converter converter = new MemorySize.Converter();
        assertThat(converter.convert("1000").bytes()).isEqualTo(1000);
        assertThat(converter.convert("1.5k").bytes()).isEqualTo(1536);
        assertThat(converter.convert("2MiB").bytes()).isEqualTo(2L << 20);
        assertThat(converter.convert("3G").bytes()).isEqualTo(3L << 30);
        assertThat(converter.convert("4T").bits()).isEqualTo(4L << 43);
    }

    @Test
    void keysWithValuesGetAMapAndATextThatSaysHowWideValuesAre() {
        Shell.Result text = Shell.run("advise", "--n", 1000, "--values");
        assertThat(text.code()).isZero();
        assertThat(text.out()).contains("values of one bit").contains("valueOfHash");
        Map<String, Object> changing = Json.parse(
                Shell.run("advise", "--n", 1000, "--values", "--json").out());
        assertThat(changing).containsEntry("kind", "bloomier-dynamic");
        Map<String, Object> fixed = Json.parse(Shell.run("advise", "--n", 50_000, "--values", "--static", "--json")
                .out());
        assertThat(fixed).containsEntry("kind", "bloomier");
        Map<String, Object> without =
                Json.parse(Shell.run("advise", "--n", 50_000, "--json").out());
        assertThat(Json.array(without.get("notes"))).isEmpty();
        assertThat(without).containsEntry("kind", "bloom");
    }

    @Test
    void whatIsWrongIsRefusedInOneLineThatNamesIt() throws IOException {
        Path keys = Files.writeString(folder.resolve("keys"), "1\nx\n");
        refused("--n", "advise");
        refused("--n", "advise", "--n", 0);
        refused("--n", "advise", "--n", "many");
        refused("--fpp", "advise", "--n", 10, "--fpp", 1);
        refused("--fpp", "advise", "--n", 10, "--fpp", 1e-300);
        refused("larger than an array", "advise", "--n", Long.MAX_VALUE);
        refused("larger than an array", "advise", "--n", 1L << 44, "--memory", "1024T");
        refused("--memory", "advise", "--n", 10, "--memory", "much");
        refused("--memory", "advise", "--n", 10, "--memory", "2000T");
        refused("--misses", "advise", "--n", 10, "--misses", 2);
        refused("--skew", "advise", "--n", 10, "--skew", -1);
        refused("--missed-keys", "advise", "--n", 10, "--missed-keys", 5);
        refused("--queries-file", "advise", "--n", 10, "--queries-file", keys);
        refused("--queries-file", "advise", "--keys", keys, "--queries-file", keys, "--skew", 1);
        refused("--static", "advise", "--n", 10, "--static", "--deletes");
        refused("--adversary", "advise", "--n", 10, "--adversary", "--no-dictionary");
        refused("no kind fits", "advise", "--n", 10, "--values", "--adversary");
        refused("bits a key", "advise", "--n", 1_000_000, "--memory", "1K");
        refused("'--format': unknown format 'nope'", "advise", "--n", 10, "--format", "nope");
        refused("absent: no such file", "advise", "--keys", folder.resolve("absent"));
        refused("keys: line 2", "advise", "--keys", keys, "--format", "long-text");
    }

    private static void refused(String culprit, Object... arguments) {
        Shell.Result result = Shell.run(arguments);
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.refusal()).contains(culprit);
    }
}
