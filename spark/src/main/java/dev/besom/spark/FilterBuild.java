package dev.besom.spark;

import dev.besom.FilterSpec;
import dev.besom.filters.Filters;
import dev.besom.filters.ShardFolder;
import dev.besom.filters.ShardPlan;
import dev.besom.hash.KeyHasher;
import dev.besom.spark.build.ClusterBuild;
import dev.besom.spark.build.OutputFiles;
import dev.besom.spark.keys.KeyColumn;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/**
 * Builds a filter from a column of a table: of the type bigint (or a smaller whole number), string, binary, or a struct of
 * those.
 *
 * <pre>{@code
 *   FilterBuild.of(table, "id").kind("fuse").fpp(0.01).toFolder("hdfs:///filters/ids");
 *   LongKeyFilter ids = FilterBuild.open(spark, "hdfs:///filters/ids").read(KeyHasher.longs());
 * }</pre>
 *
 * <b>One file or a folder of shards.</b> {@link #toFile} is for what one machine can hold; {@link #toFolder} for any number of
 * keys: each task builds the shard of one range of hashes and writes it where the folder is.
 *
 * <p>The same keys give the same bytes, whatever the partitions of the table and the order of its rows: {@code bloom},
 * {@code blocked-bloom} and {@code counting-bloom} filters to one file are merged in a tree, all others are built in the
 * order of their hashes. A key of several rows is in the filter once; a {@code counting-bloom} filter that is merged counts
 * each.
 *
 * <p>Rows without a key are left out and counted. A file or folder that exists is refused before anything is computed. A build
 * that fails leaves nothing that could be taken for a filter.
 */
public final class FilterBuild {

    /** How many keys a shard is planned for: their hashes take 128 MiB. */
    private static final long KEYS_PER_SHARD = 1 << 24;

    private static final String KEY = "key";
    private static final String CLASSIC = "org.apache.spark.sql.classic.";
    private static final String DEFAULT_KIND = "fuse";
    private static final double DEFAULT_FPP = 0.01;

    private final Dataset<Row> keys;
    private String kind = DEFAULT_KIND;
    private FilterSpec spec = FilterSpec.of(1, DEFAULT_FPP);
    private long hasherSeed = KeyHasher.DEFAULT_SEED;
    private long expectedKeys;
    private int shards;

    private FilterBuild(Dataset<Row> keys) {
        this.keys = keys;
    }

    /** A build from a column by its name. */
    public static FilterBuild of(Dataset<?> table, String column) {
        return of(table, functions.col(column));
    }

    /** A build from a column, or from several by {@code functions.struct}. */
    public static FilterBuild of(Dataset<?> table, Column column) {
        return new FilterBuild(table.select(column.as(KEY)));
    }

    /**
     * Opens a folder that {@link #toFolder} has written, wherever the session can read. In a JVM without Spark
     * {@link ShardFolder#open(java.nio.file.Path)} does the same for a folder of the file system.
     *
     * @throws IllegalStateException if the session is one of Spark Connect
     */
    public static ShardFolder open(SparkSession session, String folder) throws IOException {
        requireClassic(session, "a folder is opened", "ShardFolder.open reads it");
        OutputFiles files = new OutputFiles(session.sparkContext().hadoopConfiguration());
        return ShardFolder.open(folder, name -> files.open(new Path(folder, name)));
    }

    /**
     * The kind of filter, a name that {@code besom kinds} lists; {@code fuse} by default.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    public FilterBuild kind(String newKind) {
        kind = Filters.kind(newKind).name();
        return this;
    }

    /** The false-positive rate; 0.01 by default. */
    public FilterBuild fpp(double fpp) {
        spec = spec.withFpp(fpp);
        return this;
    }

    /** The seed of the filter's own choices; 0 by default. */
    public FilterBuild seed(long seed) {
        spec = spec.withSeed(seed);
        return this;
    }

