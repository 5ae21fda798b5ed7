package dev.besom.filters;

import dev.besom.Adaptation;
import dev.besom.AdaptiveFilter;
import dev.besom.AdaptiveKeyFilter;
import dev.besom.ConcurrentFilter;
import dev.besom.DeletableFilter;
import dev.besom.DeletableKeyFilter;
import dev.besom.GrowableFilter;
import dev.besom.GrowableKeyFilter;
import dev.besom.InsertableFilter;
import dev.besom.InsertableKeyFilter;
import dev.besom.KeyFilter;
import dev.besom.MembershipFilter;
import dev.besom.MergeableFilter;
import dev.besom.MergeableKeyFilter;
import dev.besom.ShareableFilter;
import dev.besom.StoredHashes;
import dev.besom.codec.FilterCodec;
import dev.besom.hash.KeyHasher;
import dev.besom.spi.PersistentFilter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** A hasher and a filter of hashes; a subclass for each capability, so that a filter has the types of what it can do. */
class BoundKeyFilter<F extends MembershipFilter, K> implements KeyFilter<K> {

    /** How many hashes are handed to a bulk operation at a time. */
    static final int BATCH = 1024;

    final F filter;
    private final KeyHasher<K> hasher;

    BoundKeyFilter(F filter, KeyHasher<K> hasher) {
        this.filter = Objects.requireNonNull(filter, "filter");
        this.hasher = Objects.requireNonNull(hasher, "hasher");
    }

    static <K> KeyFilter<K> of(MembershipFilter filter, KeyHasher<K> hasher) {
        if (filter instanceof AdaptiveFilter adaptive) {
            return new Adaptive<>(adaptive, hasher);
        }
        if (filter instanceof DeletableFilter deletable) {
            return new Deletable<>(deletable, hasher);
        }
        if (filter instanceof MergeableFilter mergeable) {
            return new Mergeable<>(mergeable, hasher);
        }
        if (filter instanceof InsertableFilter insertable) {
            return new Insertable<>(insertable, hasher);
        }
        return new BoundKeyFilter<>(filter, hasher);
    }

    @Override
    public boolean mightContain(K key) {
        return filter.mightContainHash(hasher.hash(key));
    }

    @Override
    public BitSet mightContainEach(List<? extends K> keys) {
        int count = keys.size();
        long[] hashes = new long[count];
        int next = 0;
        for (K key : keys) {
            hashes[next++] = hasher.hash(key);
        }
        long[] result = new long[(count + Long.SIZE - 1) / Long.SIZE];
        filter.mightContainHashes(hashes, 0, count, result);
        return BitSet.valueOf(result);
    }

    @Override
    public long count() {
        return filter.count();
    }

    @Override
    public long sizeInBits() {
        return filter.sizeInBits();
    }

    @Override
    public double expectedFpp() {
        return filter.expectedFpp();
    }

    @Override
    public KeyHasher<K> hasher() {
        return hasher;
    }

    @Override
    public F hashFilter() {
        return filter;
    }

    @Override
    public void save(Path file) throws IOException {
        FilterCodec.write(persistent(), hasher.stamp(), file);
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        FilterCodec.write(persistent(), hasher.stamp(), out);
    }

    private PersistentFilter persistent() {
        return as(PersistentFilter.class, "be written to a file");
    }

    @Override
    public InsertableKeyFilter<K> asInsertable() {
        return new Insertable<>(as(InsertableFilter.class, "take keys one by one"), hasher);
    }

    @Override
    public InsertableKeyFilter<K> asConcurrent() {
        return new Insertable<>(concurrent(), hasher);
    }

    final ConcurrentFilter concurrent() {
        return filter instanceof ConcurrentFilter already
                ? already
                : as(ShareableFilter.class, "take keys from several threads").shared();
    }

    @Override
    public DeletableKeyFilter<K> asDeletable() {
        return new Deletable<>(as(DeletableFilter.class, "give keys up again"), hasher);
    }

