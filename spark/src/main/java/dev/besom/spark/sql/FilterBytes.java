package dev.besom.spark.sql;

import dev.besom.MalformedFilterException;
import dev.besom.MembershipFilter;
import dev.besom.filters.FilterFile;
import dev.besom.filters.Filters;
import dev.besom.hash.HasherStamp;
import dev.besom.spark.keys.KeyColumn;
import dev.besom.spi.PersistentFilter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.sql.types.DataType;

/**
 * Filters as values of SQL: the bytes of a filter file, whose first eight say that they are Besom's. Bytes that Spark's own
 * {@code bloom_filter_agg} made do not start so, and are an error and not an answer.
 */
final class FilterBytes {

    /** What Spark's own filters begin with: the number of their version, the highest byte first. */
    private static final int MOST_SPARK_VERSION = 16;

    private FilterBytes() {}

    static byte[] of(PersistentFilter filter, HasherStamp hasher) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(Math.toIntExact(Filters.fileSizeInBytes(filter, hasher)));
        try {
            Filters.writeHashFilter(filter, hasher, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /**
     * A filter and the keys that it is asked for.
     *
     * @param filter of hashes
     * @param keys of the column
     */
    record Bound(MembershipFilter filter, KeyColumn keys) {}

    /**
     * Reads a filter to ask it for keys of a type.
     *
     * @throws IllegalArgumentException if the bytes are no whole filter, or one of other keys
     */
    static Bound read(byte[] bytes, DataType keyType) {
        FilterFile file;
        ByteArrayInputStream in = new ByteArrayInputStream(bytes);
        try {
            file = Filters.readHashFilter(in);
        } catch (MalformedFilterException e) {
            throw new IllegalArgumentException(
                    MightContain.NAME + ": the bytes are no whole Besom filter"
                            + (looksLikeSpark(bytes) ? " but look like one of Spark's bloom_filter_agg" : "") + ": "
                            + e.getMessage(),
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (in.available() > 0) {
            throw new IllegalArgumentException(MightContain.NAME + ": bytes follow the end of the filter");
        }
        try {
            return new Bound(file.filter(), KeyColumn.matching(keyType, file.hasher()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(MightContain.NAME + ": " + e.getMessage(), e);
        }
    }

    private static boolean looksLikeSpark(byte[] bytes) {
        return bytes.length >= 4
                && bytes[0] == 0
                && bytes[1] == 0
                && bytes[2] == 0
                && bytes[3] > 0
                && bytes[3] <= MOST_SPARK_VERSION;
    }
}
