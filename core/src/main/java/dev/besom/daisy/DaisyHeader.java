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
 * @param draws how often a key was inserted, repeated ones included
 * @param count how many of these were new
 */
record DaisyHeader(FilterSpec spec, Distribution distribution, ClassNumbers numbers, long draws, long count) {

    /** Of an empty filter. */
    static DaisyHeader of(FilterSpec spec, Distribution distribution, ClassNumbers numbers) {
        FilterSpec plain = new FilterSpec(spec.capacity(), spec.fpp(), spec.seed(), Map.of());
        return new DaisyHeader(plain, distribution, numbers, 0, 0);
    }

    DaisyHeader withCounts(long newDraws, long newCount) {
        return new DaisyHeader(spec, distribution, numbers, newDraws, newCount);
    }

    DaisyHeader bind(HashClassifier classifier) {
        return new DaisyHeader(spec, distribution.bind(classifier), numbers, draws, count);
    }

    /** @throws IllegalArgumentException if spec or distribution differ */
    void requireMergeable(String kind, DaisyHeader other) {
        requireSameClasses(kind, other);
        if (!distribution.isSameAs(other.distribution)) {
            throw new IllegalArgumentException(kind + " filters know different distributions");
        }
    }

    /** @throws IllegalArgumentException if spec or classes differ; the classes' shares may */
    void requireSameClasses(String kind, DaisyHeader other) {
        MergeCheck check = new MergeCheck(kind);
        check.same("capacity", spec.capacity(), other.spec.capacity());
        check.same("rate", spec.fpp(), other.spec.fpp());
        check.same("seed", spec.seed(), other.spec.seed());
        if (!distribution.hasSameClassesAs(other.distribution)) {
            throw new IllegalArgumentException(kind + " filters know different distributions");
        }
    }
}
