package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.besom.filters.FilterFile;
import dev.besom.filters.Filters;
import dev.besom.hash.KeyHasher;
import dev.besom.spi.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated
class BuildCommandTest {

    private static final int KEYS = 10_000;

    @TempDir
    Path folder = Path.of("");

    private Path keys = Path.of("");
    private Path filter = Path.of("");

    @BeforeEach
    void writeKeys() throws IOException {
        keys = folder.resolve("keys.txt");
        filter = folder.resolve("keys.besom");
        Files.writeString(keys, text(KEYS));
    }

    private static String text(int count) {
        return IntStream.range(0, count).mapToObj(i -> "key-" + i + "\n").collect(Collectors.joining());
    }

    @Test
    void everyKeyOfTheFileIsFoundThroughTheLibrary() throws IOException {
        assertThat(Shell.run("build", "--kind", "bloom", "-o", filter, keys).code())
                .isZero();

        FilterFile read = Filters.readHashFilter(filter);
        KeyHasher<CharSequence> hasher = read.hasher().toUtf8Hasher();
        assertThat(hasher.stamp()).isEqualTo(KeyHasher.utf8().stamp());
        assertThat(IntStream.range(0, KEYS)).allMatch(i -> read.filter().mightContainHash(hasher.hash("key-" + i)));
        assertThat(IntStream.range(KEYS, 2 * KEYS)
                        .filter(i -> read.filter().mightContainHash(hasher.hash("key-" + i)))
                        .count())
                .isBetween(40L, 180L);
    }

    @Test
    void theReportTellsWhatWasBuilt() throws IOException {
        Shell.Result result = Shell.run("build", "--kind", "bloom", "--fpp", "0.001", "-o", filter, "--json", keys);

        assertThat(result.code()).isZero();
        assertThat(result.err()).isEmpty();
        Map<String, Object> json = Json.parse(result.out());
        assertThat(json)
                .containsEntry("kind", "bloom")
                .containsEntry("keys", (double) KEYS)
                .containsEntry("fileSizeInBytes", (double) Files.size(filter));
        assertThat(Json.number(json, "bitsPerKey")).isBetween(14.3, 14.7);
        assertThat(Json.number(json, "expectedFpp")).isBetween(0.0008, 0.0012);
        assertThat(Shell.run("build", "--kind", "bloom", "--force", "-o", filter, keys)
                        .out())
                .contains("bloom", "10,000", "bits a key", "expected rate", "file size");
    }

    @Test
    void linesEndWithLfOrCrLfAndTheLastNeedNotEnd() throws IOException {
        Files.writeString(keys, "one\r\ntwo\n\nsch\u00FCssel\uD83D\uDE00\nlast\r");
        assertThat(Shell.run("build", "--kind", "bloom", "--fpp", "1e-9", "-o", filter, keys)
                        .out())
                .contains("keys           5");

        FilterFile read = Filters.readHashFilter(filter);
        KeyHasher<CharSequence> hasher = read.hasher().toUtf8Hasher();
        assertThat(Stream.of("one", "two", "", "sch\u00FCssel\uD83D\uDE00", "last\r"))
                .allMatch(key -> read.filter().mightContainHash(hasher.hash(key)));
        assertThat(Stream.of("one\r", "two\n", "last", "three"))
                .noneMatch(key -> read.filter().mightContainHash(hasher.hash(key)));
    }

    @Test
    void aSizeThatIsFarTooLargeForItsRateIsToldWithABetterKind() {
        Shell.Result large = Shell.run("build", "--kind", "cascade", "--fpp", "0.9", "-o", filter, keys);
        assertThat(large.code()).isZero();
        assertThat(large.err())
                .startsWith("besom: warning: cascade takes ")
                .contains(" can do the same with ")
                .hasLineCount(1);
        Shell.Result usual = Shell.run("build", "--kind", "blocked-bloom", "--force", "-o", filter, keys);
        assertThat(usual.err()).isEmpty();
    }

