package dev.besom.cli;

import dev.besom.FilterFullException;
import dev.besom.FilterSpec;
import dev.besom.InsertableFilter;
import dev.besom.StoredHashes;
import dev.besom.distribution.DistributionLearner;
import dev.besom.filters.Filters;
import dev.besom.spi.Kind;
import dev.besom.spi.PersistentFilter;
import java.util.Optional;

/**
 * A filter while keys are put in. Kinds that adapt need no stored hashes for that, and find none in a file either:
 * whoever reads the file to repair false positives binds it to a dictionary then.
 */
final class Filling {

    private final Kind kind;
    private final long capacity;
    private final PersistentFilter filter;
    private final InsertableFilter target;
    private long keys;

    Filling(Kind kind, FilterSpec spec) {
        this(kind, spec, Optional.empty());
    }

    /** A filter that knows what was learned, if anything was. */
    Filling(Kind kind, FilterSpec spec, Optional<DistributionLearner> learner) {
        this.kind = kind;
        this.capacity = spec.capacity();
        this.filter =
                make(kind, spec, learner, "--kind " + kind.name() + " --n " + spec.capacity() + " --fpp " + spec.fpp());
        if (!(filter instanceof InsertableFilter insertable)) {
            throw new InputException("--kind " + kind.name() + ": takes no keys one by one");
        }
        this.target = insertable;
    }

    /** Refuses options that the kind does not like. */
    static void checkOptions(Kind kind, FilterSpec spec) {
        if (!spec.options().isEmpty()) {
            make(kind, spec.withCapacity(1), Optional.empty(), "--kind " + kind.name());
        }
    }

    private static PersistentFilter make(
            Kind kind, FilterSpec spec, Optional<DistributionLearner> learner, String culprit) {
        try {
            return learner.isPresent()
                    ? Filters.makeHashFilter(kind, spec, learner.get().learn((double) spec.capacity(), spec.fpp()))
                    : kind.make(spec, StoredHashes.none());
        } catch (IllegalArgumentException e) {
            throw new InputException(culprit + ": " + e.getMessage(), e);
        }
    }

    /** @throws FilterFullException if there is no room for all of them */
    void insert(long[] hashes, int count) {
        target.insertHashes(hashes, 0, count);
        keys += count;
    }

    /** What to tell the user when it is full. */
    InputException refuse(FilterFullException full) {
        return new InputException(
                "--n: more keys, or one key more often, than a filter of kind " + kind.name() + " for " + capacity
                        + " keys can take: " + full.getMessage(),
                full);
    }

    PersistentFilter filter() {
        return filter;
    }

    long capacity() {
        return capacity;
    }

    /** How many keys were put in, each as often as it came. */
    long keys() {
        return keys;
    }
}