    /** The seed of the hasher; {@link KeyHasher#DEFAULT_SEED} by default. */
    public FilterBuild hasherSeed(long seed) {
        hasherSeed = seed;
        return this;
    }

    /** An option of the kind. */
    public FilterBuild option(String name, String value) {
        spec = spec.with(name, value);
        return this;
    }

    /**
     * How many different keys to expect. By default rows are counted first, which reads the table twice where the number is
     * needed: for a filter that is merged, and for the number of shards.
     */
    public FilterBuild expectedKeys(long keyCount) {
        if (keyCount < 1) {
            throw new IllegalArgumentException("the expected number of keys must be at least 1, not " + keyCount);
        }
        expectedKeys = keyCount;
        return this;
    }

    /** How many shards a folder has; by default one for each 16,777,216 keys. */
    public FilterBuild shards(int count) {
        shards = count;
        return this;
    }

    /**
     * Builds a filter and writes it to one file.
     *
     * @param file a path of any file system that the session knows
     * @throws org.apache.hadoop.fs.FileAlreadyExistsException if there is something of that name
     * @throws IllegalArgumentException if the column has no keys, or the kind cannot be as it should
     * @throws IllegalStateException if the table is one of Spark Connect
     */
    public BuildReport toFile(String file) throws IOException {
        KeyColumn column = column();
        ClusterBuild build = build(column);
        Path path = new Path(file);
        build.requireAbsent(path);
        if (ClusterBuild.isMerged(kind)) {
            return report(build.mergeToFile(path, kind, spec.withCapacity(Math.max(1, keyCount()))), 1);
        }
        return report(build.buildToFile(path, new ShardPlan(kind, spec, column.stamp(), 1)), 1);
    }

    /**
     * Builds a sharded filter and writes it to a folder, which is made.
     *
     * @param folder a path of any file system that the session and its executors know
     * @throws org.apache.hadoop.fs.FileAlreadyExistsException if there is something of that name
     * @throws IllegalArgumentException if the column has no keys, or the kind cannot be as it should
     * @throws IllegalStateException if the table is one of Spark Connect
     */
    public BuildReport toFolder(String folder) throws IOException {
        KeyColumn column = column();
        ClusterBuild build = build(column);
        build.requireAbsent(new Path(folder));
        int count =
                shards > 0 ? shards : Math.toIntExact(Math.max(1, (keyCount() + KEYS_PER_SHARD - 1) / KEYS_PER_SHARD));
        ShardPlan plan = new ShardPlan(kind, spec, column.stamp(), count);
        return report(build.buildToFolder(new Path(folder), plan), count);
    }

    private KeyColumn column() {
        requireClassic(keys, "a filter is built", "besom_agg makes one");
        return KeyColumn.of(keys.schema().fields()[0].dataType(), hasherSeed);
    }

    /** A client of Spark Connect lacks the classes that all else here stands on. */
    private static void requireClassic(Object sessionOrTable, String what, String otherwise) {
        if (!sessionOrTable.getClass().getName().startsWith(CLASSIC)) {
            throw new IllegalStateException(
                    what + " by a session of its own, not through Spark Connect: there " + otherwise);
        }
    }

    private ClusterBuild build(KeyColumn column) {
        // What is wrong with the options is said before anything begins.
        new ShardPlan(kind, spec, column.stamp(), 1).build(new long[0], 0);
        return new ClusterBuild(
                ((org.apache.spark.sql.classic.Dataset<Row>) keys)
                        .queryExecution()
                        .toRdd()
                        .toJavaRDD(),
                column,
                new OutputFiles(keys.sparkSession().sessionState().newHadoopConf()));
    }

    private long keyCount() {
        return expectedKeys > 0
                ? expectedKeys
                : keys.where(keys.col(KEY).isNotNull()).count();
    }

    private static BuildReport report(ClusterBuild.Result result, int shards) {
        return new BuildReport(
                result.totals().rows(),
                result.totals().rows() - result.totals().keys(),
                result.count(),
                shards,
                result.sizeInBytes());
    }
}
