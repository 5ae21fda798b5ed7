package dev.besom;

import dev.besom.hash.LongHasher;

/** A filter of 64-bit numbers, without boxing them. Any number is a key, small ids too: its hash is what is stored. */
public interface LongKeyFilter extends KeyFilter<Long> {

    /** False: certainly not there. True: maybe. */
    boolean mightContain(long key);

    /**
     * Queries many keys at once: bit {@code i} of the result is {@code mightContain(keys[from + i])}, for each
     * {@code i < count}.
     *
     * @param result at least {@code ceil(count / 64)} words; the bits past {@code count} of the last word that is used
     *     become 0, and words after it are left alone
     * @throws IllegalArgumentException if the result is too small, or is the array of the keys
     */
    void mightContainEach(long[] keys, int from, int count, long[] result);

    @Override
    LongHasher hasher();

    @Override
    Insertable asInsertable();

    @Override
    Insertable asConcurrent();

    @Override
    Deletable asDeletable();

    @Override
    Growable asGrowable();

    @Override
    Mergeable asMergeable();

    @Override
    Adaptive asAdaptive();

    /** A filter that takes numbers. */
    interface Insertable extends LongKeyFilter, InsertableKeyFilter<Long> {

        /** As {@link InsertableKeyFilter#add}, without boxing. */
        boolean add(long key);

        /** As {@link InsertableKeyFilter#addAll}, without boxing. */
        void addAll(long[] keys, int from, int count);
    }

    /** A filter that takes numbers and gives them up again. */
    interface Deletable extends Insertable, DeletableKeyFilter<Long> {

        /** As {@link DeletableKeyFilter#remove}, without boxing. */
        boolean remove(long key);
    }

    /** A filter of numbers that can be had in another capacity. */
    interface Growable extends Insertable, GrowableKeyFilter<Long> {

        @Override
        Growable grown(long newCapacity, StoredHashes stored);
    }

    /** A filter that can take in all the numbers of another of the same shape. */
    interface Mergeable extends Insertable, MergeableKeyFilter<Long> {}

    /** A filter that repairs the false positives it is told of. */
    interface Adaptive extends Deletable, AdaptiveKeyFilter<Long> {

        /** As {@link AdaptiveKeyFilter#repair}, without boxing. */
        Adaptation repair(long key);
    }
}
