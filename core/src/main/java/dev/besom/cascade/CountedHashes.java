package dev.besom.cascade;

import dev.besom.StoredHashes;
import dev.besom.adaptive.RepairCounts;
import java.util.function.LongConsumer;

/** Stored hashes that count how often they are read. */
final class CountedHashes implements StoredHashes {

    private final StoredHashes stored;
    private final RepairCounts counts = new RepairCounts();

    CountedHashes(StoredHashes stored) {
        this.stored = stored;
    }

    @Override
    public void forEachBetween(long lo, long hi, LongConsumer action) {
        counts.countRangeRead();
        stored.forEachBetween(lo, hi, action);
    }

    @Override
    public long[] between(long lo, long hi) {
        counts.countRangeRead();
        return stored.between(lo, hi);
    }

    @Override
    public long count() {
        return stored.count();
    }

    boolean contains(long hash) {
        return between(hash, hash).length > 0;
    }

    /** Where reads are counted, and answers of repairs beside them. */
    RepairCounts counts() {
        return counts;
    }
}