    @Test
    void aRateThatAKindCannotHaveIsRefusedWithAKindThatCan() {
        assertThat(Shell.run("build", "--kind", "blocked-bloom", "--fpp", "1e-15", "-o", filter, keys)
                        .refusal())
                .contains("--kind blocked-bloom", "--fpp 1.0E-15", " does with ", " bits a key");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void noKindHasAnOddSizeAtTheUsualRate(String kind) {
        Shell.Result result = Shell.run("build", "--kind", kind, "-o", filter, keys);
        assertThat(result.code()).isZero();
        assertThat(result.err()).doesNotContain("bits a key");
    }

    @Test
    void anEmptyFileMakesAnEmptyFilter() throws IOException {
        Files.writeString(keys, "");
        Shell.Result result = Shell.run("build", "--kind", "bloom", "--json", "-o", filter, keys);

        assertThat(result.code()).isZero();
        assertThat(Json.parse(result.out())).containsEntry("keys", 0.0).containsEntry("bitsPerKey", "null");
        assertThat(Shell.run("query", "--only", "maybe", filter, keys).out()).isEmpty();
    }

    static Stream<String> kinds() {
        return Filters.kinds().stream().map(Kind::name);
    }

    /** As in a log: some keys once, one of them nearly always, and empty lines. */
    @ParameterizedTest
    @MethodSource("kinds")
    void keysThatComeVeryOftenAreNoObstacle(String kind) throws IOException {
        String lines = text(100) + "often\n".repeat(3000) + "\n".repeat(500);
        Files.writeString(keys, lines);
        Path piped = folder.resolve("piped");

        assertThat(Shell.run("build", "--kind", kind, "-o", filter, keys).code())
                .isZero();
        assertThat(Shell.runWith(lines, "build", "--kind", kind, "-o", piped, "-")
                        .code())
                .isZero();

        assertThat(piped).hasSameBinaryContentAs(filter);
        assertThat(Shell.run("query", "--only", "no", filter, keys).out()).isEmpty();
        Shell.Result planned = Shell.run("build", "--kind", kind, "--n", 102, "--force", "-o", filter, keys);
        assertThat(planned.code()).isZero();
        assertThat(Shell.run("query", "--only", "no", filter, keys).out()).isEmpty();
    }

    @Test
    void keysThatComeVeryOftenAndOnlyOnceToReadAreRefused() {
        Shell.Result result =
                Shell.runWith("often\n".repeat(1000), "build", "--kind", "dleft", "--n", 1000, "-o", filter, "-");
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.refusal()).contains("--n", "one key more often", "dleft");
        assertThat(filter).doesNotExist();
    }