    @Override
    public GrowableKeyFilter<K> asGrowable() {
        return new Growable<>(as(GrowableFilter.class, "grow"), hasher);
    }

    @Override
    public MergeableKeyFilter<K> asMergeable() {
        return new Mergeable<>(as(MergeableFilter.class, "be merged"), hasher);
    }

    @Override
    public AdaptiveKeyFilter<K> asAdaptive() {
        return new Adaptive<>(as(AdaptiveFilter.class, "repair false positives"), hasher);
    }

    final <G> G as(Class<G> capability, String what) {
        if (!capability.isInstance(filter)) {
            throw new IllegalStateException("a filter of the kind " + kind() + " cannot " + what);
        }
        return capability.cast(filter);
    }

    private String kind() {
        return filter instanceof PersistentFilter persistent
                ? persistent.image().kind()
                : filter.getClass().getSimpleName();
    }

    /** The kind, how full it is, and the hasher. */
    @Override
    public final String toString() {
        return String.format(
                Locale.ROOT,
                "%s of %,d keys, %,d bits, %s",
                kind(),
                filter.count(),
                filter.sizeInBits(),
                hasher.stamp());
    }

    static class Insertable<F extends InsertableFilter, K> extends BoundKeyFilter<F, K>
            implements InsertableKeyFilter<K> {

        Insertable(F filter, KeyHasher<K> hasher) {
            super(filter, hasher);
        }

        @Override
        public boolean add(K key) {
            return filter.insertHash(hasher().hash(key));
        }

        @Override
        public void addAll(Iterable<? extends K> keys) {
            long[] hashes = new long[BATCH];
            int count = 0;
            for (K key : keys) {
                if (count == BATCH) {
                    filter.insertHashes(hashes, 0, count);
                    count = 0;
                }
                hashes[count++] = hasher().hash(key);
            }
            filter.insertHashes(hashes, 0, count);
        }
    }

    static class Deletable<F extends DeletableFilter, K> extends Insertable<F, K> implements DeletableKeyFilter<K> {

        Deletable(F filter, KeyHasher<K> hasher) {
            super(filter, hasher);
        }

        @Override
        public boolean remove(K key) {
            return filter.deleteHash(hasher().hash(key));
        }
    }

    static final class Growable<K> extends Insertable<GrowableFilter, K> implements GrowableKeyFilter<K> {

        Growable(GrowableFilter filter, KeyHasher<K> hasher) {
            super(filter, hasher);
        }

        @Override
        public GrowableKeyFilter<K> grown(long newCapacity, StoredHashes stored) {
            return of(filter.grown(newCapacity, stored), hasher()).asGrowable();
        }
    }

    static final class Mergeable<K> extends Insertable<MergeableFilter, K> implements MergeableKeyFilter<K> {

        Mergeable(MergeableFilter filter, KeyHasher<K> hasher) {
            super(filter, hasher);
        }

        @Override
        public void mergeFrom(KeyFilter<K> other) {
            merge(filter, this, other);
        }
    }

    static void merge(MergeableFilter filter, KeyFilter<?> mine, KeyFilter<?> other) {
        if (!mine.hasher().stamp().equals(other.hasher().stamp())) {
            throw new IllegalArgumentException("hashers differ: "
                    + mine.hasher().stamp() + " and " + other.hasher().stamp());
        }
        if (!(other.hashFilter() instanceof MergeableFilter same)) {
            throw new IllegalArgumentException(other + " cannot be merged");
        }
        filter.mergeFrom(same);
    }

    static final class Adaptive<K> extends Deletable<AdaptiveFilter, K> implements AdaptiveKeyFilter<K> {

        Adaptive(AdaptiveFilter filter, KeyHasher<K> hasher) {
            super(filter, hasher);
        }

        @Override
        public Adaptation repair(K key) {
            return filter.repairHash(hasher().hash(key));
        }
    }
}
