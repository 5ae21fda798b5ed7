package dev.besom.testkit;

import dev.besom.Adaptation;
import dev.besom.AdaptationStatistics;
import dev.besom.AdaptiveFilter;
import dev.besom.ConcurrentFilter;
import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.MergeableFilter;
import dev.besom.ShareableFilter;
import dev.besom.StoredHashes;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A plain and sound filter with every capability, for tests to break: a table of counters indexed by the first bits of
 * a hash, and the exact set of repaired hashes.
 */
class ToyFilter implements AdaptiveFilter, MergeableFilter, ShareableFilter, ConcurrentFilter {

    private static final int USUAL_WIDTH = 15;
    private static final int COUNTER_BITS = 4;
    private static final int LARGEST_COUNTER = 15;

    private final int width;
    private final int[] counters;
    final Set<Long> repaired = new HashSet<>();
    FilterSpec spec = FilterSpec.of(1, 0.5);
    StoredHashes stored = StoredHashes.none();
    volatile @Nullable Object garbage;

    private long keys;
    private long repairs;
    private long inseparable;
    private long rangeReads;

    ToyFilter() {
        this(USUAL_WIDTH);
    }

    ToyFilter(int width) {
        this.width = width;
        this.counters = new int[1 << width];
    }

    static Subject subject(Supplier<ToyFilter> maker) {
        return Subject.of("toy", ToyFilter.class, FilterSpec.of(2_000, 0.1), (spec, stored) -> {
            ToyFilter filter = maker.get();
            filter.spec = spec;
            filter.stored = stored;
            return filter;
        });
    }

    private int place(long hash) {
        return (int) (hash >>> (Long.SIZE - width));
    }

    @Override
    public boolean mightContainHash(long hash) {
        return counters[place(hash)] > 0 && (repaired.isEmpty() || !repaired.contains(hash));
    }

    @Override
    public boolean insertHash(long hash) {
        synchronized (counters) {
            boolean isNew = !mightContainHash(hash);
            raise(hash);
            keys++;
            forgetRepair(hash);
            return isNew;
        }
    }

    @Override
    public ConcurrentFilter shared() {
        return this;
    }

    final void raise(long hash) {
        if (counters[place(hash)] == LARGEST_COUNTER) {
            throw new FilterFullException("a counter is at its end");
        }
        counters[place(hash)]++;
    }

    final void lower(long hash) {
        counters[place(hash)] = Math.max(0, counters[place(hash)] - 1);
    }

    void forgetRepair(long hash) {
        repaired.remove(hash);
    }

    boolean isStored(long hash) {
        rangeReads++;
        return stored.between(hash, hash).length > 0;
    }

    @Override
    public boolean deleteHash(long hash) {
        if (counters[place(hash)] == 0 || !isStored(hash)) {
            return false;
        }
        lower(hash);
        keys--;
        return true;
    }

    @Override
    public Adaptation repairHash(long hash) {
        if (!mightContainHash(hash)) {
            return Adaptation.FIXED;
        }
        if (isStored(hash)) {
            inseparable++;
            return Adaptation.INSEPARABLE;
        }
        repairs++;
        repaired.add(hash);
        return Adaptation.FIXED;
    }

    @Override
    public AdaptationStatistics adaptationStatistics() {
        return new AdaptationStatistics(repairs, 0, inseparable, rangeReads);
    }

    @Override
    public void mergeFrom(MergeableFilter other) {
        checkKind(other);
        ToyFilter same = (ToyFilter) other;
        checkSeed(same);
        if (spec.capacity() != same.spec.capacity()) {
            throw new IllegalArgumentException("capacities differ");
        }
        takeIn(same);
    }

    void checkKind(MergeableFilter other) {
        if (!(other instanceof ToyFilter)) {
            throw new IllegalArgumentException("a toy and a " + other.getClass().getSimpleName());
        }
    }

    void checkSeed(ToyFilter other) {
        if (spec.seed() != other.spec.seed()) {
            throw new IllegalArgumentException("seeds differ");
        }
    }

    void takeIn(ToyFilter other) {
        for (int i = 0; i < counters.length; i++) {
            counters[i] = Math.min(LARGEST_COUNTER, counters[i] + other.counters[i]);
        }
        keys += other.keys;
        repaired.clear();
    }

    @Override
    public long count() {
        return keys;
    }

    @Override
    public long sizeInBits() {
        return (long) COUNTER_BITS << width;
    }

    @Override
    public double expectedFpp() {
        int used = 0;
        for (int counter : counters) {
            used += counter > 0 ? 1 : 0;
        }
        return (double) used / counters.length;
    }
}
