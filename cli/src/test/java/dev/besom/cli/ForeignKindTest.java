package dev.besom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kinds that another jar brings: one that takes keys one by one and one that is built from all of them at once. */
class ForeignKindTest {

    /** Exact filters, which keep whole hashes: one sorted when it is built, the other sorted after each insert. */
    private static final String PROVIDER = """
            package foreign;

            import dev.besom.*;
            import dev.besom.spi.*;
            import java.util.*;
            import java.util.stream.LongStream;

            public final class Provider implements KindProvider {
                @Override
                public List<Kind> kinds() {
                    return List.of(
                            Kind.of("foreign-sorted", Sorted.class)
                                    .builds((spec, hashes, stored) -> Sorted.of(hashes))
                                    .reads(Sorted.FORM, (image, stored) -> new Sorted(
                                            Sorted.numbers(image.get(Sorted.HASHES))))
                                    .toKind(),
                            Kind.of("foreign-set", HashSet.class)
                                    .family("no-such-family")
                                    .paper("A set of hashes")
                                    .option("colour", "any")
                                    .makes((spec, stored) -> new HashSet(spec.fpp()))
                                    .reads(HashSet.FORM, (image, stored) -> HashSet.read(image))
                                    .toKind());
                }

                public static final class Sorted implements PersistentFilter {
                    static final ImageForm FORM = new ImageForm("foreign-sorted");
                    static final ImageForm.Section HASHES = FORM.section("hashes", "ascending");
                    private final long[] hashes;

                    Sorted(long[] hashes) {
                        this.hashes = hashes;
                    }

                    static Sorted of(HashSource source) {
                        LongStream.Builder all = LongStream.builder();
                        long[] passes = new long[2];
                        source.forEach(hash -> passes[0]++);
                        source.forEach(hash -> { passes[1]++; all.add(hash); });
                        if (passes[0] != source.count() || passes[1] != source.count()) {
                            throw new IllegalStateException("passes differ");
                        }
                        return new Sorted(all.build().sorted().distinct().toArray());
                    }

                    static long[] numbers(long[] words) {
                        long[] numbers = new long[(int) SectionWords.count(words)];
                        for (int i = 0; i < numbers.length; i++) {
                            numbers[i] = words[SectionWords.FIRST + i];
                        }
                        return numbers;
                    }

                    @Override
                    public boolean mightContainHash(long hash) {
                        return Arrays.binarySearch(hashes, hash) >= 0;
                    }

                    @Override
                    public long count() {
                        return hashes.length;
                    }

                    @Override
                    public long sizeInBits() {
                        return 64L * hashes.length;
                    }

                    @Override
                    public double expectedFpp() {
                        return hashes.length * 0x1p-64;
                    }

                    @Override
                    public FilterImage image() {
                        long[] words = SectionWords.allocate(hashes.length);
                        System.arraycopy(hashes, 0, words, SectionWords.FIRST, hashes.length);
                        return FORM.write().set(HASHES, words).image();
                    }
                }

                public static final class HashSet implements PersistentFilter, InsertableFilter {
                    static final ImageForm FORM = new ImageForm("foreign-set");
                    static final ImageForm.DoubleField RATE = FORM.real("rate", "planned rate");
                    static final ImageForm.Section HASHES = FORM.section("hashes", "ascending");
                    private final TreeSet<Long> hashes = new TreeSet<>();
                    private final double rate;

                    HashSet(double rate) {
                        this.rate = rate;
                    }

                    static HashSet read(FilterImage image) {
                        HashSet set = new HashSet(image.get(RATE, 0, 1));
                        for (long hash : Sorted.numbers(image.get(HASHES))) {
                            set.hashes.add(hash);
                        }
                        return set;
                    }

                    @Override
                    public boolean insertHash(long hash) {
                        return hashes.add(hash);
                    }

                    @Override
                    public boolean mightContainHash(long hash) {
                        return hashes.contains(hash);
                    }

                    @Override
                    public long count() {
                        return hashes.size();
                    }

                    @Override
                    public long sizeInBits() {
                        return 64L * hashes.size();
                    }

                    @Override
                    public double expectedFpp() {
                        return 0;
                    }

                    @Override
                    public FilterImage image() {
                        long[] words = SectionWords.allocate(hashes.size());
                        int next = SectionWords.FIRST;
                        for (long hash : hashes) {
                            words[next++] = hash;
                        }
                        return FORM.write().set(RATE, rate).set(HASHES, words).image();
                    }
                }
            }
            """;

    @TempDir
    static Path folder = Path.of("");

    /** Compiles the provider into a folder that can stand on a class path. */
    @BeforeAll
    static void compile() throws IOException {
        compile(folder, "Provider", PROVIDER, "foreign.Provider");
    }

