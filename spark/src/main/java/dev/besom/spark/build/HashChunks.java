package dev.besom.spark.build;

import dev.besom.filters.ShardPlan;
import dev.besom.spark.keys.KeyColumn;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * The hashes of a partition's keys on their way to the shards: eight bytes a key, many of them in one record of the shuffle.
 *
 * <pre>
 *   record    | shard | hash | hash | ... |          and one last record    | -1 | rows | keys |
 * </pre>
 *
 * What the last record says of the partition is counted where it arrives, so that a task that runs twice counts once.
 */
final class HashChunks implements Iterator<Tuple2<Integer, byte[]>> {

    /** The shard in the record that counts; it is sent to shard 0. */
    static final int COUNTS = -1;

    /** The most bytes that wait in all shards of a task. */
    private static final int MOST_WAITING_BYTES = 64 << 20;

    private static final int MOST_CHUNK_HASHES = 1 << 13;
    private static final int LEAST_CHUNK_HASHES = 16;

    private final Iterator<InternalRow> rows;
    private final KeyColumn keys;
    private final ShardPlan plan;
    private final int chunkHashes;
    private final @Nullable ByteBuffer[] waiting;
    private long rowCount;
    private long keyCount;
    /** The shard whose hashes are sent next, when there are no more rows. */
    private int flushed;

    private boolean isCounted;
    private @Nullable Tuple2<Integer, byte[]> ready;

    HashChunks(Iterator<InternalRow> rows, KeyColumn keys, ShardPlan plan) {
        this.rows = rows;
        this.keys = keys;
        this.plan = plan;
        this.chunkHashes = Math.max(
                LEAST_CHUNK_HASHES, Math.min(MOST_CHUNK_HASHES, MOST_WAITING_BYTES / Long.BYTES / plan.shardCount()));
        this.waiting = new ByteBuffer[plan.shardCount()];
    }

    @Override
    public boolean hasNext() {
        if (ready == null) {
            ready = findNext();
        }
        return ready != null;
    }

    @Override
    public Tuple2<Integer, byte[]> next() {
        if (!hasNext() || ready == null) {
            throw new NoSuchElementException();
        }
        Tuple2<Integer, byte[]> next = ready;
        ready = null;
        return next;
    }

    private @Nullable Tuple2<Integer, byte[]> findNext() {
        while (rows.hasNext()) {
            InternalRow row = rows.next();
            rowCount++;
            if (!keys.isKeyAt(row, 0)) {
                continue;
            }
            keyCount++;
            long hash = keys.hashAt(row, 0);
            int shard = plan.shardOf(hash);
            ByteBuffer chunk = waiting[shard];
            if (chunk == null) {
                chunk = ByteBuffer.allocate(chunkHashes * Long.BYTES);
                waiting[shard] = chunk;
            }
            chunk.putLong(hash);
            if (!chunk.hasRemaining()) {
                waiting[shard] = null;
                return new Tuple2<>(shard, chunk.array());
            }
        }
        while (flushed < waiting.length) {
            int shard = flushed++;
            ByteBuffer chunk = waiting[shard];
            waiting[shard] = null;
            if (chunk != null) {
                byte[] hashes = new byte[chunk.position()];
                chunk.flip().get(hashes);
                return new Tuple2<>(shard, hashes);
            }
        }
        if (isCounted) {
            return null;
        }
        isCounted = true;
        return new Tuple2<>(
                COUNTS,
                ByteBuffer.allocate(2 * Long.BYTES)
                        .putLong(rowCount)
                        .putLong(keyCount)
                        .array());
    }
}
