package dev.besom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.InsertableFilter;
import dev.besom.KeyFilter;
import dev.besom.LongKeyFilter;
import dev.besom.MalformedFilterException;
import dev.besom.MergeableFilter;
import dev.besom.filters.Filters;
import dev.besom.filters.ShardFolder;
import dev.besom.filters.ShardManifest;
import dev.besom.filters.ShardPlan;
import dev.besom.hash.KeyHasher;
import dev.besom.spi.PersistentFilter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterBuildTest {

    private static final int KEYS = 3000;

    @TempDir
    Path folder = Path.of("");

    private static SparkSession spark() {
        return Session.get();
    }

    /** Each key three times, and as many nulls, in an order that depends on the number of partitions. */
    private static Dataset<Row> table(int partitions) {
        return spark().sql("SELECT IF(id % 4 = 3, null, id DIV 4) AS id, CAST(id DIV 4 AS STRING) AS name"
                        + " FROM range(" + 4 * KEYS + ")")
                .repartition(partitions);
    }

    private static long[] hashes() {
        return LongStream.range(0, KEYS).map(KeyHasher.longs()::hash).toArray();
    }

    private static Map<String, byte[]> files(Path of) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> list = Files.list(of)) {
            for (Path file : list.toList()) {
                files.put(file.getFileName().toString(), Files.readAllBytes(file));
            }
        }
        return files;
    }

    private static void assertSameFiles(Path one, Path other) throws IOException {
        Map<String, byte[]> right = files(other);
        Map<String, byte[]> found = files(one);
        assertThat(found.keySet()).isEqualTo(right.keySet());
        found.forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(right.get(name)));
    }

    @ParameterizedTest
    @CsvSource({"fuse, 1", "fuse, 5", "ribbon, 3", "quotient, 2", "telescoping, 3", "bloom, 2"})
    void aFolderHasTheBytesThatTheCoreAloneWrites(String kind, int partitions) throws IOException {
        Path there = folder.resolve("there");
        BuildReport report =
                FilterBuild.of(table(partitions), "id").kind(kind).shards(3).toFolder(there.toString());
        assertThat(report.rows()).isEqualTo(4 * KEYS);
        assertThat(report.nulls()).isEqualTo(KEYS);
        assertThat(report.count()).isEqualTo(KEYS);
        assertThat(report.shards()).isEqualTo(3);
        Path here = folder.resolve("here");
        new ShardPlan(kind, FilterSpec.of(1, 0.01), KeyHasher.longs().stamp(), 3)
                .writeFolder(here, HashSource.of(hashes()));
        assertSameFiles(there, here);
        LongKeyFilter filter = ShardFolder.open(there).read(KeyHasher.longs());
        assertThat(LongStream.range(0, KEYS).allMatch(filter::mightContain)).isTrue();
        assertThat(LongStream.range(KEYS, 3 * KEYS).filter(filter::mightContain).count())
                .isLessThan(KEYS / 5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bloom", "blocked-bloom", "counting-bloom", "fuse", "quotient"})
    void oneFileHasTheSameBytesWhateverThePartitions(String kind) throws IOException {
        Path first = folder.resolve("first");
        Path second = folder.resolve("second");
        BuildReport report =
                FilterBuild.of(table(1), "id").kind(kind).expectedKeys(KEYS).toFile(first.toString());
        FilterBuild.of(table(7), "id").kind(kind).expectedKeys(KEYS).toFile(second.toString());
        assertThat(second).hasSameBinaryContentAs(first);
        assertThat(report.nulls()).isEqualTo(KEYS);
        assertThat(files(folder).keySet()).containsExactly("first", "second");
        LongKeyFilter filter = Filters.read(first, KeyHasher.longs());
        assertThat(LongStream.range(0, KEYS).allMatch(filter::mightContain)).isTrue();
        assertThat(report.sizeInBytes()).isEqualTo(Files.size(first));
    }

    @Test
    void aMergedFileIsTheFilterOfTheCore() throws IOException {
        Path file = folder.resolve("f");
        FilterBuild.of(table(3), "id").kind("blocked-bloom").expectedKeys(KEYS).toFile(file.toString());
        FilterSpec spec = FilterSpec.of(KEYS, 0.01);
        PersistentFilter here = Filters.makeHashFilter("blocked-bloom", spec);
        ((InsertableFilter) here).insertHashes(hashes(), 0, KEYS);
        PersistentFilter merged = Filters.makeHashFilter("blocked-bloom", spec);
        ((MergeableFilter) merged).mergeFrom((MergeableFilter) here);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Filters.writeHashFilter(merged, KeyHasher.longs().stamp(), bytes);
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes.toByteArray());
    }

    @Test
    void aFileOfOneShardIsWhatTheCoreBuilds() throws IOException {
        Path file = folder.resolve("f");
        FilterBuild.of(table(3), "id").kind("fuse").toFile(file.toString());
        long[] sorted = LongStream.of(hashes())
                .boxed()
                .sorted(Long::compareUnsigned)
                .mapToLong(Long::longValue)
                .toArray();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Filters.writeHashFilter(
                Filters.buildHashFilter("fuse", FilterSpec.of(KEYS, 0.01), HashSource.of(sorted)),
                KeyHasher.longs().stamp(),
                bytes);
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes.toByteArray());
    }

    @Test
    void textsBytesAndSmallNumbersHaveTheHashesOfTheCore() throws IOException {
        Dataset<Row> table = spark().sql("SELECT CAST(id AS INT) AS i, CONCAT('käse-', id) AS t,"
                + " encode(CONCAT('käse-', id), 'UTF-8') AS b FROM range(500)");
        FilterBuild.of(table, "i").toFile(folder.resolve("i").toString());
        FilterBuild.of(table, "t").toFile(folder.resolve("t").toString());
        FilterBuild.of(table, "b").toFile(folder.resolve("b").toString());
        assertThat(folder.resolve("t")).hasSameBinaryContentAs(folder.resolve("b"));
        LongKeyFilter numbers = Filters.read(folder.resolve("i"), KeyHasher.longs());
        KeyFilter<CharSequence> texts = Filters.read(folder.resolve("t"), KeyHasher.utf8());
        for (int i = 0; i < 500; i++) {
            assertThat(numbers.mightContain(i)).isTrue();
            assertThat(texts.mightContain("käse-" + i)).isTrue();
        }
    }

    /** What the comment of {@link dev.besom.spark.keys.KeyColumn} says of structs, done in a plain JVM. */
    private record Seat(long train, String name, String code) {}

    @Test
    void aStructHasTheHashOfItsPartsInOrder() throws IOException {
        Dataset<Row> table = spark().sql("SELECT id AS train, CONCAT('ü', id) AS name, encode('x', 'UTF-8') AS code,"
                + " IF(id = 7, null, id) AS holey FROM range(300)");
        Path file = folder.resolve("f");
        FilterBuild.of(table, functions.struct(functions.col("train"), functions.col("name"), functions.col("code")))
                .toFile(file.toString());
        KeyHasher<Seat> hasher = KeyHasher.of(
                "struct.bigint.string.binary",
                (seat, sink) -> sink.putLong(seat.train())
                        .putText(seat.name())
                        .putBytes(seat.code().getBytes(StandardCharsets.UTF_8)));
        KeyFilter<Seat> seats = Filters.read(file, hasher);
        for (int i = 0; i < 300; i++) {
            assertThat(seats.mightContain(new Seat(i, "ü" + i, "x"))).isTrue();
        }
        BuildReport report = FilterBuild.of(table, functions.struct(functions.col("train"), functions.col("holey")))
                .toFile(folder.resolve("holey").toString());
        assertThat(report.nulls()).isEqualTo(1);
        assertThat(report.count()).isEqualTo(299);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CAST(id AS DOUBLE)", "array(id)", "struct(id, CAST(id AS DATE) AS d)", "struct()"})
    void aColumnWithoutKeysIsNamedByItsType(String column) {
        Dataset<Row> table =
                spark().sql("SELECT " + column.replace("CAST(id AS DATE)", "current_date()") + " AS k FROM range(3)");
        String type = table.schema().fields()[0].dataType().simpleString();
        assertThatThrownBy(() ->
                        FilterBuild.of(table, "k").toFile(folder.resolve("f").toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(type);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void anOutputThatExistsIsRefusedAndLeftAlone() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "mine");
        Path other = Files.createDirectory(folder.resolve("folder"));
        for (Path taken : new Path[] {file, other}) {
            assertThatThrownBy(() -> FilterBuild.of(table(1), "id").toFolder(taken.toString()))
                    .isInstanceOf(FileAlreadyExistsException.class)
                    .hasMessageContaining(taken + " exists already");
            for (String kind : new String[] {"fuse", "bloom"}) {
                assertThatThrownBy(
                                () -> FilterBuild.of(table(1), "id").kind(kind).toFile(taken.toString()))
                        .isInstanceOf(FileAlreadyExistsException.class)
                        .hasMessageContaining(taken + " exists already");
            }
        }
        assertThat(file).hasContent("mine");
        assertThat(other).isEmptyDirectory();
        assertThat(names(folder)).containsExactly("file", "folder");
    }

    private static List<String> names(Path of) throws IOException {
        try (Stream<Path> list = Files.list(of)) {
            return list.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** The first is an error of SQL; the second comes as a checked exception that no method of Spark declares. */
    @ParameterizedTest
    @ValueSource(strings = {"CAST(raise_error('stop') AS BIGINT)", "stop(id)"})
    void aBuildThatFailsLeavesNothing(String failure) throws IOException {
        UDF1<Long, Long> stop = id -> {
            throw new IllegalStateException("stop at " + id);
        };
        spark().udf().register("stop", stop, DataTypes.LongType);
        Dataset<Row> failing = spark().sql("SELECT IF(id = 99, " + failure + ", id) AS id FROM range(0, 100, 1, 3)");
        assertThatThrownBy(() -> FilterBuild.of(failing, "id")
                        .shards(2)
                        .toFolder(folder.resolve("a").toString()))
                .hasStackTraceContaining("stop");
        assertThatThrownBy(() ->
                        FilterBuild.of(failing, "id").toFile(folder.resolve("b").toString()))
                .hasStackTraceContaining("stop");
        assertThatThrownBy(() -> FilterBuild.of(failing, "id")
                        .kind("bloom")
                        .expectedKeys(100)
                        .toFile(folder.resolve("c").toString()))
                .hasStackTraceContaining("stop");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void whatAKilledBuildLeftIsNamedAndLeftAlone() throws IOException {
        Path at = Files.createDirectory(folder.resolve("ids"));
        Path beside = Files.createDirectory(folder.resolve("_f_building"));
        for (Path left : new Path[] {at, beside}) {
            Files.createFile(left.resolve("_building"));
        }
        assertThatThrownBy(() -> FilterBuild.of(table(1), "id").toFolder(at.toString()))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageContaining(at + " exists already: it is being built, or its build was killed");
        for (String kind : new String[] {"fuse", "bloom"}) {
            assertThatThrownBy(() -> FilterBuild.of(table(1), "id")
                            .kind(kind)
                            .toFile(folder.resolve("f").toString()))
                    .isInstanceOf(FileAlreadyExistsException.class)
                    .hasMessageContaining(beside + " exists already: it is being built, or its build was killed");
        }
        assertThat(names(folder)).containsExactly("_f_building", "ids");
        assertThatThrownBy(() -> ShardFolder.open(at)).hasMessageContaining("was not written to its end");
    }

    @Test
    void anOptionThatTheKindDoesNotHaveIsRefusedAtOnce() {
        assertThatThrownBy(() -> FilterBuild.of(table(1), "id")
                        .option("colour", "red")
                        .toFile(folder.resolve("f").toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("colour");
        assertThatThrownBy(() -> FilterBuild.of(table(1), "id").kind("blom")).hasMessageContaining("blom");
    }

    @Test
    void noRowsMakeAnEmptyFilter() throws IOException {
        for (String kind : new String[] {"bloom", "fuse"}) {
            Path file = folder.resolve(kind);
            BuildReport report =
                    FilterBuild.of(table(2).where("id < 0"), "id").kind(kind).toFile(file.toString());
            assertThat(report.count()).isZero();
            assertThat(Filters.read(file, KeyHasher.longs()).mightContain(1)).isFalse();
        }
    }

    @Test
    void aSessionOpensAFolderAndNamesWhatIsMissing() throws IOException {
        Path at = folder.resolve("f");
        FilterBuild.of(table(2), "id").shards(2).toFolder(at.toUri().toString());
        assertThat(FilterBuild.open(spark(), at.toUri().toString())
                        .read(KeyHasher.longs())
                        .mightContain(5))
                .isTrue();
        Files.delete(at.resolve(ShardManifest.fileName(1)));
        assertThatThrownBy(
                        () -> FilterBuild.open(spark(), at.toUri().toString()).readHashFilter())
                .isInstanceOf(MalformedFilterException.class)
                .hasMessageContaining("shard-000001.besom is missing");
    }

    @Test
    void theProgramForSparkSubmitBuilds() throws IOException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Path at = folder.resolve("ids");
        BuildFilter.run(
                spark(),
                new PrintStream(printed, true, StandardCharsets.UTF_8),
                "--sql",
                "SELECT id FROM range(1000)",
                "--column",
                "id",
                "--output",
                at.toString(),
                "--shards",
                "4");
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .startsWith(at + ": 1,000 rows, 0 without a key, 1,000 keys in 4 shards of ");
        assertThat(ShardFolder.open(at).read(KeyHasher.longs()).mightContain(999))
                .isTrue();
        assertThatThrownBy(() -> BuildFilter.run(spark(), System.out, "--colour", "red"))
                .hasMessageContaining("--colour");
    }
}