    private static void compile(Path into, String file, String text, String provider) throws IOException {
        Path source = Files.writeString(into.resolve(file + ".java"), text);
        StringWriter said = new StringWriter();
        int code = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        new PrintWriter(said),
                        new PrintWriter(said),
                        "-proc:none",
                        "-d",
                        into.toString(),
                        "-cp",
                        OwnProcess.classPath(),
                        source.toString());
        assertThat(code).as(said.toString()).isZero();
        Path services = Files.createDirectories(into.resolve("META-INF/services"));
        Files.writeString(services.resolve("dev.besom.spi.KindProvider"), provider + "\n");
    }

    private static Shell.Result run(Object... arguments) throws Exception {
        return OwnProcess.run(folder, arguments);
    }

    private static Map<String, Object> json(Object... arguments) throws Exception {
        Shell.Result result =
                run(Stream.concat(Stream.of(arguments), Stream.of("--json")).toArray());
        assertThat(result.code()).as(result.err()).isZero();
        return Json.parse(result.out());
    }

    private static Map<String, Object> row(Map<String, Object> document, String kind) {
        return Json.array(document.get("kinds")).stream()
                .map(Json::object)
                .filter(row -> kind.equals(row.get("kind")))
                .findFirst()
                .orElseThrow();
    }

    private static Path keys() throws IOException {
        return Files.write(
                folder.resolve("keys"),
                IntStream.range(0, 5000).mapToObj(i -> "key-" + i % 4000).toList());
    }

    @Test
    void kindsListsThem() throws Exception {
        Map<String, Object> kinds = json("kinds");

        assertThat(row(kinds, "foreign-sorted"))
                .containsEntry("static", "true")
                .containsEntry("insert", "false")
                .containsEntry("family", "other")
                .containsEntry("bitsPerKeyAt1Percent", 64.0);
        assertThat(row(kinds, "foreign-set"))
                .containsEntry("static", "false")
                .containsEntry("insert", "true")
                .containsEntry("paper", "A set of hashes")
                .containsEntry("options", Map.of("colour", "any"));
    }

    @Test
    void bothAreBuiltQueriedAndDescribed() throws Exception {
        for (String kind : List.of("foreign-sorted", "foreign-set")) {
            Path keys = keys();
            Path file = folder.resolve(kind + ".besom");

            assertThat(json("build", "--kind", kind, "--n", 10_000, "-o", file, keys))
                    .containsEntry("keys", 5000.0)
                    .containsEntry("count", 4000.0);
            assertThat(json("query", file, keys)).containsEntry("maybe", 5000.0);
            Map<String, Object> info = json("info", file);
            assertThat(info).containsEntry("kind", kind).containsEntry("count", 4000.0);
            assertThat(Json.object(info.get("sectionWords"))).containsEntry("hashes", 4000.0);
            assertThat(Json.object(info.get("fields")))
                    .isEqualTo(kind.equals("foreign-set") ? Map.of("rate", 0.01) : Map.of());
        }
        // A reader without the jar says what it lacks.
        assertThat(Shell.run("info", folder.resolve("foreign-set.besom")).refusal())
                .contains("kind 'foreign-set' is not known");
    }

    @Test
    void bothAreRacedInJvmsOfTheirOwn() throws Exception {
        Map<String, Object> race = json(
                "race", "--kinds", "foreign-sorted,foreign-set,bloom", "--n", 2000, "--queries", 5000, "--repeat", 0);

        for (String kind : List.of("foreign-sorted", "foreign-set")) {
            assertThat(row(race, kind))
                    .containsEntry("falseNegatives", 0.0)
                    .containsEntry("falsePositives", 0.0)
                    .containsEntry("bitsPerKey", 64.0);
        }
    }

    /** The page that shows it. */
    @Test
    void theKindOfTheDocumentsIsRacedAsWell(@TempDir Path mine) throws Exception {
        String page = Files.readString(Documents.root().resolve("docs/lab.md"));
        List<String> blocks = Documents.blocks(page, "java");
        assertThat(blocks).hasSize(1);
        compile(mine, "MyKinds", blocks.get(0), "com.example.MyKinds");

        Shell.Result result = OwnProcess.run(
                mine,
                "race",
                "--kinds",
                "bloom,my-bits",
                "--n",
                20_000,
                "--fpp",
                0.02,
                "--queries",
                100_000,
                "--repeat",
                0,
                "--json");
        assertThat(result.code()).as(result.err()).isZero();
        Map<String, Object> row = row(Json.parse(result.out()), "my-bits");
        assertThat(row).containsEntry("falseNegatives", 0.0);
        // Six standard deviations of 2000 false positives.
        assertThat(Json.number(row, "falsePositiveRate")).isBetween(0.0173, 0.0227);
    }

    @Test
    void adviceConsidersThem() throws Exception {
        Map<String, Object> advice = json("advise", "--n", 1000, "--fpp", 1e-15, "--static");

        // At such a rate nothing is smaller than whole hashes.
        assertThat(advice.get("kind")).isEqualTo("foreign-sorted");
        assertThat(Json.object(advice.get("runnerUp")).get("kind")).isEqualTo("foreign-set");
        assertThat(String.valueOf(advice.get("code"))).contains("besom build --kind foreign-sorted", "Filters.read(");
    }
}
