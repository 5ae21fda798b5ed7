package dev.besom.spark.sql;

import dev.besom.FilterSpec;
import dev.besom.MergeableFilter;
import dev.besom.StoredHashes;
import dev.besom.filters.FilterFile;
import dev.besom.filters.Filters;
import dev.besom.filters.ShardPlan;
import dev.besom.hash.HasherStamp;
import dev.besom.spi.PersistentFilter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A filter in the making: the hashes themselves where nobody said how many keys to expect, and a Bloom filter of the right
 * size from the start where somebody did.
 *
 * <pre>
 *   serialized    | 0 | hash | hash | ...        or    | 1 | the bytes of a filter file |
 * </pre>
 *
 * Either way the filter's bytes follow from the set of hashes and from nothing else.
 */
final class AggregateBuffer {

    /** The most hashes that are kept: 128 MiB. Beyond it somebody has to say how many keys there are. */
    static final int MOST_HASHES = 1 << 24;

    private static final String KIND = "blocked-bloom";
    private static final byte HASHES = 0;
    private static final byte FILTER = 1;
    private static final int FIRST_ROOM = 64;

    private final double fpp;
    private final HasherStamp hasher;
    private final long expectedKeys;
    private final int mostHashes;
    private @Nullable MergeableFilter filter;
    private long[] hashes = {};
    private int count;

    /** @param expectedKeys 0 where nobody knows */
    AggregateBuffer(double fpp, long expectedKeys, HasherStamp hasher) {
        this(fpp, expectedKeys, hasher, MOST_HASHES);
    }

    AggregateBuffer(double fpp, long expectedKeys, HasherStamp hasher, int mostHashes) {
        this.fpp = fpp;
        this.expectedKeys = expectedKeys;
        this.hasher = hasher;
        this.mostHashes = mostHashes;
        this.filter = expectedKeys > 0 ? empty() : null;
    }

    private MergeableFilter empty() {
        return (MergeableFilter) Filters.makeHashFilter(KIND, FilterSpec.of(expectedKeys, fpp));
    }

    void addHash(long hash) {
        MergeableFilter filled = filter;
        if (filled != null) {
            filled.insertHash(hash);
            return;
        }
        if (count == hashes.length) {
            makeRoom();
        }
        hashes[count++] = hash;
    }

    private void makeRoom() {
        compact();
        // Half of it free, or a third at the limit, so that sorting costs a constant number of passes for each hash.
        if (count >= hashes.length / 2) {
            long room = Math.max(FIRST_ROOM, 2L * hashes.length);
            hashes = Arrays.copyOf(hashes, (int) Math.min(room, mostHashes + mostHashes / 2 + 1));
        }
    }

    /** Keeps each hash once. */
    private void compact() {
        Arrays.sort(hashes, 0, count);
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (kept == 0 || hashes[kept - 1] != hashes[i]) {
                hashes[kept++] = hashes[i];
            }
        }
        count = kept;
        if (count > mostHashes) {
            throw new IllegalStateException(FilterAggregate.NAME + ": there are more than " + mostHashes
                    + " different keys: say how many to expect by a third argument");
        }
    }

    void merge(AggregateBuffer other) {
        MergeableFilter filled = filter;
        MergeableFilter others = other.filter;
        if (filled != null && others != null) {
            filled.mergeFrom(others);
            return;
        }
        for (int i = 0; i < other.count; i++) {
            addHash(other.hashes[i]);
        }
    }

    byte[] serialize() {
        MergeableFilter filled = filter;
        if (filled != null) {
            byte[] bytes = FilterBytes.of((PersistentFilter) filled, hasher);
            byte[] tagged = new byte[bytes.length + 1];
            tagged[0] = FILTER;
            System.arraycopy(bytes, 0, tagged, 1, bytes.length);
            return tagged;
        }
        compact();
        ByteBuffer buffer = ByteBuffer.allocate(1 + count * Long.BYTES).put(HASHES);
        for (int i = 0; i < count; i++) {
            buffer.putLong(hashes[i]);
        }
        return buffer.array();
    }

    /** Takes over what another buffer {@linkplain #serialize() wrote}. */
    void deserialize(byte[] bytes) {
        if (bytes[0] == FILTER) {
            try {
                FilterFile file = Filters.readHashFilter(
                        new ByteArrayInputStream(bytes, 1, bytes.length - 1), StoredHashes.none());
                filter = (MergeableFilter) file.filter();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return;
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
        while (buffer.hasRemaining()) {
            addHash(buffer.getLong());
        }
    }

    /** The bytes of the filter. */
    byte[] toFilterBytes() {
        MergeableFilter filled = filter;
        if (filled == null) {
            compact();
            ShardPlan plan = new ShardPlan(KIND, FilterSpec.of(1, fpp), hasher, 1);
            return FilterBytes.of(plan.build(hashes, count).filter(), hasher);
        }
        // A merge counts keys by the bits that are set, and inserts count those that were new: so it ends with a merge.
        MergeableFilter merged = empty();
        merged.mergeFrom(filled);
        return FilterBytes.of((PersistentFilter) merged, hasher);
    }
}
