package dev.besom.cascade;

import dev.besom.quotient.QuotientFilter;
import java.util.Arrays;

/** A quotient filter as a level: quotient and remainder are the fingerprint, the hashes of a quotient one range. */
final class QuotientLevel implements SingleHashFilter {

    private final QuotientFilter filter;

    QuotientLevel(QuotientFilter filter) {
        this.filter = filter;
    }

    @Override
    public boolean mightContainHash(long hash) {
        return filter.mightContainHash(hash);
    }

    @Override
    public void insertHash(long hash) {
        filter.insertHash(hash);
    }

    @Override
    public void deleteHash(long hash) {
        filter.deleteHash(hash);
    }

    @Override
    public long fingerprint(long hash) {
        return filter.fingerprint(hash);
    }

    @Override
    public long fingerprintCount() {
        return filter.fingerprintCount();
    }

    @Override
    public double foundShare(long fingerprint) {
        return filter.holds(fingerprint) ? 1 : 0;
    }

    @Override
    public long firstAlike(long hash) {
        return filter.firstAlike(hash);
    }

    @Override
    public long lastAlike(long hash) {
        return filter.lastAlike(hash);
    }

    @Override
    public boolean hasEntryBeside(long hash, long[] others) {
        long fingerprint = fingerprint(hash);
        long alike = Arrays.stream(others)
                .filter(other -> fingerprint(other) == fingerprint)
                .count();
        return filter.countOfHash(hash) > alike;
    }

    @Override
    public QuotientFilter filter() {
        return filter;
    }
}
