package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.codec.FilterCodec;
import dev.besom.filters.Filters;
import dev.besom.spi.FilterImage;
import dev.besom.spi.ImageForm;
import dev.besom.spi.Kind;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class InfoAndMergeTest {

    @TempDir
    Path folder = Path.of("");

    private static String text(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "key-" + i + "\n").collect(Collectors.joining());
    }

    private Path build(String name, String keys, Object... options) {
        Path file = folder.resolve(name);
        Object[] words = Stream.concat(Stream.of("build", "-o", file, "-"), Stream.of(options))
                .toArray();
        assertThat(Shell.runWith(keys, words).code()).isZero();
        return file;
    }

    static Stream<String> kinds() {
        return Filters.kinds().stream().map(Kind::name);
    }

    static Stream<String> mergeableKinds() {
        return Filters.kinds().stream().filter(Kind::isMergeable).map(Kind::name);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyKindIsBuiltDescribedAndAsked(String kind) throws IOException {
        Path file = build("f", text(0, 1000), "--kind", kind, "--fpp", "0.02", "--seed", "3");
        Path keys = Files.writeString(folder.resolve("keys"), text(0, 1000));

        Map<String, Object> info = Json.parse(Shell.run("info", "--json", file).out());
        assertThat(info)
                .containsEntry("kind", kind)
                .containsEntry("formatVersion", (double) FilterCodec.FORMAT_VERSION)
                .containsEntry("checksum", "verified")
                .containsEntry("fileSizeInBytes", (double) Files.size(file))
                .containsEntry(
                        "hasher",
                        Map.of("id", Filters.readHashFilter(file).hasher().id(), "seed", 3.0, "secret", "false"))
                .containsEntry(
                        "falseNegatives", Boolean.toString(Filters.kind(kind).hasFalseNegatives()));
        assertThat(Json.number(info, "count")).isBetween(950.0, 1000.0);
        assertThat(Json.number(info, "expectedFpp")).isBetween(0.001, 0.03);
        assertThat(Shell.run("info", file).out()).contains(kind, "checksums verified", "bits a key");
        assertThat(Json.parse(Shell.run("query", "--json", file, keys).out())).containsEntry("maybe", 1000.0);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void infoNamesWhatTheFormDeclares(String kind) throws IOException {
        Path file = build("f", text(0, 300), "--kind", kind, "--fpp", "0.02");
        ImageForm form = Filters.kind(kind).form();
        FilterImage image = Filters.readHashFilter(file).filter().image();

        Map<String, Object> info = Json.parse(Shell.run("info", "--json", file).out());
        Map<String, Object> fields = Json.object(info.get("fields"));
        String text = Shell.run("info", file).out().replaceAll("\\s+", " ");

        assertThat(fields).hasSameSizeAs(form.fields());
        assertThat(Json.object(info.get("sectionWords"))).hasSameSizeAs(form.sections());
        for (ImageForm.Field field : form.fields()) {
            double expected = field instanceof ImageForm.DoubleField real
                    ? image.get(real)
                    : (double) image.get((ImageForm.LongField) field);
            assertThat(fields.values()).as(field.name()).contains(expected);
            assertThat(text).contains(field.meaning().replaceAll("\\s+", " "));
        }
        int named = form.fields().size() + (form.listMeaning().isEmpty() ? 0 : 1 + image.list(form).length);
        Object parts = info.get("parts");
        assertThat(parts == null ? 0 : Json.number(Json.object(parts), "parameters"))
                .isEqualTo(image.parameterCount() - named);
        if (!form.listMeaning().isEmpty()) {
            long[] list = image.list(form);
            List<Object> shown = Json.array(info.get("list"));
            for (int i = 0; i < list.length; i++) {
                assertThat(shown.get(i))
                        .isEqualTo(form.isRealInList(i) ? Double.longBitsToDouble(list[i]) : (double) list[i]);
            }
        }
    }

    @Test
    void aCountThatIsAnEstimateSaysSo() {
        Path bloom = build("bloom", text(0, 1000), "--kind", "bloom", "--fpp", "0.1");
        Path quotient = build("quotient", text(0, 1000), "--kind", "quotient", "--fpp", "0.1");

        assertThat(Json.parse(Shell.run("info", "--json", bloom).out())).containsEntry("countIsEstimate", "true");
        assertThat(Shell.run("info", bloom).out()).contains("count          about 9");
        assertThat(Json.parse(Shell.run("info", "--json", quotient).out()))
                .containsEntry("countIsEstimate", "false")
                .containsEntry("count", 1000.0);
        assertThat(Shell.run("info", quotient).out()).contains("count          1,000\n");
    }

    @Test
    void whatIsNoFilterFileIsRefusedByItsName() throws IOException {
        Path text = Files.writeString(folder.resolve("text"), "just a text that is long enough for a header");
        Path empty = Files.writeString(folder.resolve("empty"), "");
        for (Path bad : new Path[] {text, empty, folder, folder.resolve("absent")}) {
            for (Object[] words : new Object[][] {
                {"info", bad},
                {"info", "--json", bad},
                {"query", bad, text},
                {"merge", "-o", folder.resolve("x"), bad, bad}
            }) {
                Shell.Result result = Shell.run(words);
                assertThat(result.code()).isEqualTo(1);
                assertThat(result.refusal()).contains(bad + ": ");
            }
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aFilterComesThroughAPipeAsWell() throws Exception {
        byte[] whole = Files.readAllBytes(build("f", text(0, 20_000), "--kind", "bloom"));
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        assertThat(throughPipe(pipe, whole).out()).contains("kind           bloom");
        assertThat(throughPipe(pipe, Arrays.copyOf(whole, 50)).refusal()).contains(pipe + ": not a whole filter");
        assertThat(throughPipe(pipe, Arrays.copyOf(whole, whole.length - 1)).refusal())
                .contains(pipe + ": not a whole filter");
    }

    private static Shell.Result throughPipe(Path pipe, byte[] bytes) throws Exception {
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            try (OutputStream out = new FileOutputStream(pipe.toFile())) {
                for (int from = 0; from < bytes.length; from += 1000) {
                    out.write(bytes, from, Math.min(1000, bytes.length - from));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        Shell.Result result = Shell.run("info", pipe);
        writing.get();
        return result;
    }

    @Test
    void everyTruncationAndALongerFileAreRefused() throws IOException {
        byte[] whole = Files.readAllBytes(build("f", text(0, 20), "--kind", "bloom"));
        Path damaged = folder.resolve("damaged");
        for (int length = 0; length < whole.length; length += 7) {
            Files.write(damaged, Arrays.copyOf(whole, length));
            assertThat(Shell.run("info", damaged).refusal()).contains(damaged + ": ");
        }
        Files.write(damaged, Arrays.copyOf(whole, whole.length + 1));
        assertThat(Shell.run("info", damaged).refusal()).contains(damaged + ": ");
        whole[whole.length / 2] ^= 1;
        Files.write(damaged, whole);
        assertThat(Shell.run("info", damaged).refusal()).contains(damaged + ": ");
    }

    @ParameterizedTest
    @MethodSource("mergeableKinds")
    void aUnionHoldsTheKeysOfAll(String kind) throws IOException {
        Path a = build("a", text(0, 500), "--kind", kind, "--n", "1500");
        Path b = build("b", text(500, 1000), "--kind", kind, "--n", "1500");
        Path c = build("c", text(1000, 1500), "--kind", kind, "--n", "1500");
        byte[] before = Files.readAllBytes(a);
        Path union = folder.resolve("union");
        Shell.Result result = Shell.run("merge", "--json", "-o", union, a, b, c);

        assertThat(result.code()).isZero();
        assertThat(Json.parse(result.out())).containsEntry("merged", 3.0).containsEntry("fileSizeInBytes", (double)
                Files.size(union));
        assertThat(Shell.runWith(text(0, 1500), "query", "--json", union, "-").out())
                .contains("\"maybe\":1500");
        assertThat(Files.readAllBytes(a)).isEqualTo(before);
        assertThat(Shell.run("merge", "-o", a, a, b).refusal()).contains(a.toString(), "--force");
        assertThat(Shell.run("merge", "--force", "-o", a, a, b).code()).isZero();
        assertThat(Shell.runWith(text(0, 1000), "query", "--json", a, "-").out())
                .contains("\"maybe\":1000");
    }

    @Test
    void filtersThatDifferAreNotUnitedAndBothAreNamed() throws IOException {
        Path a = build("a", text(0, 100), "--kind", "bloom");
        Path union = folder.resolve("union");
        Map<String, Path> others = Map.of(
                "kinds", build("kind", text(0, 100), "--kind", "blocked-bloom"),
                "bits", build("size", text(0, 200), "--kind", "bloom"),
                "seeds", build("seed", text(0, 100), "--kind", "bloom", "--seed", "9"),
                "hashers", build("longs", "1\n2\n", "--kind", "bloom", "--format", "long-text"));
        others.forEach((difference, other) -> {
            Shell.Result result = Shell.run("merge", "-o", union, a, other);
            assertThat(result.code()).isEqualTo(1);
            assertThat(result.refusal()).contains(a + " and " + other, difference);
            assertThat(result.refusal().contains("same --n")).isEqualTo(difference.equals("bits"));
            assertThat(union).doesNotExist();
        });
        assertThat(Shell.run("merge", "-o", union, a).refusal()).contains("FILTERS");
    }
}
