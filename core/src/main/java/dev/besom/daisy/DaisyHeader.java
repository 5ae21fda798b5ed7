package dev.besom.daisy;

import dev.besom.FilterSpec;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.HashClassifier;
import dev.besom.spi.MergeCheck;
import java.util.Map;

/**
 * What every filter of this family knows beside its bits or fingerprints.
 *
 * @param spec capacity, rate and seed that it was made with
 * @param distribution which class each hash is in
 * @param numbers what the filter chose for each class: probes, or a part of the filter
 * @param count keys in it
 */
record DaisyHeader(FilterSpec spec, Distribution distribution, ClassNumbers numbers, long count) {

    /** Of an empty filter. */
    static DaisyHeader of(FilterSpec spec, Distribution distribution, ClassNumbers numbers) {
        FilterSpec plain = new FilterSpec(spec.capacity(), spec.fpp(), spec.seed(), Map.of());
        return new DaisyHeader(plain, distribution, numbers, 0);
    }

    DaisyHeader withCount(long newCount) {
        return new DaisyHeader(spec, distribution, numbers, newCount);
    }

    DaisyHeader bind(HashClassifier classifier) {
        return new DaisyHeader(spec, distribution.bind(classifier), numbers, count);
    }

    /** @throws IllegalArgumentException if a filter of the other one could not have been made like one of this */
    void requireMergeable(String kind, DaisyHeader other) {
        MergeCheck check = new MergeCheck(kind);
        check.same("capacity", spec.capacity(), other.spec.capacity());
        check.same("rate", spec.fpp(), other.spec.fpp());
        check.same("seed", spec.seed(), other.spec.seed());
        if (!distribution.isSameAs(other.distribution)) {
            throw new IllegalArgumentException(kind + " filters know different distributions");
        }
    }
}
