package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
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
import org.junit.jupiter.params.provider.MethodSource;

/** Filters with values and lists that know what is not in them, from files of keys to answers. */
class ValuesAndListsTest {

    @TempDir
    Path folder = Path.of("");

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private String write(String name, Stream<String> lines) throws IOException {
        Files.write(folder.resolve(name), lines.toList());
        return file(name);
    }

    private static Stream<String> keys(String prefix, int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> prefix + i);
    }

    static Stream<Kind> mapKinds() {
        return Filters.kinds().stream().filter(Kind::holdsValues);
    }

    @ParameterizedTest
    @MethodSource("mapKinds")
    void everyKeyIsPrintedWithItsValue(Kind kind) throws IOException {
        String keys = write("keys", keys("key-", 0, 500));
        String values = write("values", IntStream.range(0, 500).mapToObj(i -> Integer.toString(i % 37)));
        String map = file("map.besom");
        assertThat(Shell.run("build", "--kind", kind.name(), "--values", values, "-o", map, keys)
                        .code())
                .isZero();
        List<String> lines = Shell.run("query", map, keys).out().lines().toList();
        for (int i = 0; i < 500; i++) {
            assertThat(lines.get(i)).isEqualTo("maybe\tkey-" + i + "\t" + i % 37);
        }
        Map<String, Object> json =
                Json.parse(Shell.run("query", "--json", "--answers", map, keys).out());
        assertThat(Json.number(Json.object(Json.array(json.get("answers")).get(40)), "value"))
                .isEqualTo(3.0);
        Map<String, Object> info = Json.parse(Shell.run("info", "--json", map).out());
        assertThat(info).containsEntry("values", "true");
        assertThat(Json.number(info, "valueBits")).isEqualTo(6.0);
        assertThat(Shell.run("info", map).out()).contains("of 6 bits");
    }

    @Test
    void valuesThatDoNotFitAreRefused() throws IOException {
        String keys = write("keys", keys("key-", 0, 5));
        String few = write("few", Stream.of("1", "2"));
        assertThat(Shell.run("build", "--kind", "bloomier", "--values", few, "-o", file("m"), keys)
                        .err())
                .contains("2 values, and there are 5 keys");
        assertThat(Shell.run("build", "--kind", "bloom", "--values", few, "-o", file("m"), keys)
                        .err())
                .contains("holds no values");
        String negative = write("negative", Stream.of("1", "2", "-3", "4", "5"));
        Shell.Result refused = Shell.run("build", "--kind", "bloomier", "--values", negative, "-o", file("m"), keys);
        assertThat(refused.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(refused.err()).contains("-3");
        assertThat(folder.resolve("m")).doesNotExist();
    }

    @Test
    void aListIsRightAboutBothSidesAndSoIsItsNextVersion() throws IOException {
        String blocked = write("blocked", keys("bad-", 0, 2_000));
        String allowed = write("allowed", keys("good-", 0, 3_000));
        String list = file("list.besom");
        assertThat(Shell.run("build", "--yes", blocked, "--no", allowed, "-o", list)
                        .code())
                .isZero();
        assertAnswers(list, blocked, 2_000);
        assertAnswers(list, allowed, 0);

        String blocked2 = write("blocked2", keys("bad-", 100, 2_200));
        String allowed2 = write("allowed2", Stream.concat(keys("good-", 0, 3_100), keys("bad-", 0, 100)));
        String patch = file("list.patch");
        assertThat(Shell.run("delta", list, "--yes", blocked2, "--no", allowed2, "-o", patch)
                        .code())
                .isZero();
        byte[] before = Files.readAllBytes(folder.resolve("list.besom"));
        assertThat(Shell.run("patch", list, patch).code()).isZero();
        assertAnswers(list, blocked2, 2_100);
        assertAnswers(list, allowed2, 0);
        assertThat(Files.readAllBytes(folder.resolve("list.besom"))).isNotEqualTo(before);

        byte[] after = Files.readAllBytes(folder.resolve("list.besom"));
        Shell.Result again = Shell.run("patch", list, patch);
        assertThat(again.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(again.err()).contains("applied before");
        assertThat(Files.readAllBytes(folder.resolve("list.besom"))).isEqualTo(after);
        assertThat(Shell.run("patch", list, blocked).err()).contains("not a whole patch");
        assertThat(Shell.run("patch", list, list).err()).contains("not a patch");
    }

    private static void assertAnswers(String list, String keys, int maybe) {
        Map<String, Object> counts =
                Json.parse(Shell.run("query", "--json", list, keys).out());
        assertThat(Json.number(counts, "maybe")).isEqualTo(maybe);
    }

    @Test
    void aListThatGrowsIsToldOfKeysThatAreNotInIt() throws IOException {
        String blocked = write("blocked", keys("bad-", 0, 2_000));
        String allowed = write("allowed", keys("good-", 0, 300));
        String list = file("list.besom");
        assertThat(Shell.run("build", "--kind", "exact-list-growing", "--yes", blocked, "--no", allowed, "-o", list)
                        .code())
                .isZero();
        String later = write("later", keys("fine-", 0, 5_000));
        Map<String, Object> before =
                Json.parse(Shell.run("query", "--json", list, later).out());
        assertThat(Json.number(before, "maybe")).isPositive();
        Map<String, Object> result = Json.parse(
                Shell.run("exclude", "--json", list, "--yes", blocked, later).out());
        assertThat(Json.number(result, "keys")).isEqualTo(5_000);
        // A number that no key has stands for some keys at once.
        assertThat(Json.number(result, "excluded"))
                .isBetween(0.9 * Json.number(before, "maybe"), Json.number(before, "maybe"));
        assertAnswers(list, blocked, 2_000);
        assertAnswers(list, allowed, 0);
        assertAnswers(list, later, 0);
    }

    @Test
    void whatWouldLoseAKeyOfAListIsRefused() throws IOException {
        String blocked = write("blocked", keys("bad-", 0, 200));
        String some = write("some", keys("bad-", 0, 199));
        String other = write("other", keys("other-", 0, 200));
        String list = file("list.besom");
        Shell.run("build", "--kind", "exact-list-growing", "--yes", blocked, "-o", list);
        byte[] before = Files.readAllBytes(folder.resolve("list.besom"));
        assertThat(Shell.run("exclude", list, "--yes", some, other).err()).contains("fewer keys than the 200");
        assertThat(Shell.run("exclude", list, "--yes", other, some).err()).contains("a key that is not in");
        assertThat(Shell.run("exclude", list, "--yes", blocked, some).err()).contains("a key is in the list");
        assertThat(Files.readAllBytes(folder.resolve("list.besom"))).isEqualTo(before);
        String plain = file("plain.besom");
        Shell.run("build", "--kind", "exact-list", "--yes", blocked, "-o", plain);
        assertThat(Shell.run("exclude", plain, "--yes", blocked, other).err()).contains("exact-list-growing can");
    }

    @Test
    void aKeyOnBothSidesIsRefused() throws IOException {
        String blocked = write("blocked", keys("bad-", 0, 20));
        String allowed = write("allowed", Stream.concat(keys("good-", 0, 5), keys("bad-", 18, 20)));
        Shell.Result refused =
                Shell.run("build", "--kind", "exact-list", "--yes", blocked, "--no", allowed, "-o", file("l"));
        assertThat(refused.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(refused.err())
                .isEqualTo("besom: --no: 2 of its 7 keys, the first of them key 6, are in the list (--yes) too\n");
        assertThat(folder.resolve("l")).doesNotExist();
        assertThat(Shell.run("build", "--kind", "exact-list", "-o", file("l")).err())
                .contains("KEYS");
    }
}
