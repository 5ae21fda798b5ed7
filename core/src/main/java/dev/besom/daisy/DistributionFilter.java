package dev.besom.daisy;

import dev.besom.distribution.ClassifiedFilter;
import dev.besom.distribution.DaisyMath;
import dev.besom.distribution.Distribution;
import dev.besom.spi.PersistentFilter;
import java.util.function.IntToDoubleFunction;

/** What the filters of this family have in common: a {@link DaisyHeader} and all that follows from it. */
abstract class DistributionFilter implements ClassifiedFilter, PersistentFilter {

    private DaisyHeader header;
    private long draws;
    private long count;

    DistributionFilter(DaisyHeader header) {
        this.header = header;
        this.draws = header.draws();
        this.count = header.count();
    }

    /** What is known now, the counts included. */
    final DaisyHeader header() {
        return header.withCounts(draws, count);
    }

    /** The number of a class for queries. */
    final int numberToQuery(int keyClass) {
        return header.numbers().toQuery(keyClass);
    }

    /** The number of a class for inserts. */
    final int numberToInsert(int keyClass) {
        return header.numbers().toInsert(keyClass);
    }

    /** Knows something else from now on; the counts stay. */
    final void setHeader(DaisyHeader newHeader) {
        header = newHeader;
    }

    /** Counts what another filter was given. */
    final void addCountsOf(DistributionFilter other) {
        addCounts(other.draws, other.count);
    }

    final void addCounts(long moreDraws, long moreKeys) {
        draws += moreDraws;
        count += moreKeys;
    }

    /** Puts a hash of a class in; true if a query would have been answered "no" before. */
    abstract boolean put(long hash, int keyClass);

    /** Whether a key that is put in twice is in twice. */
    boolean isMultiset() {
        return false;
    }

    /** Counts a draw less. */
    final void takeOut() {
        draws = Math.max(0, draws - 1);
        count = Math.max(0, count - 1);
    }

    /** By class: the chance that a key of it that is not there is answered "maybe". */
    abstract IntToDoubleFunction rates();

    /** The memory of what holds the keys, the part that the papers speak of. */
    public abstract long bitsWithoutDistribution();

    @Override
    public final boolean insertHash(long hash, int keyClass) {
        boolean isNew = put(hash, keyClass);
        draws++;
        count += isNew || isMultiset() ? 1 : 0;
        return isNew;
    }

    @Override
    public final Distribution distribution() {
        return header.distribution();
    }

    @Override
    public final long count() {
        return count;
    }

    /** What holds the keys, and what the filter knows of the distribution. */
    @Override
    public final long sizeInBits() {
        return bitsWithoutDistribution()
                + header.numbers().sizeInBits()
                + header.distribution().sizeInBits();
    }

    /** Over the queries of the distribution, after as many draws from it as there were inserts. */
    @Override
    public final double expectedFpp() {
        return DaisyMath.rate(header.distribution().classes(), (double) draws, rates());
    }
}