    @Test
    void differentKeysThatAreTooManyAreRefused() {
        Shell.Result result = Shell.run("build", "--kind", "quotient", "--n", 10, "-o", filter, keys);
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.refusal()).contains("--n", "quotient");
        assertThat(filter).doesNotExist();
    }

    @Test
    void filesPipesAndPlannedBuildsGiveTheSameBytes() throws IOException {
        Path half = folder.resolve("half.txt");
        Path rest = folder.resolve("rest.txt");
        Files.writeString(half, text(KEYS / 2));
        Files.writeString(rest, text(KEYS).substring(text(KEYS / 2).length()));
        Path piped = folder.resolve("piped");
        Path mixed = folder.resolve("mixed");
        Path planned = folder.resolve("planned");

        assertThat(Shell.run("build", "--kind", "bloom", "-o", filter, keys).code())
                .isZero();
        assertThat(Shell.runWith(text(KEYS), "build", "--kind", "bloom", "-o", piped, "-")
                        .code())
                .isZero();
        assertThat(Shell.runWith(Files.readString(rest), "build", "--kind", "bloom", "-o", mixed, half, "-")
                        .code())
                .isZero();
        assertThat(Shell.runWith(text(KEYS), "build", "--kind", "bloom", "--n", KEYS, "-o", planned, "-")
                        .code())
                .isZero();

        assertThat(piped).hasSameBinaryContentAs(filter);
        assertThat(mixed).hasSameBinaryContentAs(filter);
        assertThat(planned).hasSameBinaryContentAs(filter);
        assertOnlyFiles("keys.txt", "half.txt", "rest.txt", "keys.besom", "piped", "mixed", "planned");
    }

    @Test
    void inputThatComesByteByByteGivesTheSameFilter() {
        Path slow = folder.resolve("slow");
        assertThat(Shell.run("build", "--kind", "bloom", "-o", filter, keys).code())
                .isZero();
        InputStream trickle = new ByteArrayInputStream(text(KEYS).getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] target, int from, int count) {
                return super.read(target, from, Math.min(count, 1));
            }
        };
        assertThat(Shell.runWith(trickle, new ByteArrayOutputStream(), "build", "--kind", "bloom", "-o", slow, "-")
                        .code())
                .isZero();

        assertThat(slow).hasSameBinaryContentAs(filter);
    }

    @Test
    void aKeyLongerThanAnyBufferIsAKey() throws IOException {
        String longKey = "x".repeat(1_000_000);
        Files.writeString(keys, "a\n" + longKey + "\nb\n");
        assertThat(Shell.run("build", "--kind", "bloom", "--fpp", "1e-9", "-o", filter, keys)
                        .code())
                .isZero();

        assertThat(Shell.run("query", "--count", "--json", filter, keys).out()).contains("\"maybe\":3");
        assertThat(Shell.runWith(longKey + "x", "query", "--count", "--json", filter, "-")
                        .out())
                .contains("\"maybe\":0");
    }

    @Test
    void numbersInTextAndInBinaryAreTheSameKeys() throws IOException {
        long[] numbers = {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE, 42};
        ByteBuffer binary = ByteBuffer.allocate(numbers.length * 8).order(ByteOrder.LITTLE_ENDIAN);
        StringBuilder text = new StringBuilder();
        for (long number : numbers) {
            binary.putLong(number);
            text.append(number).append("\r\n");
        }
        Path bytes = Files.write(folder.resolve("numbers.bin"), binary.array());
        Path lines = Files.writeString(folder.resolve("numbers.txt"), text);
        Path other = folder.resolve("other");

        assertThat(Shell.run("build", "--kind", "bloom", "--format", "long-le", "-o", filter, bytes)
                        .code())
                .isZero();
        assertThat(Shell.run("build", "--kind", "bloom", "--format", "long-text", "-o", other, lines)
                        .code())
                .isZero();
        assertThat(other).hasSameBinaryContentAs(filter);
        assertThat(Shell.run("query", filter, lines).out())
                .isEqualTo(LongStream.of(numbers)
                        .mapToObj(n -> "maybe\t" + n + "\n")
                        .collect(Collectors.joining()));
        assertThat(Shell.run("query", "--format", "long-le", "--only", "maybe", filter, bytes)
                        .out())
                .isEqualTo(LongStream.of(numbers).mapToObj(n -> n + "\n").collect(Collectors.joining()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "1x",
                "-",
                "+",
                " 1",
                "1 ",
                "9223372036854775808",
                "-9223372036854775809",
                "1e3",
                "99999999999999999999"
            })
    void aLineThatIsNoNumberIsNamed(String line) throws IOException {
        Files.writeString(keys, "1\n2\n" + line + "\n4\n");
        Shell.Result result = Shell.run("build", "--kind", "bloom", "--format", "long-text", "-o", filter, keys);

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.refusal()).contains(keys + ": line 3 ");
        assertOnlyFiles("keys.txt");
    }

    @Test
    void aLineThatIsNotUtf8IsNamedEvenFarDown() throws IOException {
        byte[] good = text(50_000).getBytes(StandardCharsets.UTF_8);
        Files.write(keys, good);
        Files.write(keys, new byte[] {'o', 'k', '\n', (byte) 0xC3, '\n'}, java.nio.file.StandardOpenOption.APPEND);

        Shell.Result fromFile = Shell.run("build", "--kind", "bloom", "-o", filter, keys);
        assertThat(fromFile.code()).isEqualTo(1);
        assertThat(fromFile.refusal()).isEqualTo("besom: " + keys + ": line 50002 is not valid UTF-8");
        Shell.Result piped = Shell.runWith(Files.readAllBytes(keys), "build", "--kind", "bloom", "-o", filter, "-");
        assertThat(piped.code()).isEqualTo(1);
        assertThat(piped.refusal()).isEqualTo("besom: standard input: line 50002 is not valid UTF-8");
        assertOnlyFiles("keys.txt");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 9, 32_769})
    void bytesThatAreNoWholeNumberOfLongsAreRefused(int length) throws IOException {
        Files.write(keys, new byte[length]);
        for (Object[] extra : new Object[][] {{}, {"--n", "10"}}) {
            Object[] words = Stream.concat(
                            Stream.of("build", "--kind", "bloom", "--format", "long-le", "-o", filter, keys),
                            Stream.of(extra))
                    .toArray();
            Shell.Result result = Shell.run(words);
            assertThat(result.code()).isEqualTo(1);
            assertThat(result.refusal()).contains(keys.toString(), "" + length, "multiple of 8");
        }
        assertOnlyFiles("keys.txt");
    }

    @ParameterizedTest
    @CsvSource({
        "--fpp,0",
        "--fpp,1",
        "--fpp,NaN",
        "--fpp,-0.5",
        "--fpp,Infinity",
        "--fpp,1e-20",
        "--fpp,4.9e-324",
        "--fpp,often",
        "--n,0",
        "--n,-5",
        "--n,many",
        "--format,csv",
        "--seed,x",
        "--option,shape=round",
        "--option,probes=many",
        "--option,probes"
    })
    void aBadValueIsRefusedByTheNameOfItsOption(String option, String value) throws IOException {
        Shell.Result result = Shell.run("build", "--kind", "bloom", option, value, "-o", filter, keys);

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.refusal()).contains(option.equals("--option") ? value.replaceFirst("=.*", "") : option);
        assertOnlyFiles("keys.txt");
    }

    @Test
    void moreKeysThanAnyFilterHoldsAreRefusedByTheirNumber() throws IOException {
        Shell.Result result = Shell.run("build", "--kind", "bloom", "--n", Long.MAX_VALUE, "-o", filter, keys);

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.refusal()).contains("--n " + Long.MAX_VALUE, "--fpp 0.01");
        assertOnlyFiles("keys.txt");
    }

    @Test
    void anUnknownKindIsRefusedWithTheKnownOnes() throws IOException {
        Shell.Result result = Shell.run("build", "--kind", "sieve", "-o", filter, keys);

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.refusal()).contains("--kind", "'sieve'", "bloom");
        assertOnlyFiles("keys.txt");
    }

    @Test
    void filesThatCannotBeReadAreNamed() throws IOException {
        Path absent = folder.resolve("absent");
        for (Path bad : List.of(absent, folder)) {
            Shell.Result result = Shell.run("build", "--kind", "bloom", "-o", filter, keys, bad);
            assertThat(result.code()).isEqualTo(1);
            assertThat(result.refusal()).contains(bad.toString());
        }
        assertThat(Shell.run("build", "--kind", "bloom", "-o", filter, "-", "-").refusal())
                .contains("standard input");
        assertOnlyFiles("keys.txt");
    }

    @Test
    void anExistingFileIsKeptUnlessForced() throws IOException {
        Files.writeString(filter, "precious");
        Shell.Result refused = Shell.run("build", "--kind", "bloom", "-o", filter, keys);
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.refusal()).contains(filter.toString(), "--force");
        assertThat(filter).hasContent("precious");

        assertThat(Shell.run("build", "--kind", "bloom", "--force", "-o", filter, keys)
                        .code())
                .isZero();
        assertThat(Filters.readHashFilter(filter).filter().count()).isPositive();
    }

    @Test
    void aFailedBuildKeepsTheFileThatItWasToReplace() throws IOException {
        Files.writeString(filter, "precious");
        Files.write(keys, new byte[] {'a', '\n', (byte) 0xFF, '\n'});

        assertThat(Shell.run("build", "--kind", "bloom", "--force", "-o", filter, keys)
                        .code())
                .isEqualTo(1);
        assertThat(filter).hasContent("precious");
        assertOnlyFiles("keys.txt", "keys.besom");
    }

    @Test
    void keysAreNeverOverwrittenByTheirFilter() {
        Shell.Result result = Shell.run("build", "--kind", "bloom", "--force", "-o", keys, keys);

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.refusal()).contains("-o", keys.toString());
        assertThat(keys).hasContent(text(KEYS));
    }

    @Test
    void anOutputThatIsNoFileIsRefused() throws IOException {
        for (Path bad : List.of(folder, folder.resolve("no/such/folder/f"), keys.resolve("f"), Path.of("-"))) {
            Shell.Result result = Shell.run("build", "--kind", "bloom", "--force", "-o", bad, keys);
            assertThat(result.code()).isEqualTo(1);
            assertThat(result.refusal()).contains("-o " + bad);
        }
        assertOnlyFiles("keys.txt");
    }

    @Test
    void inputThatBreaksOffIsTheEnvironmentsFaultAndLeavesNothing() throws IOException {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("the line is dead");
            }

            @Override
            public int read(byte[] target, int from, int count) throws IOException {
                throw new IOException("the line is dead");
            }
        };
        for (Object[] extra : new Object[][] {{}, {"--n", "100"}}) {
            InputStream in = new SequenceInputStream(
                    new ByteArrayInputStream(text(100).getBytes(StandardCharsets.UTF_8)), broken);
            Object[] words = Stream.concat(Stream.of("build", "--kind", "bloom", "-o", filter, "-"), Stream.of(extra))
                    .toArray();
            Shell.Result result = Shell.runWith(in, new ByteArrayOutputStream(), words);
            assertThat(result.code()).isEqualTo(2);
            assertThat(result.refusal()).contains("standard input", "the line is dead");
        }
        assertOnlyFiles("keys.txt");
    }

    @Test
    void moreMemoryThanThereIsEndsInOneLine() throws IOException {
        Shell.Result result =
                Shell.run("build", "--kind", "bloom", "--option", "bits=137438952448", "-o", filter, keys);

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.refusal()).contains("not enough memory");
        assertOnlyFiles("keys.txt");
    }

    @Test
    void moreKeysThanPlannedAreWarnedOf() {
        Shell.Result result = Shell.run("build", "--kind", "bloom", "--n", "10", "--json", "-o", filter, keys);

        assertThat(result.code()).isZero();
        assertThat(result.err()).startsWith("besom: warning: 10,000 keys in a filter planned for 10;");
        assertThat(Json.parse(result.out())).containsEntry("capacity", 10.0);
    }

    @Test
    void theSeedChangesHashesAndFilter() throws IOException {
        Path other = folder.resolve("other");
        assertThat(Shell.run("build", "--kind", "bloom", "--seed", "7", "-o", filter, keys)
                        .code())
                .isZero();
        assertThat(Shell.run("build", "--kind", "bloom", "--seed", "-7", "-o", other, keys)
                        .code())
                .isZero();

        assertThat(Filters.readHashFilter(filter).hasher())
                .isEqualTo(KeyHasher.utf8(7).stamp());
        assertThat(Filters.readHashFilter(other).hasher())
                .isEqualTo(KeyHasher.utf8(-7).stamp());
        assertThat(Shell.run("query", "--count", "--json", other, keys).out()).contains("\"no\":0");
    }

    private void assertOnlyFiles(String... names) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrder(names);
        }
    }
}
