package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.StoredHashes;
import dev.besom.codec.FilterCodec;
import dev.besom.filters.Filters;
import dev.besom.hash.HasherStamp;
import dev.besom.hash.KeyHasher;
import dev.besom.spi.PersistentFilter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueryCommandTest {

    @TempDir
    Path folder = Path.of("");

    private Path filter = Path.of("");

    @BeforeEach
    void buildFilter() throws IOException {
        filter = folder.resolve("f.besom");
        Path keys = Files.writeString(folder.resolve("keys.txt"), "one\ntwo\n\nsch\u00FCssel\n");
        assertThat(Shell.run("build", "--kind", "bloom", "--fpp", "1e-9", "-o", filter, keys)
                        .code())
                .isZero();
    }

    @Test
    void eachKeyIsAnsweredOnALineInOrder() {
        Shell.Result result = Shell.runWith("two\nthree\n\nsch\u00FCssel", "query", filter, "-");

        assertThat(result).isEqualTo(new Shell.Result(0, "maybe\ttwo\nno\tthree\nmaybe\t\nmaybe\tsch\u00FCssel\n", ""));
    }

    @Test
    void onlyTheKeysWithOneAnswerArePrintedBare() {
        assertThat(Shell.runWith("two\nthree\nfour\n", "query", "--only", "no", filter, "-")
                        .out())
                .isEqualTo("three\nfour\n");
        assertThat(Shell.runWith("two\nthree\nfour\n", "query", "--only", "maybe", filter, "-")
                        .out())
                .isEqualTo("two\n");
    }

    @Test
    void totalsAddUpOverSeveralFiles() throws IOException {
        String many =
                IntStream.range(0, 20_000).mapToObj(i -> "absent-" + i + "\n").collect(Collectors.joining());
        Path absent = Files.writeString(folder.resolve("absent.txt"), many);
        Shell.Result text = Shell.runWith("one", "query", "--count", filter, folder.resolve("keys.txt"), absent, "-");
        Shell.Result json = Shell.runWith("one", "query", "--json", filter, folder.resolve("keys.txt"), absent, "-");

        assertThat(text.out()).isEqualTo("asked          20,005\nmaybe          5\nno             20,000\n");
        assertThat(Json.parse(json.out()))
                .containsEntry("asked", 20_005.0)
                .containsEntry("maybe", 5.0)
                .containsEntry("no", 20_000.0)
                .doesNotContainKey("answers");
    }

    @Test
    void jsonListsTheAnswersWhenAsked() {
        Shell.Result result = Shell.runWith("one\n\"q\u0001\\\n", "query", "--json", "--answers", filter, "-");

        assertThat(Json.array(Json.parse(result.out()).get("answers")))
                .isEqualTo(
                        List.of(Map.of("key", "one", "answer", "maybe"), Map.of("key", "\"q\u0001\\", "answer", "no")));
        Shell.Result some = Shell.runWith("one\nx\n", "query", "--json", "--answers", "--only", "no", filter, "-");
        assertThat(Json.array(Json.parse(some.out()).get("answers")))
                .isEqualTo(List.of(Map.of("key", "x", "answer", "no")));
    }

    @Test
    void aLongListOfAnswersIsOneDocumentAllTheSame() {
        String many =
                IntStream.range(0, 100_000).mapToObj(i -> "key-" + i + "\n").collect(Collectors.joining());
        Shell.Result result = Shell.runWith(many, "query", "--json", "--answers", filter, "-");

        assertThat(Json.array(Json.parse(result.out()).get("answers"))).hasSize(100_000);
    }

    @Test
    void jsonIsWholeOrNothing() {
        byte[] bad = "one\n\uFFFF\n".getBytes(StandardCharsets.ISO_8859_1);
        bad[4] = (byte) 0xFF;
        Shell.Result result = Shell.runWith(bad, "query", "--json", "--answers", filter, "-");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.refusal()).isEqualTo("besom: standard input: line 2 is not valid UTF-8");
    }

    @Test
    void theFileTellsWhichHasherAndSoWhichFormat() throws IOException {
        Path numbers = folder.resolve("numbers.besom");
        assertThat(Shell.runWith(
                                "1\n-2\n",
                                "build",
                                "--kind",
                                "bloom",
                                "--format",
                                "long-text",
                                "--fpp",
                                "1e-9",
                                "-o",
                                numbers,
                                "-")
                        .code())
                .isZero();

        assertThat(Shell.runWith("-2\n3\n", "query", numbers, "-").out()).isEqualTo("maybe\t-2\nno\t3\n");
        assertThat(Shell.runWith("-2\n", "query", "--format", "lines", numbers, "-")
                        .refusal())
                .contains("--format lines", numbers.toString());
        assertThat(Shell.runWith("-2\n", "query", "--format", "long-text", filter, "-")
                        .refusal())
                .contains("--format long-text", filter.toString());
        assertThat(Json.array(Json.parse(Shell.runWith("-2\n", "query", "--json", "--answers", numbers, "-")
                                .out())
                        .get("answers")))
                .isEqualTo(List.of(Map.of("key", -2.0, "answer", "maybe")));
    }

    @Test
    void filtersFromTheLibraryAreAskedWithTheirOwnHashers() throws IOException {
        Path bare = folder.resolve("bare");
        write(bare, HasherStamp.NONE, -5);
        assertThat(Shell.runWith("-5\n5\n", "query", bare, "-").out()).isEqualTo("maybe\t-5\nno\t5\n");

        KeyHasher<CharSequence> chars = KeyHasher.chars();
        Path utf16 = folder.resolve("utf16");
        write(utf16, chars.stamp(), chars.hash("sch\u00FCssel"));
        assertThat(Shell.runWith("sch\u00FCssel\nkey\n", "query", utf16, "-").out())
                .isEqualTo("maybe\tsch\u00FCssel\nno\tkey\n");

        Path unknown = folder.resolve("unknown");
        write(unknown, new HasherStamp("runes:9", 1), 1);
        Shell.Result refused = Shell.runWith("a\n", "query", unknown, "-");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.refusal()).contains(unknown.toString(), "runes:9");
    }

    private static void write(Path file, HasherStamp stamp, long hash) throws IOException {
        PersistentFilter filter = Filters.kind("bloom").make(FilterSpec.of(10, 1e-9), StoredHashes.none());
        ((InsertableFilter) filter).insertHash(hash);
        FilterCodec.write(filter, stamp, file);
    }

    @Test
    void optionsThatDoNotGoTogetherAreRefused() {
        for (Object[] words : new Object[][] {
            {"query", "--answers", filter, "-"},
            {"query", "--count", "--only", "no", filter, "-"},
            {"query", "--json", "--only", "no", filter, "-"},
            {"query", "--only", "perhaps", filter, "-"},
            {"query", filter}
        }) {
            Shell.Result result = Shell.run(words);
            assertThat(result.code()).isEqualTo(1);
            result.refusal();
        }
    }

    @Test
    void answersComeBeforeTheInputEnds() {
        StringBuilder seen = new StringBuilder();
        StringBuilder seenAtSecondRead = new StringBuilder();
        InputStream talk = new InputStream() {
            private int reads;

            @Override
            public int read() {
                throw new AssertionError("one byte at a time");
            }

            @Override
            public int read(byte[] target, int from, int count) {
                reads++;
                if (reads == 1) {
                    System.arraycopy("one\n".getBytes(StandardCharsets.US_ASCII), 0, target, from, 4);
                    return 4;
                }
                seenAtSecondRead.append(seen);
                return -1;
            }
        };
        OutputStream out = new OutputStream() {
            @Override
            public void write(int b) {
                seen.append((char) b);
            }
        };
        assertThat(Shell.runWith(talk, out, "query", filter, "-").code()).isZero();
        assertThat(seenAtSecondRead.toString()).startsWith("maybe\tone\n");
    }

    @Test
    void outputThatCannotBeWrittenIsNoSuccess() {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        };
        Shell.Result result = Shell.runWith(
                new ByteArrayInputStream("one".getBytes(StandardCharsets.US_ASCII)), full, "query", filter, "-");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.refusal()).isEqualTo("besom: standard output: No space left on device");
        for (Object[] words : new Object[][] {{"--help"}, {"kinds"}, {"kinds", "--json"}, {"info", filter}}) {
            Shell.Result other = Shell.runWith(InputStream.nullInputStream(), full, words);
            assertThat(other.code()).isEqualTo(2);
            assertThat(other.refusal()).contains("No space left on device");
        }
    }

    @Test
    void aReaderWhoHasSeenEnoughGetsNoComplaint() {
        OutputStream gone = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        Shell.Result result = Shell.runWith(
                new ByteArrayInputStream("one".getBytes(StandardCharsets.US_ASCII)), gone, "query", filter, "-");
        assertThat(result).isEqualTo(new Shell.Result(0, "", ""));
    }
}
