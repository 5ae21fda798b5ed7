package dev.besom.spark.build;

import dev.besom.FilterSpec;
import dev.besom.filters.ShardManifest;
import dev.besom.filters.ShardPlan;
import dev.besom.hash.HasherStamp;
import dev.besom.spark.keys.KeyColumn;
import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.Tuple2;

/**
 * What the tasks of a build in hash order do: those of the first stage send the hashes of their keys to the shards, each of
 * the second builds one shard and writes it to a file of its attempt's own. Which attempt counts, the driver decides.
 *
 * <p>A task holds the hashes of its shard in memory, eight bytes a row of it, with up to half as much again while they arrive,
 * and then what the kind needs to build.
 */
final class ShardTask implements Serializable {

    private static final int FIRST_ROOM = 1 << 12;

    private final String kind;
    private final double fpp;
    private final long seed;
    private final TreeMap<String, String> options;
    private final String hasherId;
    private final long hasherSeed;
    private final int shardCount;
    private final KeyColumn keys;
    private final OutputFiles files;
    private final String attempts;

    ShardTask(ShardPlan plan, KeyColumn keys, OutputFiles files, Path attempts) {
        this.kind = plan.kind();
        this.fpp = plan.spec().fpp();
        this.seed = plan.spec().seed();
        this.options = new TreeMap<>(plan.spec().options());
        this.hasherId = plan.hasher().id();
        this.hasherSeed = plan.hasher().seed();
        this.shardCount = plan.shardCount();
        this.keys = keys;
        this.files = files;
        this.attempts = attempts.toString();
    }

    private ShardPlan plan() {
        return new ShardPlan(
                kind,
                new FilterSpec(1, fpp, seed, Map.copyOf(options)),
                new HasherStamp(hasherId, hasherSeed),
                shardCount);
    }

    /**
     * A shard that was written.
     *
     * @param attemptFile its file
     * @param count its keys
     * @param sizeInBytes of the file
     * @param sha256 of the file
     * @param totals the rows and the keys of all partitions; in shard 0 alone
     */
    record Written(String attemptFile, long count, long sizeInBytes, String sha256, Totals totals)
            implements Serializable {

        ShardManifest.Entry entry() {
            return new ShardManifest.Entry(count, sizeInBytes, sha256);
        }
    }

    Iterator<Tuple2<Integer, byte[]>> hash(Iterator<InternalRow> rows) {
        return new HashChunks(rows, keys, plan());
    }

    Iterator<Written> build(int shard, Iterator<Tuple2<Integer, byte[]>> chunks) throws IOException {
        long[] hashes = new long[FIRST_ROOM];
        int count = 0;
        Totals totals = Totals.NONE;
        while (chunks.hasNext()) {
            Tuple2<Integer, byte[]> chunk = chunks.next();
            ByteBuffer numbers = ByteBuffer.wrap(chunk._2());
            if (chunk._1() == HashChunks.COUNTS) {
                totals = totals.plus(new Totals(numbers.getLong(), numbers.getLong()));
                continue;
            }
            int more = numbers.remaining() / Long.BYTES;
            if (count > hashes.length - more) {
                hashes = Arrays.copyOf(hashes, grown(shard, hashes.length, (long) count + more));
            }
            numbers.asLongBuffer().get(hashes, count, more);
            count += more;
        }
        ShardPlan plan = plan();
        ShardPlan.Shard built = plan.build(hashes, count);
        Path file = new Path(
                attempts,
                ShardManifest.fileName(shard) + "." + TaskContext.get().taskAttemptId());
        ShardManifest.Entry entry = files.write(file, out -> plan.write(built, out));
        return List.of(new Written(file.toString(), entry.count(), entry.sizeInBytes(), entry.sha256(), totals))
                .iterator();
    }

    private int grown(int shard, int room, long needed) {
        if (needed > Integer.MAX_VALUE - 8) {
            throw new IllegalStateException("shard " + shard + " of " + shardCount + " has more than " + room
                    + " keys: build with more shards");
        }
        return (int) Math.min(Integer.MAX_VALUE - 8, Math.max(needed, room + (long) (room >> 1)));
    }
}
