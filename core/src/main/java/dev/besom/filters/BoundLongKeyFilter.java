package dev.besom.filters;

import dev.besom.Adaptation;
import dev.besom.AdaptiveFilter;
import dev.besom.DeletableFilter;
import dev.besom.GrowableFilter;
import dev.besom.InsertableFilter;
import dev.besom.KeyFilter;
import dev.besom.LongKeyFilter;
import dev.besom.MembershipFilter;
import dev.besom.MergeableFilter;
import dev.besom.StoredHashes;
import dev.besom.bits.Bitmaps;
import dev.besom.hash.LongHasher;
import java.util.Objects;

/** A hasher of 64-bit numbers and a filter of hashes, as {@link BoundKeyFilter}, without boxing. */
class BoundLongKeyFilter<F extends MembershipFilter> extends BoundKeyFilter<F, Long> implements LongKeyFilter {

    final LongHasher longHasher;

    BoundLongKeyFilter(F filter, LongHasher hasher) {
        super(filter, hasher);
        this.longHasher = hasher;
    }

    static LongKeyFilter of(MembershipFilter filter, LongHasher hasher) {
        if (filter instanceof AdaptiveFilter adaptive) {
            return new AdaptiveLongs(adaptive, hasher);
        }
        if (filter instanceof DeletableFilter deletable) {
            return new DeletableLongs<>(deletable, hasher);
        }
        if (filter instanceof MergeableFilter mergeable) {
            return new MergeableLongs(mergeable, hasher);
        }
        if (filter instanceof InsertableFilter insertable) {
            return new InsertableLongs<>(insertable, hasher);
        }
        return new BoundLongKeyFilter<>(filter, hasher);
    }

    @Override
    public final boolean mightContain(long key) {
        return filter.mightContainHash(longHasher.hash(key));
    }

    @Override
    public final void mightContainEach(long[] keys, int from, int count, long[] result) {
        Bitmaps.checkBulk(keys, from, count, result);
        try (HashRoom room = HashRoom.take()) {
            long[] answers = count <= BATCH ? result : room.answers;
            for (int done = 0; done < count; done += BATCH) {
                int batch = hash(keys, from + done, Math.min(BATCH, count - done), room.hashes);
                filter.mightContainHashes(room.hashes, 0, batch, answers);
                if (answers != result) {
                    System.arraycopy(answers, 0, result, done / Long.SIZE, (batch + Long.SIZE - 1) / Long.SIZE);
                }
            }
        }
    }

    final int hash(long[] keys, int from, int count, long[] hashes) {
        for (int i = 0; i < count; i++) {
            hashes[i] = longHasher.hash(keys[from + i]);
        }
        return count;
    }

    @Override
    public final LongHasher hasher() {
        return longHasher;
    }

    @Override
    public final LongKeyFilter.Insertable asInsertable() {
        return new InsertableLongs<>(as(InsertableFilter.class, "take keys one by one"), longHasher);
    }

    @Override
    public final LongKeyFilter.Insertable asConcurrent() {
        return new InsertableLongs<>(concurrent(), longHasher);
    }

    @Override
    public final LongKeyFilter.Deletable asDeletable() {
        return new DeletableLongs<>(as(DeletableFilter.class, "give keys up again"), longHasher);
    }

    @Override
    public final LongKeyFilter.Growable asGrowable() {
        return new GrowableLongs(as(GrowableFilter.class, "grow"), longHasher);
    }

    @Override
    public final LongKeyFilter.Mergeable asMergeable() {
        return new MergeableLongs(as(MergeableFilter.class, "be merged"), longHasher);
    }

    @Override
    public final LongKeyFilter.Adaptive asAdaptive() {
        return new AdaptiveLongs(as(AdaptiveFilter.class, "repair false positives"), longHasher);
    }

    static class InsertableLongs<F extends InsertableFilter> extends BoundLongKeyFilter<F>
            implements LongKeyFilter.Insertable {

        InsertableLongs(F filter, LongHasher hasher) {
            super(filter, hasher);
        }

        @Override
        public final boolean add(long key) {
            return filter.insertHash(longHasher.hash(key));
        }

        @Override
        public final boolean add(Long key) {
            return add(key.longValue());
        }

        @Override
        public final void addAll(long[] keys, int from, int count) {
            Objects.checkFromIndexSize(from, count, keys.length);
            long[] hashes = new long[Math.min(count, BATCH)];
            for (int done = 0; done < count; done += BATCH) {
                filter.insertHashes(hashes, 0, hash(keys, from + done, Math.min(BATCH, count - done), hashes));
            }
        }

        @Override
        public final void addAll(Iterable<? extends Long> keys) {
            long[] batch = new long[BATCH];
            int count = 0;
            for (long key : keys) {
                if (count == BATCH) {
                    addAll(batch, 0, count);
                    count = 0;
                }
                batch[count++] = key;
            }
            addAll(batch, 0, count);
        }
    }

    static class DeletableLongs<F extends DeletableFilter> extends InsertableLongs<F>
            implements LongKeyFilter.Deletable {

        DeletableLongs(F filter, LongHasher hasher) {
            super(filter, hasher);
        }

        @Override
        public final boolean remove(long key) {
            return filter.deleteHash(longHasher.hash(key));
        }

        @Override
        public final boolean remove(Long key) {
            return remove(key.longValue());
        }
    }

    static final class GrowableLongs extends InsertableLongs<GrowableFilter> implements LongKeyFilter.Growable {

        GrowableLongs(GrowableFilter filter, LongHasher hasher) {
            super(filter, hasher);
        }

        @Override
        public LongKeyFilter.Growable grown(long newCapacity, StoredHashes stored) {
            return of(filter.grown(newCapacity, stored), longHasher).asGrowable();
        }
    }

    static final class MergeableLongs extends InsertableLongs<MergeableFilter> implements LongKeyFilter.Mergeable {

        MergeableLongs(MergeableFilter filter, LongHasher hasher) {
            super(filter, hasher);
        }

        @Override
        public void mergeFrom(KeyFilter<Long> other) {
            merge(filter, this, other);
        }
    }

    static final class AdaptiveLongs extends DeletableLongs<AdaptiveFilter> implements LongKeyFilter.Adaptive {

        AdaptiveLongs(AdaptiveFilter filter, LongHasher hasher) {
            super(filter, hasher);
        }

        @Override
        public Adaptation repair(long key) {
            return filter.repairHash(longHasher.hash(key));
        }

        @Override
        public Adaptation repair(Long key) {
            return repair(key.longValue());
        }
    }
}
