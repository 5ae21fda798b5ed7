package dev.besom.lab.race;

import dev.besom.FilterSpec;
import dev.besom.HashSource;
import dev.besom.MembershipFilter;
import dev.besom.distribution.Distribution;
import dev.besom.distribution.DistributionLearner;
import dev.besom.filters.Filters;
import dev.besom.lab.workload.KeySource;
import java.util.Optional;

/**
 * What kinds that know the distribution learn it from.
 *
 * @param keys a sample of what is stored; the stored keys themselves where it is missing
 * @param queries a sample of what is looked up; without it nothing is learned
 * @param model what tells keys apart, in place of how often the sample has them
 */
public record Samples(Optional<KeySource> keys, Optional<KeySource> queries, Optional<ModelClasses> model) {

    /** The part of the misses that may be taken for hits, and not be learned from. */
    private static final double TAKEN_FOR_HITS = 0.001;

    /** Nothing to learn from. */
    public static final Samples NONE = new Samples(Optional.empty(), Optional.empty());

    /** Samples without a model. */
    public Samples(Optional<KeySource> keys, Optional<KeySource> queries) {
        this(keys, queries, Optional.empty());
    }

    public Samples {
        if (keys.isPresent() && queries.isEmpty()) {
            throw new IllegalArgumentException("a sample of keys says nothing without a sample of queries");
        }
        if (model.isPresent() && (keys.isPresent() || queries.isEmpty())) {
            throw new IllegalArgumentException("a model takes a sample of queries, and the stored keys themselves");
        }
    }

    /** What the samples say for a filter of so many keys at that rate. */
    Distribution learn(long[] stored, double n, double fpp) {
        return model.isPresent()
                ? model.get().distribution(stored, queries.orElseThrow())
                : learnCounts(stored, n, fpp);
    }

    private Distribution learnCounts(long[] stored, double n, double fpp) {
        DistributionLearner learner = new DistributionLearner();
        MembershipFilter isStored = Filters.buildHashFilter(
                "bloom", FilterSpec.of(Math.max(1, stored.length), TAKEN_FOR_HITS), HashSource.of(stored));
        queries.ifPresent(sample -> sample.forEach(query -> learner.addQuery(query, isStored)));
        if (keys.isPresent()) {
            keys.get().forEach(learner::addKey);
        } else {
            for (long key : stored) {
                learner.addKey(key);
            }
        }
        return learner.learn(n, fpp);
    }
}
