package dev.besom.spark.build;

import dev.besom.FilterSpec;
import dev.besom.MergeableFilter;
import dev.besom.filters.Filters;
import dev.besom.hash.HasherStamp;
import dev.besom.spark.keys.KeyColumn;
import dev.besom.spi.PersistentFilter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/** The filter of a part of the rows, which is merged with others until it is that of all. Without keys it takes no room. */
final class PartialFilter implements Serializable {

    private static final int BATCH = 1024;

    private transient @Nullable MergeableFilter filter;
    private Totals totals = Totals.NONE;

    private PartialFilter() {}

    /** The filter of a partition. */
    static PartialFilter of(Iterator<InternalRow> rows, KeyColumn keys, String kind, FilterSpec spec) {
        PartialFilter part = new PartialFilter();
        long[] hashes = new long[BATCH];
        int count = 0;
        long rowCount = 0;
        long keyCount = 0;
        while (rows.hasNext()) {
            InternalRow row = rows.next();
            rowCount++;
            if (!keys.isKeyAt(row, 0)) {
                continue;
            }
            keyCount++;
            hashes[count++] = keys.hashAt(row, 0);
            if (count == BATCH) {
                part.insert(hashes, count, kind, spec);
                count = 0;
            }
        }
        if (count > 0) {
            part.insert(hashes, count, kind, spec);
        }
        part.totals = new Totals(rowCount, keyCount);
        return part;
    }

    private void insert(long[] hashes, int count, String kind, FilterSpec spec) {
        MergeableFilter filled = filter;
        if (filled == null) {
            filled = empty(kind, spec);
            filter = filled;
        }
        filled.insertHashes(hashes, 0, count);
    }

    private static MergeableFilter empty(String kind, FilterSpec spec) {
        return (MergeableFilter) Filters.makeHashFilter(kind, spec);
    }

    PartialFilter mergedWith(PartialFilter other) {
        PartialFilter merged = new PartialFilter();
        MergeableFilter mine = filter;
        MergeableFilter others = other.filter;
        if (mine != null && others != null) {
            mine.mergeFrom(others);
        }
        merged.filter = mine == null ? others : mine;
        merged.totals = totals.plus(other.totals);
        return merged;
    }

    Totals totals() {
        return totals;
    }

    /**
     * The filter of all rows. A merge counts keys by what it sees of them, and an insert those that were new: it ends with a
     * merge, so that the count does not depend on how the rows were divided.
     */
    PersistentFilter toFilter(String kind, FilterSpec spec) {
        MergeableFilter all = empty(kind, spec);
        MergeableFilter mine = filter;
        if (mine != null) {
            all.mergeFrom(mine);
        }
        return (PersistentFilter) all;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
        out.defaultWriteObject();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        MergeableFilter mine = filter;
        if (mine != null) {
            Filters.writeHashFilter((PersistentFilter) mine, HasherStamp.NONE, bytes);
        }
        out.writeInt(bytes.size());
        bytes.writeTo(out);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.defaultReadObject();
        byte[] bytes = in.readNBytes(in.readInt());
        filter = bytes.length == 0
                ? null
                : (MergeableFilter)
                        Filters.readHashFilter(new ByteArrayInputStream(bytes)).filter();
    }
}
