package dev.besom.spark.build;

import dev.besom.FilterSpec;
import dev.besom.filters.Filters;
import dev.besom.filters.ShardManifest;
import dev.besom.filters.ShardPlan;
import dev.besom.spark.keys.KeyColumn;
import dev.besom.spi.PersistentFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * The driver's part of a build. Files that tasks have written count when the driver has given them their names; a sharded
 * filter counts when it has its manifest, which comes last. What fails on the way takes its files along.
 */
public final class ClusterBuild {

    /**
     * The kinds that are merged: those in which neither the order of keys nor that of merges shows. All others, kinds of
     * other jars included, are built in the order of hashes, in which nothing else shows either.
     */
    private static final Set<String> MERGED = Set.of("bloom", "blocked-bloom", "counting-bloom");

    private static final String ATTEMPTS = "_attempts";
    private static final int MERGE_DEPTH = 2;

    private final JavaRDD<InternalRow> rows;
    private final KeyColumn keys;
    private final OutputFiles files;

    /**
     * A build from rows that have the key as their first field.
     *
     * @param rows their objects may be used anew for each
     */
    public ClusterBuild(JavaRDD<InternalRow> rows, KeyColumn keys, OutputFiles files) {
        this.rows = rows;
        this.keys = keys;
        this.files = files;
    }

    /**
     * A filter that was written.
     *
     * @param totals what was seen of the column
     * @param count the keys in the filter, as far as its kind can count
     * @param sizeInBytes of all its files but the manifest
     */
    public record Result(Totals totals, long count, long sizeInBytes) {}

    /** Whether filters of a kind are merged, so that their size has to be known before. */
    public static boolean isMerged(String kind) {
        return MERGED.contains(kind);
    }

    /**
     * Sees to it that there is nothing of a name.
     *
     * @throws org.apache.hadoop.fs.FileAlreadyExistsException if there is; the message names it
     */
    public void requireAbsent(Path path) throws IOException {
        files.requireAbsent(path);
    }

    /** Merges the filters of all partitions in a tree and writes the last one to a file. */
    public Result mergeToFile(Path file, String kind, FilterSpec spec) throws IOException {
        files.requireAbsent(file);
        Path attempts = temporary(file);
        files.begin(attempts);
        try {
            PartialFilter all = merge(kind, spec);
            PersistentFilter filter = all.toFilter(kind, spec);
            Path written = new Path(attempts, file.getName());
            files.write(written, out -> {
                Filters.writeHashFilter(filter, keys.stamp(), out);
                return filter;
            });
            files.rename(written, file);
            return new Result(all.totals(), filter.count(), Filters.fileSizeInBytes(filter, keys.stamp()));
        } finally {
            files.delete(attempts);
        }
    }

    private PartialFilter merge(String kind, FilterSpec spec) {
        KeyColumn column = keys;
        double fpp = spec.fpp();
        long seed = spec.seed();
        long capacity = spec.capacity();
        TreeMap<String, String> options = new TreeMap<>(spec.options());
        return rows.mapPartitions(partition -> List.of(
                                PartialFilter.of(partition, column, kind, new FilterSpec(capacity, fpp, seed, options)))
                        .iterator())
                .treeReduce(PartialFilter::mergedWith, MERGE_DEPTH);
    }

    /** Builds the one shard of a plan and writes it as a filter file. */
    public Result buildToFile(Path file, ShardPlan plan) throws IOException {
        files.requireAbsent(file);
        Path attempts = temporary(file);
        files.begin(attempts);
        try {
            ShardTask.Written written = buildShards(plan, attempts).get(0);
            files.rename(new Path(written.attemptFile()), file);
            return new Result(written.totals(), written.count(), written.sizeInBytes());
        } finally {
            files.delete(attempts);
        }
    }

    /** Builds all shards of a plan and writes them to a folder with a manifest. */
    public Result buildToFolder(Path folder, ShardPlan plan) throws IOException {
        files.begin(folder);
        try {
            Path attempts = new Path(folder, ATTEMPTS);
            files.begin(attempts);
            List<ShardTask.Written> shards = buildShards(plan, attempts);
            for (int shard = 0; shard < shards.size(); shard++) {
                files.rename(
                        new Path(shards.get(shard).attemptFile()), new Path(folder, ShardManifest.fileName(shard)));
            }
            files.delete(attempts);
            ShardManifest manifest = new ShardManifest(
                    plan.kind(),
                    plan.hasher(),
                    shards.stream().map(ShardTask.Written::entry).toList());
            Path temporary = new Path(folder, OutputFiles.MARK);
            files.delete(temporary);
            files.write(temporary, out -> {
                manifest.writeTo(out);
                return manifest;
            });
            files.rename(temporary, new Path(folder, ShardManifest.FILE_NAME));
            return new Result(shards.get(0).totals(), manifest.count(), manifest.sizeInBytes());
        } catch (Throwable e) {
            // Spark throws checked exceptions that its methods do not declare.
            deleteAfter(e, folder);
            throw e;
        }
    }

    private List<ShardTask.Written> buildShards(ShardPlan plan, Path attempts) throws IOException {
        ShardTask task = new ShardTask(plan, keys, files, files.qualified(attempts));
        return new ArrayList<>(rows.mapPartitionsToPair(task::hash)
                .partitionBy(new ShardPartitioner(plan.shardCount()))
                .mapPartitionsWithIndex((shard, chunks) -> task.build(shard, chunks), true)
                .collect());
    }

    /** A name beside a file, which no filter has. */
    private static Path temporary(Path file) {
        return new Path(file.getParent(), "_" + file.getName() + OutputFiles.MARK);
    }

    private void deleteAfter(Throwable failure, Path path) {
        try {
            files.delete(path);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }
}
